import { assertNever } from '../../model/assert-never.ts';
import type { RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import { isAtBase } from '../../model/base.ts';
import { orderAfter, orderBefore } from '../../model/rule-order.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { LiveSlot } from '../../model/state.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { rulesetBefore } from './ruleset-before.ts';
import { oneLine } from '../../model/one-line.ts';

/** How live relates to a step of a plan that was, or should have been, applied. */
export type Aftermath =
  /** Live is as the step leaves it. */
  | { readonly kind: 'as-left' }
  /** Live is as it was before: the step was not applied, or was taken back already. */
  | { readonly kind: 'as-before' }
  /** Somebody has changed the ruleset since; `what` says where. */
  | { readonly kind: 'moved'; readonly what: string };

/**
 * Tells whether live still is what a step leaves behind. Rules that the step did not touch are checked by id and place only: their contents
 * were never in the plan, and the reversal does not touch them either. `resolve` replaces the names of rulesets that the plan created by ids.
 */
export function aftermathOf(
  step: Step,
  slot: LiveSlot,
  resolve: (content: RuleContent) => RuleContent,
): Aftermath {
  const live = slot.kind === 'present' ? slot.ruleset : null;
  switch (step.operation) {
    case 'create':
      return live === null ? AS_BEFORE : verdict(differences(step, live, resolve));
    case 'delete':
      return live === null ? AS_LEFT : isAtBase(live, step.base) ? AS_BEFORE : moved('it exists');
    case 'update':
      return live === null
        ? moved('it is gone')
        : isAtBase(live, step.base) || isTakenBack(step, live)
          ? AS_BEFORE
          : verdict(differences(step, live, resolve));
    default:
      return assertNever(step);
  }
}

/** Whether live says again what it said before the step: a rule that came back has its old `ref` under a new id. */
function isTakenBack(step: Step, live: LiveRuleset): boolean {
  const before = rulesetBefore(step, live);
  return (
    before?.id === live.id &&
    before.description === live.description &&
    orderBefore(step).length === live.rules.length &&
    before.rules.every(({ ref, content }, index) => {
      const now = live.rules[index];
      return ref === now?.ref && compareContent(now.content, content).kind !== 'different';
    })
  );
}

const AS_BEFORE: Aftermath = { kind: 'as-before' };
const AS_LEFT: Aftermath = { kind: 'as-left' };

function moved(what: string): Aftermath {
  return { kind: 'moved', what };
}

function verdict(differing: readonly string[]): Aftermath {
  return differing.length === 0 ? AS_LEFT : moved(differing.join(', '));
}

function differences(
  step: Exclude<Step, { operation: 'delete' }>,
  live: LiveRuleset,
  resolve: (content: RuleContent) => RuleContent,
): readonly string[] {
  if (step.base.kind === 'version' && step.base.id !== live.id) {
    return ['it is another ruleset'];
  }
  const described =
    typeof step.description === 'string' ? step.description : (step.description?.after ?? live.description);
  const order = orderAfter(step);
  const inOrder =
    order.length === live.rules.length &&
    order.every((entry, index) => {
      const rule = live.rules[index];
      return entry.kind === 'live' ? entry.id === rule?.id : entry.ref === rule?.ref;
    });
  return [
    ...(described === live.description ? [] : ['its description']),
    ...(inOrder ? [] : ['which rules it has, or their order']),
    ...step.changes.flatMap((change) =>
      isAsLeft(change, live.rules, resolve) ? [] : [`rule ${oneLine(change.ref)}`],
    ),
  ];
}

function isAsLeft(
  change: RuleChange,
  live: readonly LiveRule[],
  resolve: (content: RuleContent) => RuleContent,
): boolean {
  if (change.kind === 'move') {
    return true;
  }
  if (change.kind === 'delete') {
    return live.every((rule) => rule.id !== change.id);
  }
  const rule = live.find((one) => (change.kind === 'add' ? one.ref === change.ref : one.id === change.id));
  const content = resolve(change.content);
  return (
    rule !== undefined &&
    rule.ref === change.ref &&
    // A rule that the service merely respelled is as the step left it.
    compareContent(rule.content, carryOver(content, rule.content).content).kind !== 'different'
  );
}
