import type { ScopeKind } from '../model/scope.ts';
import type { PreparedRule, PreparedRuleset, Skip } from './prepared.ts';

/** A skip that took effect, with the rule, level and phase it came from. */
interface Applied {
  readonly skip: Skip;
  readonly by: string;
  readonly level: ScopeKind;
  readonly phase: string;
}

/** The skips so far. */
export type Skips = readonly Applied[];

/** Returns the skips with one more. */
export function addSkip(
  skips: Skips,
  skip: Skip,
  { rule, ruleset }: { readonly rule: PreparedRule; readonly ruleset: PreparedRuleset },
): Skips {
  return [...skips, { skip, by: rule.name, level: ruleset.scope.kind, phase: ruleset.phase }];
}

/**
 * Returns the name of the rule that skips a phase at a level. A skip of named phases in an account also applies to its zones; every other
 * skip applies at its own level only (api.md 5.4).
 */
export function phaseSkippedBy(skips: Skips, phase: string, level: ScopeKind): string | undefined {
  return skips.find(
    (applied) =>
      (applied.level === level && applied.skip.phase && applied.phase === phase) ||
      ((applied.level === level || applied.level === 'account') && applied.skip.phases.includes(phase)),
  )?.by;
}

/** Returns the name of the rule that skips a whole ruleset. */
export function rulesetSkippedBy(skips: Skips, reference: string, level: ScopeKind): string | undefined {
  return skips.find(
    (applied) =>
      applied.level === level &&
      (applied.skip.rulesets.includes(reference) || applied.skip.rules.get(reference)?.length === 0),
  )?.by;
}

/** Returns the name of the rule that skips a rule of a custom ruleset; skips name rules by id. */
export function ruleSkippedBy(
  skips: Skips,
  { rule }: PreparedRule,
  { reference, scope }: PreparedRuleset,
): string | undefined {
  const { id } = rule;
  return reference === undefined || id === undefined
    ? undefined
    : skips.find(
        ({ skip, level }) => level === scope.kind && skip.rules.get(reference)?.includes(id) === true,
      )?.by;
}

/** Returns the ids of the rules of a ruleset that are skipped one by one, for the verdict on a managed ruleset. */
export function rulesSkippedIn(skips: Skips, reference: string, level: ScopeKind): readonly string[] {
  return skips
    .filter((applied) => applied.level === level)
    .flatMap(({ skip }) => skip.rules.get(reference) ?? []);
}
