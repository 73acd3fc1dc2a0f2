import { assertNever } from '../../model/assert-never.ts';
import { isReplaced, ruleOf } from '../../model/change.ts';
import type { Move, RuleChange } from '../../model/change.ts';
import { DRIFT_SEVERITIES } from '../../model/drift.ts';
import type { DriftChange } from '../../model/drift.ts';
import { jsonEqual } from '../../model/json.ts';
import type { Plan, Step } from '../../model/plan.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { plannedScopes } from '../../model/scope-plans.ts';
import { judgeAdded, judgeChanged, judgeContent, judgeRemoved } from '../protect/content.ts';
import type { Stand } from '../protect/stand.ts';
import { renamedIn } from '../protect/recreated.ts';
import type { Verdict } from '../protect/verdict.ts';
import { SAME, protectionOf, stronger, together, weaker } from '../protect/verdict.ts';

const DIFFERENCES: Readonly<Record<RuleChange['kind'], DriftChange['difference']>> = {
  add: 'missing-live',
  patch: 'changed-live',
  move: 'moved-live',
  delete: 'only-live',
};

/** The changes of a plan as drift, each judged from the files to live: those that do something to every request first, then those that weaken. */
export function driftChanges(plan: Pick<Plan, 'scopes'>): readonly DriftChange[] {
  const changes = plannedScopes(plan.scopes).flatMap(({ scope, steps }) =>
    steps.flatMap((step) => {
      const names = renamedIn(step);
      return step.changes.map((change) => driftOf(change, step, { scope, isRenamed: names.has(change) }));
    }),
  );
  return changes.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ severity, everyRequest, unprotected }: DriftChange): number {
  if (everyRequest !== undefined) {
    return -2;
  }
  return unprotected === undefined ? DRIFT_SEVERITIES.indexOf(severity) : -1;
}

interface Known {
  readonly scope: ScopeRef;
  /** Whether the rule is there under another ref, where it was, and so neither missing nor more. */
  readonly isRenamed: boolean;
}

function driftOf(change: RuleChange, { id, base, target }: Step, { scope, isRenamed }: Known): DriftChange {
  const protection = protectionOf(isRenamed ? SAME : backwards(change, { scope, phase: target.phase }));
  const [everyRequest, unprotected] = [change.ends?.back, change.opens?.back];
  return {
    scope: scopeLabel(scope),
    step: id,
    ...ruleOf(change),
    difference: DIFFERENCES[change.kind],
    severity: protection.kind,
    ...(protection.kind === 'neutral' ? {} : { reason: protection.reason }),
    ...(everyRequest === undefined ? {} : { everyRequest }),
    ...(unprotected === undefined ? {} : { unprotected }),
    version: base.kind === 'version' ? base.version : null,
    lastUpdated: base.kind === 'version' && base.lastUpdated !== '' ? base.lastUpdated : null,
  };
}

/** What the way from the files to live does to protection. */
function backwards(change: RuleChange, stand: Stand): Verdict {
  const verdict = judgedBack(change, stand);
  return verdict.kind !== 'weaker' && executesMore(change, stand)
    ? weaker('executes rules of which not all protect')
    : verdict;
}

/**
 * Whether a plan says more of an `execute` than the rule alone tells: it knows the rules that are executed, and that these let something
 * past, or that nobody knows them.
 */
function executesMore(change: RuleChange, stand: Stand): boolean {
  if (!isReplaced(change) || change.before.action !== 'execute' || change.protection.kind !== 'weakening') {
    return false;
  }
  const { before } = change;
  // Of overrides, a plan says what they do to managed rules.
  if (
    change.kind === 'patch' &&
    !jsonEqual(before.action_parameters ?? {}, change.content.action_parameters ?? {})
  ) {
    return false;
  }
  const alone = judgeContent(change, stand);
  return alone.kind !== 'weaker' || alone.reason !== change.protection.reason;
}

function judgedBack(change: RuleChange, stand: Stand): Verdict {
  switch (change.kind) {
    case 'add':
      return judgeRemoved(change.content, stand);
    case 'delete':
      return judgeAdded(change.before, stand);
    case 'patch':
      return together([
        judgeChanged(change.content, change.before, stand),
        ...(change.move === undefined ? [] : [movedBack(change.move, change)]),
      ]);
    case 'move':
      return movedBack(change.move, change);
    default:
      return assertNever(change);
  }
}

/** The place of a rule alone. */
function movedBack({ back }: Move, { protection }: RuleChange): Verdict {
  switch (back?.kind) {
    case 'weakening':
      return weaker(back.reason);
    case 'strengthening':
      return stronger(back.reason);
    case 'neutral':
      return SAME;
    case undefined:
      // Plans of older versions do not say: what is no proof in one direction is none in the other.
      return protection.kind === 'neutral' ? SAME : weaker('is at another place');
    default:
      return assertNever(back);
  }
}
