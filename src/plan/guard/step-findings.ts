import { descriptionOf } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import type { GuardFinding, Step } from '../../model/plan.ts';
import { ruleCounts } from '../../model/rule-order.ts';
import { isNamed } from '../../model/rule.ts';
import type { Safety } from '../../model/settings.ts';
import { describedName } from '../names/described-name.ts';
import { matchesAny } from '../rules/ownership.ts';
import { actsOnEveryMatch } from '../../model/acts-on-match.ts';
import type { RuleContent } from '../../model/rule.ts';
import { isEveryRequest } from '../protect/conditions.ts';
import { stopsRequests } from '../protect/role.ts';

/**
 * What is found at any size: what cannot be undone, emptying a ruleset, deleting rules that nobody named, touching protected rules,
 * weakening protection, ending every request.
 */
export function checkStep(step: Step, liveRules: number, safety: Safety): readonly GuardFinding[] {
  return [
    ...irreversible(step),
    ...emptied(step, liveRules),
    ...step.changes.flatMap((change) => [
      ...unnamed(step, change),
      ...protectedRule(step, change, safety),
      ...weakened(step, change, safety),
      ...everyRequest(step, change, safety),
    ]),
  ];
}

/** What cannot be undone: a ruleset that is deleted takes its id and all its versions along (api.md 2.1). */
function irreversible(step: Step): readonly GuardFinding[] {
  return step.operation === 'delete'
    ? [
        {
          kind: 'irreversible',
          effect: 'refuse',
          step: step.id,
          message: `${step.id} would be deleted with its id and all its versions, which never come back`,
        },
      ]
    : [];
}

/** Rules that are switched off in the end, as far as the changes tell: a dummy is no protection. */
function switchedOff(step: Step): number {
  return step.changes.filter(
    (change) => (change.kind === 'add' || change.kind === 'patch') && !change.content.enabled,
  ).length;
}

function emptied(step: Step, liveRules: number): readonly GuardFinding[] {
  const left = ruleCounts(step).after - switchedOff(step);
  if (liveRules === 0 || left > 0) {
    return [];
  }
  const what = step.operation === 'delete' ? 'would be deleted with' : 'would lose';
  return [
    {
      kind: 'emptied',
      effect: 'refuse',
      step: step.id,
      message: `${step.id} ${what} ${liveRules === 1 ? 'its only rule' : `all its ${liveRules} rules`}`,
    },
  ];
}

function unnamed(step: Step, change: RuleChange): readonly GuardFinding[] {
  if (change.kind !== 'delete' || isNamed(change)) {
    return [];
  }
  return [
    {
      kind: 'unnamed',
      effect: 'refuse',
      step: step.id,
      rule: change.ref,
      message: `${step.id}: rule ${nameOf(change)} was made outside the files (its ref is its id) and would be deleted. To keep it, write a rule with this ref`,
    },
  ];
}

function protectedRule(step: Step, change: RuleChange, safety: Safety): readonly GuardFinding[] {
  const refs =
    change.kind === 'patch' && change.adopts !== undefined ? [change.ref, change.adopts] : [change.ref];
  if (change.kind === 'add' || !refs.some((ref) => matchesAny(safety.protect, ref))) {
    return [];
  }
  const verb = { patch: 'changed', move: 'moved', delete: 'deleted' }[change.kind];
  return [
    {
      kind: 'protected',
      effect: 'refuse',
      step: step.id,
      rule: change.ref,
      message: `${step.id}: rule ${nameOf(change)} is protected and would be ${verb}`,
    },
  ];
}

function weakened(step: Step, change: RuleChange, safety: Safety): readonly GuardFinding[] {
  if (change.protection.kind !== 'weakening') {
    return [];
  }
  return [
    {
      kind: 'weakened',
      effect: safety.weakened,
      step: step.id,
      rule: change.ref,
      message: `${step.id}: rule ${nameOf(change)} ${change.protection.reason}`,
    },
  ];
}

function everyRequest(step: Step, change: RuleChange, safety: Safety): readonly GuardFinding[] {
  return endsEveryRequest(change)
    ? [
        {
          kind: 'every-request',
          effect: safety.everyRequest,
          step: step.id,
          rule: change.ref,
          message: `${step.id}: rule ${nameOf(change)} now applies ${change.content.action} to every request`,
        },
      ]
    : [];
}

function nameOf(change: RuleChange): string {
  return describedName(change.ref, descriptionOf(change));
}

/**
 * Whether a change makes a rule stop or redirect every request: more protection by the letter, and an outage where nobody
 * meant it. Rules that act on less than they match are left out.
 */
function endsEveryRequest(
  change: RuleChange,
): change is Extract<RuleChange, { readonly kind: 'add' | 'patch' }> {
  return (
    (change.kind === 'add' || (change.kind === 'patch' && !meetsEveryRequest(change.before))) &&
    meetsEveryRequest(change.content)
  );
}

const ALSO_ENDS: ReadonlySet<string> = new Set(['redirect', 'serve_error']);

function meetsEveryRequest(content: RuleContent): boolean {
  const ends = stopsRequests(content.action) || ALSO_ENDS.has(content.action);
  return content.enabled && ends && actsOnEveryMatch(content) && isEveryRequest(content.expression);
}
