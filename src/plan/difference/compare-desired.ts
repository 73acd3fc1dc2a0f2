import { addressKey, scopeLabel } from '../../model/index.ts';
import type { DesiredRuleset, DesiredScope, Rollout } from '../../model/index.ts';
import { canonicalDigest } from '../document/make-plan.ts';
import { canonicalJson } from '../../data/index.ts';

/** Digests (as hex) everything that the plan of a ruleset depends on; source places are left out. */
function digestOf({ cause: _ruleset, rules, ignore = [], ...ruleset }: DesiredRuleset): string {
  return canonicalDigest({
    rules: rules.map(({ cause: _rule, lists: _lists, rulesets: _rulesets, ...rule }) => rule),
    ignore: ignore.map(({ cause: _ignored, ...ignored }) => ignored),
    ...ruleset,
  });
}

/** A scope whose desired state changed. */
interface ScopeDifference {
  readonly scope: DesiredScope;
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
  before: readonly DesiredScope[],
  now: readonly DesiredScope[],
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

/** Returns the SHA-256 (hex) of what the files want of the scopes of a wave, and ask of it; source places are left out. */
export function wantedDigest(
  scopes: readonly DesiredScope[],
  { soak, health }: Pick<Rollout, 'soak' | 'health'>,
): string {
  return canonicalDigest([
    soak,
    health ?? null,
    ...scopes.map((scope) => [
      scopeLabel(scope.scope),
      settingsOf(scope),
      Object.fromEntries(digestsOf(scope)),
    ]),
  ]);
}

/** Returns the rulesets that differ; null when nothing does. */
function compareScope(before: DesiredScope | undefined, now: DesiredScope): readonly string[] | null {
  const wanted = digestsOf(now);
  const had = before === undefined ? new Map<string, string>() : digestsOf(before);
  const keys = [...new Set([...wanted.keys(), ...had.keys()])];
  if (before === undefined || settingsOf(before) !== settingsOf(now)) {
    return keys;
  }
  const differing = keys.filter((key) => wanted.get(key) !== had.get(key));
  return differing.length === 0 ? null : differing;
}

function settingsOf({ tokenEnv, rulesetOwnership, ruleOwnership }: DesiredScope): string {
  return canonicalJson([tokenEnv ?? null, rulesetOwnership, ruleOwnership ?? null]);
}

function digestsOf({ rulesets, lists = [], settings = [] }: DesiredScope): ReadonlyMap<string, string> {
  return new Map([
    ...rulesets.map((ruleset) => [addressKey(ruleset.address), digestOf(ruleset)] as const),
    ...lists.map(({ cause: _list, ...list }) => [`list ${list.name}`, canonicalDigest(list)] as const),
    ...settings.map(({ name, fields }) => [`setting ${name}`, canonicalDigest(fields)] as const),
  ]);
}
