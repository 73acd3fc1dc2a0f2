import { canonicalJson } from '../model/json.ts';
import type { DesiredRuleset } from '../model/ruleset.ts';
import { scopeLabel } from '../model/scope.ts';
import type { DesiredScope } from '../model/state.ts';
import { addressKey } from './plan-scope.ts';

/** A scope of which the files want something else than they did. */
export interface ScopeDifference {
  readonly scope: DesiredScope;
  /** The rulesets that are wanted otherwise, by phase, custom ones as `phase/name`; in the order of the files. */
  readonly rulesets: readonly string[];
}

/** What two states of the files want differently; where rules stand in which file is no difference. */
export interface DesiredDifference {
  readonly changed: readonly ScopeDifference[];
  /** Scopes that no file names any more: they are let go of, and nothing is planned for them. */
  readonly gone: readonly string[];
}

/** Compares what the files wanted with what they want: scope by scope, packs and variables resolved. */
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

/** The rulesets that differ; null when nothing does. */
function compareScope(before: DesiredScope | undefined, now: DesiredScope): readonly string[] | null {
  const wanted = textsOf(now);
  const had = before === undefined ? new Map<string, string>() : textsOf(before);
  const keys = [...new Set([...wanted.keys(), ...had.keys()])];
  if (before === undefined || settingsOf(before) !== settingsOf(now)) {
    return keys;
  }
  const differing = keys.filter((key) => wanted.get(key) !== had.get(key));
  return differing.length === 0 ? null : differing;
}

function settingsOf({ tokenEnv, rulesetOwnership }: DesiredScope): string {
  return canonicalJson([tokenEnv ?? null, rulesetOwnership]);
}

function textsOf({ rulesets }: DesiredScope): ReadonlyMap<string, string> {
  return new Map(rulesets.map((ruleset) => [addressKey(ruleset.address), textOf(ruleset)]));
}

/** All that a plan depends on; not where it was written. */
function textOf({ cause: _ruleset, rules, ignore = [], ...ruleset }: DesiredRuleset): string {
  return canonicalJson({
    ...ruleset,
    rules: rules.map(({ cause: _rule, lists: _lists, ...rule }) => rule),
    ignore: ignore.map(({ cause: _ignored, ...ignored }) => ignored),
  });
}
