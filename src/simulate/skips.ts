import type { ScopeKind } from '../model/scope.ts';
import type { PreparedRule, PreparedRuleset, Skip } from './prepared.ts';

/** A skip that took effect, by whom and where. */
interface Applied {
  readonly skip: Skip;
  readonly by: string;
  readonly level: ScopeKind;
  readonly phase: string;
}

/** What is skipped so far. */
export type Skips = readonly Applied[];

/** The skips with one more. */
export function addSkip(
  skips: Skips,
  skip: Skip,
  { rule, ruleset }: { readonly rule: PreparedRule; readonly ruleset: PreparedRuleset },
): Skips {
  return [...skips, { skip, by: rule.name, level: ruleset.scope.kind, phase: ruleset.phase }];
}

/**
 * The rule for which a phase is passed over at a level. A skip of phases in an account counts for its zones too;
 * every other skip counts at its own level only (api.md 5.4).
 */
export function phaseSkippedBy(skips: Skips, phase: string, level: ScopeKind): string | undefined {
  return skips.find(
    (applied) =>
      (applied.level === level && applied.skip.phase && applied.phase === phase) ||
      ((applied.level === level || applied.level === 'account') && applied.skip.phases.includes(phase)),
  )?.by;
}

/** The rule for which a whole ruleset is not executed. */
export function rulesetSkippedBy(skips: Skips, reference: string, level: ScopeKind): string | undefined {
  return skips.find(
    (applied) =>
      applied.level === level &&
      (applied.skip.rulesets.includes(reference) || applied.skip.rules.get(reference)?.length === 0),
  )?.by;
}

/** The rule for which a rule of a custom ruleset is passed over; skips name rules by id. */
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

/** Rules of a ruleset that are passed over one by one, for what is told of a managed ruleset. */
export function rulesSkippedIn(skips: Skips, reference: string, level: ScopeKind): readonly string[] {
  return skips
    .filter((applied) => applied.level === level)
    .flatMap(({ skip }) => skip.rules.get(reference) ?? []);
}
