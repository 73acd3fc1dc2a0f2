import type { ServiceError } from '../../api/service-error.ts';
import { hasServiceCode } from '../../api/service-error.ts';
import type { JsonObject } from '../../model/json.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { Unchecked } from '../../model/preflight.ts';
import { contentFromWire } from '../../model/rule-fields.ts';
import { rulesetReferences } from '../../model/ruleset-references.ts';
import { splitReference } from '../../plan/names/resolve-targets.ts';
import { unmadeRule } from '../../plan/names/rule-references.ts';
import type { Write, WriteStrategy } from '../../plan/requests/writes.ts';
import { writesOf } from '../../plan/requests/writes.ts';

/** What a dry run can check of a step before anything of the plan is done, and what it cannot. */
export interface PreflightCheck {
  /** The write to check: the only one of the step, or else one PUT of its final list; null when nothing can be checked. */
  readonly write: Write | null;
  readonly unchecked: readonly Unchecked[];
}

/** Returns how to check a step, without the parts that depend on something that this plan has yet to create or delete. */
export function checkOf(step: Step, strategy: WriteStrategy): PreflightCheck {
  if (step.operation === 'delete' && step.after.length > 0) {
    return { write: null, unchecked: [{ reason: 'rules that name this ruleset go first' }] };
  }
  const single = writesOf(step, strategy);
  const [write] = single.length === 1 ? single : writesOf(step, 'ruleset');
  return write === undefined ? { write: null, unchecked: [] } : withoutUnmade(write, executing(step));
}

/** Returns the ids of changed live rules that execute a ruleset: unchanged, they would clash with another rule that takes over that ruleset. */
function executing({ changes }: Step): ReadonlySet<string> {
  return new Set(
    changes.flatMap((change) =>
      change.kind === 'patch' && change.before.action === 'execute' ? [change.id] : [],
    ),
  );
}

function withoutUnmade(write: Write, outdated: ReadonlySet<string>): PreflightCheck {
  switch (write.kind) {
    case 'create-ruleset': {
      const { rules, unchecked } = keepMade(write.rules, outdated);
      return { write: { ...write, rules }, unchecked };
    }
    case 'put-ruleset': {
      const { rules, unchecked } = keepMade(write.rules ?? [], outdated);
      return { write: write.rules === null ? write : { ...write, rules }, unchecked };
    }
    case 'add-rule':
    case 'patch-rule': {
      const needs = write.rule === null ? undefined : unmade(write.rule);
      return needs === undefined || write.rule === null
        ? { write, unchecked: [] }
        : { write: null, unchecked: [notMade(write.rule, needs)] };
    }
    default:
      return { write, unchecked: [] };
  }
}

/**
 * Replaces the rules that cannot be checked yet: a new rule is left out, a live rule is left as it is, or left out if its present content would stand
 * in the way of other rules (`outdated`).
 */
function keepMade(
  rules: readonly JsonObject[],
  outdated: ReadonlySet<string>,
): {
  readonly rules: readonly JsonObject[];
  readonly unchecked: readonly Unchecked[];
} {
  const unchecked: Unchecked[] = [];
  const kept = rules.flatMap((rule): readonly JsonObject[] => {
    const needs = unmade(rule);
    if (needs === undefined) {
      return [rule];
    }
    unchecked.push(notMade(rule, needs));
    const { id } = rule;
    return typeof id !== 'string' || outdated.has(id) ? [] : [{ id }];
  });
  return { rules: kept, unchecked };
}

/** Returns a rule's reference to a custom ruleset or a rule that has no id yet; undefined when there is none. */
function unmade(rule: JsonObject): string | undefined {
  return (
    rulesetReferences(contentFromWire(rule)).find((reference) => splitReference(reference)[0] === 'custom') ??
    unmadeRule(rule)
  );
}

function notMade({ ref }: JsonObject, needs: string): Unchecked {
  return {
    ...(typeof ref === 'string' ? { rule: ref } : {}),
    reason: `it names ${needs}, which this plan makes first`,
  };
}

/** Service error codes for too many rules in a phase, and for too many rulesets (api.md 1.6). */
const [TOO_MANY_RULES, TOO_MANY_RULESETS] = [50001, 20217];

/**
 * Returns the ids of earlier steps that free room in the quota for which a step was refused: they delete rules of the same phase, which count
 * together (api.md 8.1), or a custom ruleset. Until they are done, such a refusal is meaningless. Empty for other refusals.
 */
export function roomMakers(step: Step, plan: PlannedScope, refusal: ServiceError): readonly string[] {
  const { phase, level } = step.target;
  const makesRoom = (other: Step): boolean =>
    hasServiceCode(refusal, TOO_MANY_RULES)
      ? other.target.phase === phase && other.changes.some((change) => change.kind === 'delete')
      : hasServiceCode(refusal, TOO_MANY_RULESETS) &&
        level === 'custom' &&
        other.target.level === 'custom' &&
        other.operation === 'delete';
  const place = plan.steps.findIndex((other) => other.id === step.id);
  return plan.steps
    .slice(0, place)
    .filter(makesRoom)
    .map((other) => other.id);
}
