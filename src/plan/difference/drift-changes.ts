import { assertNever, jsonEqual } from '../../data/index.ts';
import {
  authorshipOf,
  DIFFERENCES,
  objectDifference,
  isReplaced,
  ofObject,
  ruleNameOf,
  DRIFT_SEVERITIES,
  scopeLabel,
  plannedScopes,
  executedReference,
} from '../../model/index.ts';
import type {
  ChangeAuthors,
  Move,
  RuleChange,
  DriftChange,
  ListStep,
  ListWayBack,
  SettingStep,
  Plan,
  Protection,
  RuleContent,
  Step,
  ScopeRef,
} from '../../model/index.ts';
import { neutralFrom } from '../../expression/index.ts';
import { judgeAdded, judgeChanged, judgeContent, judgeRemoved } from '../impact/judge-content.ts';
import { conditionFrom } from '../impact/conditions.ts';
import type { EffectContext, SecurityImpact } from '../impact/security-effect.ts';
import { judgeSetting } from '../settings/judge-setting.ts';
import { renamedIn } from '../impact/recreated-rules.ts';
import { SAME, protectionOf, stronger, together, unproven, weaker } from '../impact/security-effect.ts';

/**
 * Returns the changes of a plan as drift, each judged in the direction from the files to live: those that do something to every request first,
 * then those that weaken, and of these what is known before what is not proven. `authors` adds who made each. With `now`, in milliseconds since 1970,
 * a rule that one side lacks does nothing once its window has ended, and one that differs is judged by what it does from then on.
 */
