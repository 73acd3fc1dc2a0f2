import { formatPlace, isWritten, readOverrides, rulesetReferences, skippedRules } from '../../model/index.ts';
import type {
  AddRule,
  PatchRule,
  PlanError,
  PlannedScope,
  RuleContent,
  LiveRulesetHead,
} from '../../model/index.ts';
import type { OverrideChange } from './explain-overrides.ts';
import { noSuchRule, noSuchTag, unknownEntries } from './no-such-id.ts';
import type { ManagedLookUps } from './no-such-id.ts';

/** What is known of the rulesets that a plan names: those that its scope sees, and the managed ones that were looked up. */
export interface KnownRulesets {
  readonly catalogue: readonly LiveRulesetHead[];
  readonly lookUps: ManagedLookUps;
}

/**
 * Returns the error for changed rules that newly name what does not exist: rulesets that the scope does not see, and rules and categories that a managed
 * ruleset does not have, in exceptions and overrides. The service refuses such rules (api.md 5.3, 5.4; assumed for categories). Null if there are
 * none; a managed ruleset that could not be read is not judged.
 */
export function unknownIds(
  plan: PlannedScope,
  overrides: readonly OverrideChange[],
  known: KnownRulesets,
): PlanError | null {
  const changes = plan.steps.flatMap((step) => step.changes.filter(isWritten));
  const lines = [
    ...changes.flatMap((change) => {
      const before = change.kind === 'patch' ? change.before : undefined;
      return [
        ...unknownRulesets(before, change.content, known).map(
          (id) => `the ${plan.scope.kind} does not see a ruleset ${id}`,
        ),
        ...unknownSkips(before, change.content, known.lookUps),
      ].map((what) => `${placeOf(change)}: ${what}`);
    }),
    ...overrides.flatMap((one) =>
      unknownInOverrides(one, known.lookUps).map((what) => `${placeOf(one.change)}: ${what}`),
    ),
  ];
  return lines.length === 0
    ? null
    : {
        code: 'plan/unknown-id',
        message: lines.join('\n'),
        hint: 'correct or remove these entries: the service would refuse the rule',
      };
}

function placeOf({ cause, ref }: AddRule | PatchRule): string {
  return cause === undefined ? ref : formatPlace(cause);
}

function unknownInOverrides(
  { rulesetId, before, after }: OverrideChange,
  lookUps: ManagedLookUps,
): readonly string[] {
  const found = lookUps.get(rulesetId);
  if (found?.kind !== 'found') {
    return [];
  }
  const { ruleset } = found;
  const old = readOverrides(before);
  const unknown = unknownEntries(ruleset, readOverrides(after));
  return [
    ...unknown.rules.filter((id) => !old.rules.has(id)).map((id) => noSuchRule(id, ruleset, lookUps)),
    ...unknown.categories.filter((tag) => !old.categories.has(tag)).map((tag) => noSuchTag(tag, ruleset)),
  ];
}

/** Returns the ids of rulesets that a rule names, and did not before, though its scope does not see them. */
function unknownRulesets(
  before: RuleContent | undefined,
  after: RuleContent,
  { catalogue }: KnownRulesets,
): readonly string[] {
  const seen = new Set([
    ...catalogue.map(({ id }) => id),
    ...(before === undefined ? [] : rulesetReferences(before)),
  ]);
  return [...new Set(rulesetReferences(after))].filter((id) => /^[0-9a-f]{32}$/u.test(id) && !seen.has(id));
}

function unknownSkips(
  before: RuleContent | undefined,
  after: RuleContent,
  lookUps: ManagedLookUps,
): readonly string[] {
  const old = before === undefined ? undefined : skippedRules(before);
  return [...skippedRules(after)].flatMap(([ruleset, ids]) => {
    const found = lookUps.get(ruleset);
    if (found?.kind !== 'found') {
      return [];
    }
    const known = new Set([...found.ruleset.rules.map(({ id }) => id), ...(old?.get(ruleset) ?? [])]);
    return ids.filter((id) => !known.has(id)).map((id) => noSuchRule(id, found.ruleset, lookUps));
  });
}
