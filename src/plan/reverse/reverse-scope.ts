import type {
  PlanError,
  PlannedScope,
  PlanNote,
  ScopePlan,
  Step,
  RulesetAddress,
  LiveRuleset,
  RuleContent,
  LiveRule,
  Cause,
  LiveScope,
  LiveSlot,
  RuleChange,
} from '../../model/index.ts';
import {
  addressKey,
  othersOf,
  stayingOf,
  orderAfter,
  orderBefore,
  describedName,
  ruleName,
  isHidden,
  isAtBase,
  changesById,
  formerRef,
} from '../../model/index.ts';
import { addressOf } from '../names/ruleset-names.ts';
import { resolveTargets } from '../names/resolve-targets.ts';
import { hideInVersion } from '../redaction/redact-version.ts';
import { assertNever } from '../../data/index.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { oneLine } from '../../text/index.ts';
import { ruleLosesId, rulesetLosesId, planBack } from './restore-scope.ts';

/** How live relates to a step of a plan that was, or should have been, applied. */
type Aftermath =
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
function aftermathOf(step: Step, slot: LiveSlot, resolve: (content: RuleContent) => RuleContent): Aftermath {
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
function withTodaysSecrets(
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
function secretError(unknown: readonly string[]): PlanError {
  return {
    code: 'sensitive/unknown-value',
    message: unknown.join('\n'),
    hint: 'go back to a version with rulewright rollback, or change these rules in the files and apply them',
  };
}

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

/**
 * Returns a ruleset as it was before a step, given what the step left live; null when there was none. Rules that the step did not touch are
 * taken from live.
 */
function rulesetBefore(step: Step, live: LiveRuleset | null): LiveRuleset | null {
  const { base, target } = step;
  if (base.kind !== 'version') {
    return null;
  }
  const described = step.operation === 'update' ? step.description?.before : step.description;
  return {
    ...base,
    name: target.name,
    description: described ?? live?.description ?? '',
    kind: target.level,
    phase: target.phase,
    rules: rulesBefore(step, live?.rules ?? []),
  };
}

function rulesBefore(step: Step, live: readonly LiveRule[]): readonly LiveRule[] {
  const byId = new Map(live.map((rule) => [rule.id, rule]));
  const changed = changesById(step.changes);
  return orderBefore(step).flatMap((id) => ruleBefore(changed.get(id), byId.get(id)));
}

function ruleBefore(change: RuleChange | undefined, live: LiveRule | undefined): readonly LiveRule[] {
  switch (change?.kind) {
    case 'delete':
      return [{ id: change.id, ref: change.ref, content: change.before }];
    case 'patch':
      return [{ id: change.id, ref: formerRef(change), content: change.before }];
    case 'move':
    case undefined:
      return live === undefined ? [] : [live];
    case 'add':
      return [];
    default:
      return assertNever(change);
  }
}
