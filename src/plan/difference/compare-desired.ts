import { referenceFacts, addressKey, referencesIn, scopeLabel } from '../../model/index.ts';
import type { DesiredRuleset, RulesetOutline, ScopeOutline } from '../../model/index.ts';
import { canonicalDigest } from '../document/make-plan.ts';
import { canonicalJson } from '../../data/index.ts';

/** Extracts what must be known of a ruleset while its rules are not in memory. */
export function outlineRuleset(ruleset: DesiredRuleset): RulesetOutline {
  const { address, presence, ignore, rules } = ruleset;
  return {
    address,
    presence,
    ...(ignore === undefined ? {} : { ignore }),
    ruleCount: rules.length,
    ...referenceFacts(ruleset),
    digest: digestOf(ruleset),
    sensitive: referencesIn(JSON.stringify(ruleset)),
  };
}

/** Digests everything that a plan depends on; source places are left out. */
function digestOf({ cause: _ruleset, rules, ignore = [], ...ruleset }: DesiredRuleset): string {
  return canonicalDigest({
    rules: rules.map(({ cause: _rule, lists: _lists, rulesets: _rulesets, ...rule }) => rule),
    ignore: ignore.map(({ cause: _ignored, ...ignored }) => ignored),
    ...ruleset,
  });
}

/** A scope whose desired state changed. */
interface ScopeDifference {
  readonly scope: ScopeOutline;
  /** The rulesets whose desired state changed: entry points as the phase, custom ones as `phase/name`, lists as `list name`, settings as `setting name`; in the order of the files. */
  readonly rulesets: readonly string[];
}

/** How two states of the files differ in what they want; moving rules between files is no difference. */
interface DesiredDifference {
  readonly changed: readonly ScopeDifference[];
  /** Scopes that no file declares any more: they are no longer managed, and nothing is planned for them. */
  readonly gone: readonly string[];
}

/** Compares what the files wanted with what they want now, scope by scope, with packs and variables resolved. */
export function compareDesired(
  before: readonly ScopeOutline[],
  now: readonly ScopeOutline[],
): DesiredDifference {
  const known = new Map(before.map((scope) => [scopeLabel(scope.scope), scope]));
  const named = new Set(now.map(({ scope }) => scopeLabel(scope)));
  return {
    changed: now.flatMap((scope) => {
      const rulesets = compareScope(known.get(scopeLabel(scope.scope)), scope);
      return rulesets === null ? [] : [{ scope, rulesets }];
    }),
    gone: [...known.keys()].filter((label) => !named.has(label)),
  };
}

/** Returns the rulesets that differ; null when nothing does. */
function compareScope(before: ScopeOutline | undefined, now: ScopeOutline): readonly string[] | null {
  const wanted = digestsOf(now);
  const had = before === undefined ? new Map<string, string>() : digestsOf(before);
  const keys = [...new Set([...wanted.keys(), ...had.keys()])];
  if (before === undefined || settingsOf(before) !== settingsOf(now)) {
    return keys;
  }
  const differing = keys.filter((key) => wanted.get(key) !== had.get(key));
  return differing.length === 0 ? null : differing;
}

function settingsOf({ tokenEnv, rulesetOwnership, ruleOwnership }: ScopeOutline): string {
  return canonicalJson([tokenEnv ?? null, rulesetOwnership, ruleOwnership ?? null]);
}

function digestsOf({ rulesets, lists = [], settings = [] }: ScopeOutline): ReadonlyMap<string, string> {
  return new Map([
    ...rulesets.map(({ address, digest }) => [addressKey(address), digest] as const),
    ...lists.map(({ cause: _list, ...list }) => [`list ${list.name}`, canonicalDigest(list)] as const),
    ...settings.map(({ name, fields }) => [`setting ${name}`, canonicalDigest(fields)] as const),
  ]);
}
