import { describedName, ruleName } from '../../model/described-name.ts';
import type { PlanError, PlanNote, Step } from '../../model/plan.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { isHidden } from '../../model/sensitive.ts';
import { hideInVersion } from '../hide/hide-text.ts';

/** A former ruleset with today's values where the plan to reverse does not contain the sensitive ones. */
interface Restorable {
  readonly before: LiveRuleset | null;
  readonly notes: readonly PlanNote[];
  /** Former rules whose hidden texts live does not supply. */
  readonly unknown: readonly string[];
}

/**
 * Puts today's value into a former ruleset wherever a sensitive value was replaced: the plan hides the replaced value, and whoever reverses the
 * plan has no use for it. What remains hidden cannot be written.
 */
export function withTodaysSecrets(
  { id }: Step,
  { before, now }: { readonly before: LiveRuleset | null; readonly now: LiveRuleset | null },
): Restorable {
  if (before === null || !hides(before)) {
    return { before, notes: [], unknown: [] };
  }
  const restored = renewed(before, now);
  const rules = before.rules.filter(hides).map(({ ref, content }) => ruleName(ref, content.description));
  const described = hides(before.description) ? [{ rule: '' }] : [];
  const lost = restored.rules
    .filter(hides)
    .map(({ ref, content }) => describedName(ref, content.description));
  return {
    before: restored,
    notes: [...described, ...rules].map((about) => ({ kind: 'reversed', step: id, ...about, message: KEPT })),
    unknown: lost.map(
      (rule) =>
        `${id}: rule ${rule} held a value that is sensitive, or looks like a secret, and is not known any more`,
    ),
  };
}

/** Renews the description too: unlike that of a version, the description in a plan can be hidden. */
function renewed(before: LiveRuleset, now: LiveRuleset | null): LiveRuleset {
  const version = hideInVersion(before, { rules: now?.rules ?? [], descriptions: [] }, 'restore');
  return hides(before.description) && now !== null ? { ...version, description: now.description } : version;
}

const KEPT = "keeps today's sensitive value, and the text beside it: no plan holds the value of before";

function hides(value: unknown): boolean {
  return isHidden(JSON.stringify(value));
}

/** The error of a scope that cannot be reversed. */
export function secretError(unknown: readonly string[]): PlanError {
  return {
    code: 'sensitive/unknown-value',
    message: unknown.join('\n'),
    hint: 'go back to a version with rulewright rollback, or change these rules in the files and apply them',
  };
}