export function driftChanges(
  plan: Pick<Plan, 'scopes'>,
  authors: ChangeAuthors = NO_AUTHORS,
  now = 0,
): readonly DriftChange[] {
  const changes = plannedScopes(plan.scopes).flatMap(({ scope, steps, objects = [], bases }) => {
    const rulesets = new Map(
      bases.flatMap(({ target, base }) =>
        base.kind === 'version' && target.level === 'custom' ? [[base.id, target.name] as const] : [],
      ),
    );
    const ofRulesets = steps.flatMap((step) => {
      const names = renamedIn(step);
      return step.changes.map((change) =>
        driftOf(change, step, {
          scope,
          rulesets,
          isRenamed: names.has(change),
          now,
        }),
      );
    });
    return [
      ...objects.flatMap((step) =>
        ofObject(step, {
          list: (list) => driftOfList(list, scope),
          setting: (one) => [driftOfSetting(one, scope)],
        }),
      ),
      ...ofRulesets,
    ];
  });
  return changes
    .map((change) => ({ ...change, ...authorshipOf(change, authors) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

const NO_AUTHORS: ChangeAuthors = new Map();

function rankOf({ severity, proven, everyRequest, unprotected }: DriftChange): number {
  if (everyRequest !== undefined) {
    return -2;
  }
  const rank = DRIFT_SEVERITIES.indexOf(severity);
  return unprotected !== undefined ? -1 : proven === false ? rank + 0.5 : rank;
}

interface RuleInScope {
  readonly scope: ScopeRef;
  /** The names of the scope's custom rulesets, by id. */
  readonly rulesets: ReadonlyMap<string, string>;
  /** Whether the rule is live at its place under another ref, so that it is neither missing nor additional. */
  readonly isRenamed: boolean;
  readonly now: number;
}

function driftOf(
  change: RuleChange,
  { id, base, target }: Step,
  { scope, rulesets, isRenamed, now }: RuleInScope,
): DriftChange {
  const isOver = hasEnded(change, now);
  const protection = protectionOf(
    isRenamed || isOver ? SAME : backwards(change, { scope, phase: target.phase, names: rulesets }, now),
  );
  const [everyRequest, unprotected] = isOver ? [] : [change.ends?.back, change.opens?.back];
  return {
    scope: scopeLabel(scope),
    step: id,
    ...ruleNameOf(change),
    difference: DIFFERENCES[change.kind],
    ...saidOf(protection),
    ...(everyRequest === undefined ? {} : { everyRequest }),
    ...(unprotected === undefined ? {} : { unprotected }),
    version: base.kind === 'version' ? base.version : null,
    lastUpdated: base.kind === 'version' && base.lastUpdated !== '' ? base.lastUpdated : null,
  };
}

/** Whether a rule that live or the files lack does nothing any more. */
function hasEnded(change: RuleChange, now: number): boolean {
  const content =
    change.kind === 'add' ? change.content : change.kind === 'delete' ? change.before : undefined;
  const end = content === undefined ? undefined : neutralFrom(content);
  return end !== undefined && end * 1000 <= now;
}

/** Returns a change of a rule without what its conditions did in the past. */
function fromNowOn(change: RuleChange, now: number): RuleChange {
  if (change.kind !== 'patch') {
    return change;
  }
  const second = BigInt(Math.floor(now / 1000));
  const then = (content: RuleContent): RuleContent => ({
    ...content,
    expression: conditionFrom(second, content.expression),
  });
  return { ...change, before: then(change.before), content: then(change.content) };
}

/** Returns what a live list does by each rule that names it, compared with the files; one neutral change when that is nothing. */
function driftOfList(step: ListStep, scope: ScopeRef): readonly DriftChange[] {
  const { id, base, back = NOTHING_BACK } = step;
  return back.map(({ protection, ...rule }) => ({
    scope: scopeLabel(scope),
    step: id,
    ...rule,
    difference: objectDifference(step),
    ...saidOf(protection),
    version: null,
    lastUpdated: base.kind === 'list' ? base.modifiedOn : null,
  }));
}

/** Returns what a live setting does, compared with the files, by the same judge. */
function driftOfSetting(step: SettingStep, scope: ScopeRef): DriftChange {
  const { id, target, fields } = step;
  const back = fields.map(({ path, before, after }) => ({ path, before: after, after: before }));
  return {
    scope: scopeLabel(scope),
    step: id,
    rule: '',
    difference: objectDifference(step),
    ...saidOf(protectionOf(judgeSetting(target.name, back))),
    version: null,
    lastUpdated: null,
  };
}

const NOTHING_BACK: readonly ListWayBack[] = [{ rule: '', protection: { kind: 'neutral' } }];

function saidOf(protection: Protection): Pick<DriftChange, 'severity' | 'reason' | 'proven'> {
  return {
    severity: protection.kind,
    ...(protection.kind === 'neutral' ? {} : { reason: protection.reason }),
    ...(protection.kind === 'weakening' && protection.proven === false ? { proven: false } : {}),
  };
}

/** Judges what going from the files to live does to protection. */
function backwards(change: RuleChange, context: EffectContext, now: number): SecurityImpact {
  const alone = judgedBack(fromNowOn(change, now), context);
  const verdict =
    change.undoing === undefined ? alone : together([alone, undoingOf(change.undoing, change.undoingProven)]);
  return verdict.kind !== 'weaker' && executesMore(change, context)
    ? unproven('executes rules of which not all protect')
    : verdict;
}

function undoingOf(reason: string, proven: false | undefined): SecurityImpact {
  return proven === false ? unproven(reason) : weaker(reason);
}

/** Whether the plan knows more about a live `execute` than the rule itself tells: that the executed rules let something past, or are unknown. */
function executesMore(change: RuleChange, context: EffectContext): boolean {
  if (
    !isReplaced(change) ||
    executedReference(change.before) === undefined ||
    change.protection.kind !== 'weakening'
  ) {
    return false;
  }
  const { before } = change;
  // When overrides change, the plan's reason is about their effect on managed rules.
  if (
    change.kind === 'patch' &&
    !jsonEqual(before.action_parameters ?? {}, change.content.action_parameters ?? {})
  ) {
    return false;
  }
  const alone = judgeContent(change, context);
  return alone.kind !== 'weaker' || alone.reason !== change.protection.reason;
}

function judgedBack(change: RuleChange, context: EffectContext): SecurityImpact {
  switch (change.kind) {
    case 'add':
      return judgeRemoved(change.content, context);
    case 'delete':
      return judgeAdded(change.before, context);
    case 'patch':
      return together([
        judgeChanged(change.content, change.before, context),
        ...(change.move === undefined ? [] : [movedBack(change.move, change)]),
      ]);
    case 'move':
      return movedBack(change.move, change);
    default:
      return assertNever(change);
  }
}

/** Judges the place of a rule alone. */
function movedBack({ back }: Move, { protection }: RuleChange): SecurityImpact {
  switch (back?.kind) {
    case 'weakening':
      return back.proven === false ? unproven(back.reason) : weaker(back.reason);
    case 'strengthening':
      return stronger(back.reason);
    case 'neutral':
      return SAME;
    case undefined:
      // Plans of older versions lack `back`: without proof for one direction there is none for the other.
      return protection.kind === 'neutral' ? SAME : unproven('is at another place');
    default:
      return assertNever(back);
  }
}
