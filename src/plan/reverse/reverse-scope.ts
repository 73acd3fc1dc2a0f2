import type { PlanError, PlannedScope, PlanNote, ScopePlan, Step } from '../../model/plan.ts';
import type { RulesetAddress } from '../../model/ruleset.ts';
import { addressKey } from '../../model/ruleset.ts';
import { othersOf, stayingOf } from '../../model/rule-order.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Cause } from '../../model/source.ts';
import type { LiveScope } from '../../model/state.ts';
import { addressOf } from '../names/address.ts';
import { resolveTargets } from '../names/resolve-targets.ts';
import { aftermathOf } from './left-behind.ts';
import { ruleLosesId, rulesetLosesId } from './repoint.ts';
import { planBack } from './restore-scope.ts';
import { rulesetBefore } from './ruleset-before.ts';
import { secretError, withTodaysSecrets } from './todays-secrets.ts';

/** A scope plan that was applied, at least in part, and the live state now. */
export interface ReverseInput {
  readonly plan: PlannedScope;
  /** One entry for each of `reverseAddresses(plan)`. */
  readonly live: LiveScope;
  /** The plan's file, as the source of the changes. */
  readonly cause: Cause;
}

/** Returns the rulesets that have to be read to reverse a scope plan: those that it was planned from. */
export function reverseAddresses(plan: PlannedScope): readonly RulesetAddress[] {
  return plan.bases.map(({ target }) => addressOf(target));
}

/**
 * Plans to reverse another plan, bound to the versions that are live now. Succeeds only while live is exactly what each step left; otherwise
 * the scope fails and nothing is reversed. Steps that were never applied are left alone. A deleted rule or ruleset comes back under a new id,
 * and rules that name it by its old id are updated.
 */
export function reverseScope({ plan, live, cause }: ReverseInput): ScopePlan {
  const slots = new Map(live.entries.map((entry) => [addressKey(entry.address), entry.slot]));
  const stepOf = new Map(plan.steps.map((step) => [addressKey(addressOf(step.target)), step]));
  const problems: string[] = [];
  const undo: Step[] = [];
  for (const step of plan.steps) {
    const slot = slots.get(addressKey(addressOf(step.target)));
    const names = { catalogue: live.catalogue, created: [] };
    const resolve = (content: RuleContent): RuleContent =>
      resolveTargets(content, step.target.phase, names).content;
    const aftermath = slot === undefined ? MISSING : aftermathOf(step, slot, resolve);
    if (aftermath.kind === 'moved') {
      problems.push(`${step.id}: ${aftermath.what}`);
    } else if (aftermath.kind === 'as-left') {
      undo.push(step);
    }
  }
  if (problems.length > 0) {
    return failed(plan, movedError(problems));
  }
  const kept: PlanNote[] = [];
  const rulesets = live.entries.map(({ address, slot }) => {
    const step = stepOf.get(addressKey(address));
    const now = slot.kind === 'present' ? slot.ruleset : null;
    if (step === undefined || !undo.includes(step)) {
      return { address, before: now, live: now, cause };
    }
    const { before, notes, unknown } = withTodaysSecrets(step, { before: rulesetBefore(step, now), now });
    kept.push(...notes);
    problems.push(...unknown);
    return { address, before, live: now, cause };
  });
  if (problems.length > 0) {
    return failed(plan, secretError(problems));
  }
  const { plan: reversed } = planBack({ ...live, scope: plan.scope, rulesets, cause });
  if (reversed.kind === 'failed') {
    return reversed;
  }
  const untouched = plan.steps.filter((step) => !undo.includes(step));
  return {
    ...reversed,
    steps: reversed.steps.map((step) => withOthers(step, stepOf.get(addressKey(addressOf(step.target))))),
    tokenEnv: plan.tokenEnv,
    notes: [
      ...reversed.notes,
      ...untouched.map(notCarriedOut),
      ...kept,
      ...reversed.steps.flatMap((step) => reverseNotes(step, stepOf.get(addressKey(addressOf(step.target))))),
    ],
  };
}

/** Marks rules of others in a reversing step. It is planned without the files, so these are known only from the step that it reverses. */
function withOthers(step: Step, former: Step | undefined): Step {
  const theirs = new Set(former === undefined ? [] : othersOf(former));
  const others = stayingOf(step).filter((id) => theirs.has(id));
  return step.operation === 'update' && others.length > 0 ? { ...step, others } : step;
}

const MISSING = { kind: 'moved', what: 'it was not read' } as const;

function notCarriedOut(step: Step): PlanNote {
  const message = 'live is as it was before the plan: there is nothing to take back';
  return { kind: 'reversed', step: step.id, rule: '', message };
}

/** Notes what reversing a step cannot restore, and what it insists on. */
function reverseNotes(step: Step, former: Step | undefined): readonly PlanNote[] {
  if (step.operation === 'delete') {
    const message =
      'was created by the plan, and is deleted only while its content is still what the plan left';
    return [{ kind: 'reversed', step: step.id, rule: '', message }];
  }
  const oldIds = new Map(
    (former?.changes ?? []).flatMap((change) =>
      change.kind === 'delete' ? [[change.ref, change.id] as const] : [],
    ),
  );
  const created: readonly PlanNote[] =
    step.operation === 'create' && former?.base.kind === 'version'
      ? [rulesetLosesId(step.id, former.base.id)]
      : [];
  return [
    ...created,
    ...step.changes.flatMap((change): readonly PlanNote[] => {
      const old = change.kind === 'add' ? oldIds.get(change.ref) : undefined;
      if (old === undefined) {
        return [];
      }
      const note = ruleLosesId(step.id, change, old);
      return [{ ...note, message: `${note.message}. Rules of this scope that name it are re-pointed` }];
    }),
  ];
}

function failed({ scope: { kind, name } }: PlannedScope, error: PlanError): ScopePlan {
  return { kind: 'failed', scope: { kind, name }, error };
}

function movedError(problems: readonly string[]): PlanError {
  return {
    code: 'plan/moved-since',
    message: problems.map((problem) => `${problem} is not what the plan left`).join('\n'),
    hint: 'somebody has written since; rulewright versions shows what there was, and rulewright rollback goes back to one',
  };
}
