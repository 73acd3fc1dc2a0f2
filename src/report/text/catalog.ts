import type {
  CatalogRule,
  CatalogRuleset,
  CatalogReport,
  LiveRulesetHead,
  LockReport,
  LockedRuleset,
} from '../../model/index.ts';
import { scopeLabel, LOCK_FILE } from '../../model/index.ts';
import { slug, counted } from '../../text/index.ts';
import type { Line, Look } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';

/** Formats managed rulesets with the names that files use for them, and their rules with ids and tags. */
export function catalogText({ scope, rulesets }: CatalogReport, look: Look): string {
  const rules = rulesets.reduce((count, one) => count + (one.rules?.length ?? 0), 0);
  const withRules = rulesets.some((one) => one.rules !== undefined);
  const head = line(
    0,
    span('heading', scopeLabel(scope)),
    ` · ${counted(rulesets.length, 'managed ruleset')}${withRules ? `, ${counted(rules, 'rule')}` : ''}`,
  );
  const nothing = rulesets.length === 0 ? [line(2, 'Nothing found.')] : [];
  return layOut([head, ...nothing, ...rulesets.flatMap((one) => rulesetLines(one))], look);
}

function rulesetLines({ ruleset, rules = [] }: CatalogRuleset): readonly Line[] {
  const { name, phase, id, version, description } = ruleset;
  return [
    BLANK,
    line(0, span('strong', name), span('dim', `  version ${version}`)),
    line(2, referenceOf(ruleset), span('dim', ` · ${id} · ${phase}`)),
    ...(description === '' ? [] : [line(2, description)]),
    ...rules.flatMap((rule) => ruleLines(rule)),
  ];
}

function ruleLines({ id, description, action, enabled, tags }: CatalogRule): readonly Line[] {
  return [
    line(
      4,
      id,
      '  ',
      span(enabled ? 'strong' : 'dim', enabled ? action : `${action}, off`),
      `  ${description}`,
    ),
    ...(tags.length === 0 ? [] : [line(6, span('dim', `tags: ${tags.join(', ')}`))]),
  ];
}

function referenceOf({ name, id }: LiveRulesetHead): string {
  const short = slug(name);
  return short === '' ? id : `managed:${short}`;
}

/** Returns the catalogue as one JSON value; `reference` is what files write for a ruleset. */
export function catalogDocument({ scope, rulesets }: CatalogReport) {
  return {
    kind: 'catalog',
    formatVersion: 1,
    scope,
    rulesets: rulesets.map(({ ruleset, rules }) => ({
      ...ruleset,
      reference: referenceOf(ruleset),
      rules,
    })),
  };
}

/** Formats a summary of the lock: how many rules each override affects. */
export function lockedText({ lock: { rulesets }, written }: LockReport, look: Look): string {
  const head = `${LOCK_FILE} ${written ? 'written' : 'is as it was'}`;
  const about =
    rulesets.length === 0
      ? 'no override of the files affects managed rules'
      : `${counted(rulesets.length, 'managed ruleset')} with overrides`;
  return layOut(
    [line(0, span('strong', head), `: ${about}`), ...rulesets.flatMap((one) => lines(one))],
    look,
  );
}

function lines({ name, version, meets }: LockedRuleset): readonly Line[] {
  return [
    line(2, name, span('dim', `  version ${version}`)),
    ...[...meets].map(([key, ids]) => line(4, `${key}: ${counted(ids.length, 'rule')}`)),
  ];
}

/** Returns the lock as one JSON value. */
export function lockDocument({ lock, written }: LockReport) {
  const rulesets = lock.rulesets.map(({ meets, ...head }) => ({ ...head, meets: Object.fromEntries(meets) }));
  return { kind: 'catalog-lock', formatVersion: 1, written, rulesets };
}
