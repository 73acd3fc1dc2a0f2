import { isVersion } from '../../model/source.ts';
import { describedNameOf, isWritten, ruleNameOf } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import { othersOf, ourRuleCounts } from '../../model/rule-order.ts';
import { isNamed } from '../../model/rule.ts';
import type { Safety } from '../../model/settings.ts';
import { isNameless } from '../rules/name-rules.ts';
import { matchesAny } from '../rules/ownership.ts';
import { oneLine } from '../../model/one-line.ts';

/**
 * Finds what is dangerous at any size: what cannot be undone, emptying a ruleset, deleting rules that nobody named, touching protected rules,
 * weakening protection, ending every request, letting every request past protection, taking rules of others along.
 */
export function checkStep(step: Step, liveRules: number, safety: Safety): readonly GuardFinding[] {
  return [
    ...irreversible(step),
    ...emptied(step, liveRules),
    ...takenAlong(step),
    ...step.changes.flatMap((change) => changeFindings(change, step, safety)),
  ];
}

/** Finds what cannot be undone: a deleted ruleset loses its id and all its versions (api.md 2.1). */
function irreversible({ id, operation }: Step): readonly GuardFinding[] {
  const message = `${id} would be deleted with its id and all its versions, which never come back`;
  return operation === 'delete' ? [{ kind: 'irreversible', effect: 'refuse', step: id, message }] : [];
}

/** Counts the rules that are disabled afterwards, as far as the changes tell: a disabled rule protects nothing. */
function switchedOff(step: Step): number {
  return step.changes.filter((change) => isWritten(change) && !change.content.enabled).length;
}

function emptied(step: Step, liveRules: number): readonly GuardFinding[] {
  const left = ourRuleCounts(step).after - switchedOff(step);
  if (liveRules === 0 || left > 0) {
    return [];
  }
  const what = step.operation === 'delete' ? 'would be deleted with' : 'would lose';
  const whose = step.operation === 'delete' && othersOf(step).length === 0 ? 'its' : 'our';
  const message = `${step.id} ${what} ${liveRules === 1 ? `${whose} only rule` : `all ${whose} ${liveRules} rules`}`;
  return [{ kind: 'emptied', effect: 'refuse', step: step.id, message }];
}

/** Finds rules of others that would go with their ruleset. */
function takenAlong(step: Step): readonly GuardFinding[] {
  const others = new Set(step.operation === 'delete' ? othersOf(step) : []);
  return step.changes.flatMap((change) =>
    change.kind === 'delete' && others.has(change.id)
      ? [telling(step, change)('foreign', 'refuse', 'is not ours and would be deleted with its ruleset')]
      : [],
  );
}

/** Makes a finding about a change's rule; `reason` continues the sentence after the rule's name. */
type Tell = (kind: GuardFinding['kind'], effect: GuardFinding['effect'], reason: string) => GuardFinding;

function telling(step: Step, change: RuleChange): Tell {
  return (kind, effect, reason) => ({
    kind,
    effect,
    step: step.id,
    ...ruleNameOf(change),
    reason,
    message: `${step.id}: rule ${describedNameOf(change)} ${reason}`,
  });
}

function changeFindings(change: RuleChange, step: Step, safety: Safety): readonly GuardFinding[] {
  const tell = telling(step, change);
  const [ends, opens] = [change.ends?.forth, change.opens?.forth];
  const name = protectedName(change, safety);
  return [
    ...(change.kind !== 'delete' || isNamed(change) ? [] : [tell('unnamed', 'refuse', unnamed(step))]),
    ...(change.kind === 'add' || name === null
      ? []
      : [
          tell(
            'protected',
            'refuse',
            `is protected${name === change.ref ? '' : ` as ${oneLine(name)}`} and would be ${VERBS[change.kind]}`,
          ),
        ]),
    ...weakened(change, tell, safety),
    ...(ends === undefined ? [] : [tell('every-request', safety.everyRequest, `now ${ends}`)]),
    ...(opens === undefined ? [] : [tell('unprotected', safety.unprotected, `now ${opens}`)]),
  ];
}

function weakened({ protection }: RuleChange, tell: Tell, safety: Safety): readonly GuardFinding[] {
  if (protection.kind !== 'weakening') {
    return [];
  }
  const finding = tell('weakened', safety.weakened, protection.reason);
  return [protection.proven === false ? { ...finding, proven: false } : finding];
}

/** The reason for deleting a nameless rule. When going back to a version, the hint is left out, since no file can keep the rule. */
function unnamed({ cause }: Step): string {
  return cause !== undefined && isVersion(cause)
    ? 'is newer than that version and has no ref of its own (its ref is an id), and would be deleted'
    : 'has no ref of its own (its ref is an id), like rules made outside the files, and would be deleted. ' +
        'To keep it, write a rule with this ref into the files, or with its `id` and a ref of your choice';
}

const VERBS = { patch: 'changed', move: 'moved', delete: 'deleted' } as const;

/** Returns the name by which a rule is protected, its current or its former one; null when it is not protected. */
function protectedName(change: RuleChange, { protect }: Safety): string | null {
  return namesOf(change).find((name) => matchesAny(protect, name)) ?? null;
}

/** The names by which a rule may be protected. The new name of a rule that had none does not count, since nobody could have protected it. */
function namesOf(change: RuleChange): readonly string[] {
  if (change.kind !== 'patch' || change.adopts === undefined) {
    return [change.ref];
  }
  const { id, ref, adopts } = change;
  return isNameless({ id, ref: adopts }) ? [adopts] : [ref, adopts];
}
