import { momentText } from './moment.ts';
import type { LiveRulesetHead } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import type { Line } from './layout.ts';
import { BLANK, layOut, line, span } from './layout.ts';
import type { Look } from './theme.ts';

/** The versions of a ruleset, oldest first; the last is the one in force. */
export interface VersionsReport {
  readonly scope: Scope;
  readonly ruleset: LiveRulesetHead;
  readonly versions: readonly LiveRulesetHead[];
}

/** Number, time and description of every version, newest first. */
export function versionsText({ scope, ruleset, versions }: VersionsReport, look: Look): string {
  const wide = Math.max(...versions.map(({ version }) => version.length), 1);
  return layOut(
    [
      line(0, span('heading', `${scopeLabel(scope)}/${ruleset.phase}`), ` · ${ruleset.name} · ${ruleset.id}`),
      BLANK,
      ...[...versions].reverse().map((head): Line => {
        const inForce = head.version === ruleset.version;
        return line(
          2,
          span('strong', head.version.padStart(wide)),
          `  ${head.lastUpdated === '' ? 'at an unknown time' : momentText(head.lastUpdated)}`,
          ...(head.description === '' ? [] : [`  ${head.description}`]),
          ...(inForce ? [span('good', '  in force')] : []),
        );
      }),
    ],
    look,
  );
}

/** The versions as one JSON value. */
export interface VersionsDocument extends VersionsReport {
  readonly kind: 'versions';
  readonly formatVersion: 1;
}

/** The document of `versions`. */
export function versionsDocument(report: VersionsReport): VersionsDocument {
  const { scope, ruleset, versions } = report;
  return { kind: 'versions', formatVersion: 1, scope, ruleset, versions };
}
