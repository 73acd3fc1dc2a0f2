import type { VersionList } from '../../model/version-list.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { VersionEntry } from '../../model/version-entry.ts';
import { MOST_VERSIONS } from '../../model/version-entry.ts';
import { counted } from '../../model/count.ts';
import type { Line, Span } from '../layout.ts';
import { BLANK, hanging, layOut, line, span } from '../layout.ts';
import { momentText } from '../moment.ts';
import type { Look } from '../theme.ts';

/** Number, time, rules, changes and description of every version, newest first. */
export function versionsText({ scope, ruleset, versions, older }: VersionList, look: Look): string {
  const wide = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length), 1);
  const numbers = wide(versions.map(({ version }) => version));
  const rules = wide(versions.map(rulesText));
  return layOut(
    [
      line(0, span('heading', `${scopeLabel(scope)}/${ruleset.phase}`), ` · ${ruleset.name} · ${ruleset.id}`),
      BLANK,
      ...versions
        .map((entry, index): Line => {
          const isOldest = index === 0 && older === 0;
          return hanging(
            2,
            numbers + 2,
            span('strong', entry.version.padStart(numbers)),
            `  ${entry.lastUpdated === '' ? 'at an unknown time' : momentText(entry.lastUpdated)}`,
            `  ${rulesText(entry).padStart(rules)}`,
            ...changesSpans(entry, { isOldest }),
            ...(entry.description === '' ? [] : [span('dim', `  ${entry.description}`)]),
            ...(entry.version === ruleset.version ? [span('good', '  in force')] : []),
          );
        })
        .reverse(),
      ...(older === 0
        ? []
        : [line(2, span('dim', `${counted(older, 'older version')}${limitText(versions.length, older)}`))]),
    ],
    look,
  );
}

function rulesText({ rules }: Pick<VersionEntry, 'rules'>): string {
  return rules === null ? 'not kept' : counted(rules, 'rule');
}

/** How to see what is not listed, behind a semicolon; nothing where the flag can do no more. */
function limitText(listed: number, older: number): string {
  if (listed >= MOST_VERSIONS) {
    return '';
  }
  return listed + older <= MOST_VERSIONS
    ? `; --limit ${listed + older} lists all`
    : `; --limit ${MOST_VERSIONS} lists the latest ${MOST_VERSIONS}`;
}

/** What a version changed. */
function changesSpans(
  { changes, rules }: VersionEntry,
  { isOldest }: { readonly isOldest: boolean },
): readonly Span[] {
  if (changes === null) {
    return rules !== null && isOldest ? [span('dim', '  the oldest that is kept')] : [];
  }
  const parts = (['added', 'changed', 'deleted', 'moved'] as const).flatMap((kind) =>
    changes[kind] === 0 ? [] : [`${changes[kind]} ${kind}`],
  );
  const told = [...parts, ...(changes.description ? ['another description'] : [])];
  return [{ text: `  ${told.length === 0 ? 'the same rules' : told.join(', ')}` }];
}
