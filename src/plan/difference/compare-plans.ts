import { counted, someNames } from '../../text/index.ts';
import type {
  RuleChange,
  ListItemChanges,
  ByObject,
  ListStep,
  ObjectStep,
  PatchRule,
  FieldChange,
  PlanDifference,
  Plan,
  ScopePlan,
  Step,
  RuleContent,
  LiveRuleset,
} from '../../model/index.ts';
import {
  describedNameOf,
  isReplaced,
  isWritten,
  ruleNameOf,
  canonicalContent,
  changesScope,
  isListStep,
  isSettingStep,
  ofObject,
  orderTexts,
  othersOf,
  scopeLabel,
} from '../../model/index.ts';
import { assertNever, canonicalJson, jsonEqual, plainJson } from '../../data/index.ts';
import { fieldChanges } from '../compare/compare-rules.ts';
import {
  changeEffect,
  effectDigest,
  objectEffect,
  protectionEffect,
  stepEffect,
} from '../document/make-plan.ts';
import type { Expectation } from '../requests/expect-after.ts';
import { deviations, expectAfter } from '../requests/expect-after.ts';
import { writesOf } from '../requests/writes.ts';
import { settingChangeText } from '../settings/judge-setting.ts';
import { isSettingPartOf } from '../settings/reverse-setting.ts';

type PlannedEffect = Pick<Plan, 'scopes'>;

/**
 * Lists how a fresh plan differs in its effect from a reviewed one. Empty exactly when the effect digests are equal, ignoring scopes in which
 * nothing changes, since one run may have looked at more of those than the other. Ordered as in the reviewed plan, then what only the fresh one
 * has.
 */
export function comparePlans(reviewed: PlannedEffect, fresh: PlannedEffect): readonly PlanDifference[] {
  const [before, now] = [reviewed.scopes.filter(hasEffect), fresh.scopes.filter(hasEffect)];
  if (effectDigest(before) === effectDigest(now)) {
    return [];
  }
  const found = inBoth({
    reviewed: before,
    fresh: now,
    key: keyOfScope,
    only: onlyScope,
    compare: compareScopes,
  });
  return found.length > 0
    ? found
    : [{ kind: 'different', place: 'the plan', message: 'the same steps are in another order' }];
}

/** Whether a scope has an effect; one that could not be planned may have one. */
function hasEffect(scope: ScopePlan): boolean {
  return scope.kind === 'failed' || changesScope(scope);
}

interface ItemComparison<Item> {
  readonly reviewed: readonly Item[];
  readonly fresh: readonly Item[];
  readonly key: (item: Item) => string;
  readonly only: (kind: 'only-reviewed' | 'only-fresh', item: Item) => readonly PlanDifference[];
  readonly compare: (reviewed: Item, fresh: Item) => readonly PlanDifference[];
}

function inBoth<Item>({
  reviewed,
  fresh,
  key,
  only,
  compare,
}: ItemComparison<Item>): readonly PlanDifference[] {
  const others = new Map(fresh.map((item) => [key(item), item]));
  const known = new Set(reviewed.map(key));
  return [
    ...reviewed.flatMap((item) => {
      const other = others.get(key(item));
      return other === undefined ? only('only-reviewed', item) : compare(item, other);
    }),
    ...fresh.filter((item) => !known.has(key(item))).flatMap((item) => only('only-fresh', item)),
  ];
}

function keyOfScope(scope: ScopePlan): string {
  return scope.kind === 'failed'
    ? `failed ${scopeLabel(scope.scope)}`
    : `planned ${scope.scope.kind}:${scope.scope.id}`;
}

function onlyScope(kind: 'only-reviewed' | 'only-fresh', scope: ScopePlan): readonly PlanDifference[] {
  return scope.kind === 'failed'
    ? [{ kind, place: scopeLabel(scope.scope), message: 'the scope could not be planned' }]
    : [
        ...(scope.objects ?? []).map((step) => onlyObject(kind, step)),
        ...scope.steps.flatMap((step) => onlyStep(kind, step)),
      ];
}

function compareScopes(reviewed: ScopePlan, fresh: ScopePlan): readonly PlanDifference[] {
  if (reviewed.kind === 'failed' || fresh.kind === 'failed') {
    return [];
  }
  return [
    ...inBoth({
      reviewed: reviewed.objects ?? [],
      fresh: fresh.objects ?? [],
      key: (step) => step.id,
      only: (kind, step) => [onlyObject(kind, step)],
      compare: compareObjects,
    }),
    ...inBoth({
      reviewed: reviewed.steps,
      fresh: fresh.steps,
      key: (step) => step.id,
      only: onlyStep,
      compare: compareSteps,
    }),
  ];
}

function onlyObject(kind: 'only-reviewed' | 'only-fresh', step: ObjectStep): PlanDifference {
  return { kind, place: step.id, message: ofObject(step, OBJECT_TEXTS) };
}

/** What a step on an object does, in words. */
const OBJECT_TEXTS: ByObject<string> = {
  list: ({ operation, items }) => `the list is ${PAST_TENSE[operation]}${itemCounts(items)}`,
  setting: ({ target, fields }) =>
    `the setting is changed: ${fields.map((change) => settingChangeText(target.name, change)).join(', ')}`,
};

function itemCounts({ add, change, remove }: ListItemChanges): string {
  return [
    [add.length, 'added'] as const,
    [change.length, 'changed'] as const,
    [remove.length, 'removed'] as const,
  ]
    .flatMap(([count, what]) => (count === 0 ? [] : [`, ${counted(count, 'item')} ${what}`]))
    .join('');
}

function compareObjects(reviewed: ObjectStep, fresh: ObjectStep): readonly PlanDifference[] {
  if (canonicalJson(objectEffect(reviewed)) === canonicalJson(objectEffect(fresh))) {
    return [];
  }
  const [was, is] = [reviewed, fresh].map((step) => ofObject(step, OBJECT_TEXTS));
  const message =
    was === is
      ? ofObject(fresh, {
          list: () => 'other items change than in the reviewed plan, or what that does to protection differs',
          setting: () => 'what that does to protection differs',
        })
      : `in the reviewed plan, ${was}; now, ${is}`;
  return [{ kind: 'different', place: fresh.id, message }];
}

/** Whether a step does less to an object than a reviewed one, and nothing else. */
export function isObjectPartOf(step: ObjectStep, reviewed: ObjectStep): boolean {
  return ofObject(step, {
    list: (list) => isListStep(reviewed) && isListPartOf(list, reviewed),
    setting: (setting) => isSettingStep(reviewed) && isSettingPartOf(setting, reviewed),
  });
}

function isListPartOf({ items, description }: ListStep, reviewed: ListStep): boolean {
  const seen = new Set(itemEffects(reviewed));
  const now = itemEffects({ items });
  const isDescribed =
    description === undefined || jsonEqual(plainJson(description), plainJson(reviewed.description ?? null));
  return isDescribed && now.every((effect) => seen.has(effect)) && now.length < seen.size;
}

function itemEffects({ items: { add, change, remove } }: Pick<ListStep, 'items'>): readonly string[] {
  return [
    ...add.map((item) => canonicalJson(['add', item])),
    ...change.map((item) => canonicalJson(['change', item])),
    ...remove.map(({ item }) => canonicalJson(['remove', item])),
  ];
}

function onlyStep(kind: 'only-reviewed' | 'only-fresh', step: Step): readonly PlanDifference[] {
  const told = KINDS.flatMap((change) => {
    const rules = step.changes.filter((one) => one.kind === change).map(describedNameOf);
    return rules.length === 0
      ? []
      : [`${counted(rules.length, 'rule')} ${RULE[change]} (${someNames(rules, NAMED)})`];
  });
  const message = [`the ruleset is ${PAST_TENSE[step.operation]}`, ...told].join(', ');
  return [{ kind, place: step.id, message }];
}

/** Maximum number of rules that a message names, for each kind of change. */
const NAMED = 5;

const PAST_TENSE: Readonly<Record<Step['operation'], string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
};

function compareSteps(reviewed: Step, fresh: Step): readonly PlanDifference[] {
  const [before, after] = [stepEffect(reviewed), stepEffect(fresh)];
  if (canonicalJson(before) === canonicalJson(after)) {
    return [];
  }
  const place = fresh.id;
  const different = (message: string): PlanDifference => ({ kind: 'different', place, message });
  if (reviewed.operation !== fresh.operation) {
    return [
      different(
        `the ruleset was to be ${PAST_TENSE[reviewed.operation]}, and is ${PAST_TENSE[fresh.operation]} now`,
      ),
    ];
  }
  const changes = inBoth({
    reviewed: reviewed.changes,
    fresh: fresh.changes,
    key: (change) => (change.kind === 'add' ? `add ${change.ref}` : `live ${change.id}`),
    only: (kind, change) => [onlyChange(kind, place, change)],
    compare: (old, now) => compareChanges(place, old, now),
  });
  const rest = Object.keys(before)
    .filter(
      (key) =>
        !OF_CHANGES.has(key) &&
        canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null) &&
        !(key === 'order' && changes.length > 0 && jsonEqual(refOrder(reviewed), refOrder(fresh))),
    )
    .concat(Object.keys(after).filter((key) => !Object.hasOwn(before, key)));
  const told = [...changes, ...rest.map((key) => different(WHOLE[key] ?? `${key} differs`))];
  return told.length > 0 ? told : [different('the same changes are in another order')];
}

/** Our order after a step by refs, so that a rule has one name before and after somebody deletes it and the plan adds it anew. */
function refOrder(step: Step): readonly string[] {
  const refs = new Map(
    step.changes.flatMap((change) => (change.kind === 'add' ? [] : [[change.id, `+${change.ref}`] as const])),
  );
  const others = new Set(othersOf(step));
  return orderTexts(step).flatMap((text) => (others.has(text) ? [] : [refs.get(text) ?? text]));
}

/** The difference when only one of the plans changes a rule. Its fields lead from live to what that plan writes: the other says nothing of them. */
function onlyChange(kind: 'only-reviewed' | 'only-fresh', place: string, change: RuleChange): PlanDifference {
  const message = `the rule is ${RULE[change.kind]}`;
  if (change.kind !== 'patch') {
    return { kind, place, ...ruleNameOf(change), message };
  }
  const [live, made] = [canonicalContent(change.before), canonicalContent(change.content)];
  const fields = fieldChanges(live, made);
  return { kind, place, ...ruleNameOf(change), message, ...(fields.length === 0 ? {} : { fields }) };
}

const RULE: Readonly<Record<RuleChange['kind'], string>> = {
  add: 'added',
  patch: 'changed',
  move: 'moved',
  delete: 'deleted',
};

const KINDS: readonly RuleChange['kind'][] = ['add', 'patch', 'move', 'delete'];

/** Members of a step's effect that are compared change by change. */
const OF_CHANGES: ReadonlySet<string> = new Set(['changes', 'protection']);

/** Messages for members of a step's effect other than its changes. */
const WHOLE: Readonly<Record<string, string>> = {
  target: 'it is another ruleset',
  base: 'it is another ruleset of the same name',
  order: 'the rules end in another order',
  description: 'the description of the ruleset differs',
  deletesFirst: 'the order of deletions and additions differs',
};

function isMoving(change: RuleChange): boolean {
  return change.kind === 'patch' && change.move !== undefined;
}

/** Returns the fields in which two changes to one rule differ, in what they make of it or in what they find live. */
function contentChanges(
  reviewed: RuleChange,
  fresh: RuleChange,
  at: 'before' | 'content',
): readonly FieldChange[] {
  const contentOf = (change: RuleChange): RuleContent | null =>
    at === 'before' ? (isReplaced(change) ? change.before : null) : isWritten(change) ? change.content : null;
  const [was, is] = [contentOf(reviewed), contentOf(fresh)];
  return was === null || is === null ? [] : fieldChanges(canonicalContent(was), canonicalContent(is));
}

/** Returns the digest of the rules of others that decide beside the rule of a change. */
function besideOf(change: RuleChange): string | undefined {
  switch (change.kind) {
    case 'add':
    case 'patch':
      return change.place.beside;
    case 'move':
      return change.move.to.beside;
    case 'delete':
      return undefined;
    default:
      return assertNever(change);
  }
}

function compareChanges(place: string, reviewed: RuleChange, fresh: RuleChange): readonly PlanDifference[] {
  const rule = ruleNameOf(fresh);
  if (canonicalJson(changeEffect(reviewed)) === canonicalJson(changeEffect(fresh))) {
    const [was, is] = [protectionEffect(reviewed), protectionEffect(fresh)];
    const message = `what it does to protection was ${was}, and is ${is} now`;
    return was === is ? [] : [{ kind: 'different', place, ...rule, message }];
  }
  if (reviewed.kind !== fresh.kind) {
    const message = `the rule was to be ${RULE[reviewed.kind]}, and is ${RULE[fresh.kind]} now`;
    return [{ kind: 'different', place, ...rule, message }];
  }
  const made = contentChanges(reviewed, fresh, 'content');
  const met = contentChanges(reviewed, fresh, 'before');
  const fields = made.length > 0 ? made : met;
  const message =
    made.length > 0
      ? 'the rule becomes something else'
      : met.length > 0
        ? 'somebody has changed the rule live since the review, and this plan would undo that too'
        : isMoving(reviewed) !== isMoving(fresh)
          ? `the rule ${isMoving(fresh) ? 'is moved as well now, and was not' : 'was moved as well, and is not now'}`
          : besideOf(reviewed) === besideOf(fresh)
            ? 'the ref that the rule gets differs'
            : 'rules that are not yours now decide before or after it differently than in the reviewed plan';
  return [{ kind: 'different', place, ...rule, message, ...(fields.length === 0 ? {} : { fields }) }];
}

/** Whether a step does less than a reviewed step to the same ruleset, and nothing else: fewer changes, or fewer fields of a rule. */
export function isPartOf(step: Step, reviewed: Step): boolean {
  if (step.operation !== 'update' || reviewed.operation === 'delete') {
    return false;
  }
  const seen = new Set(reviewed.changes.map((change) => canonicalJson(changeEffect(change))));
  const isSeen = (change: RuleChange): boolean => seen.has(canonicalJson(changeEffect(change)));
  return (
    step.changes.every(
      (change) => isSeen(change) || reviewed.changes.some((whole) => isRestOf(change, whole)),
    ) &&
    (step.changes.length < reviewed.changes.length || !step.changes.every(isSeen))
  );
}

/** Whether a patch leads where a reviewed one does, through fields that this one changes in the same way: live has the others already. */
function isRestOf(change: RuleChange, whole: RuleChange): boolean {
  if (change.kind !== 'patch' || whole.kind !== 'patch') {
    return false;
  }
  const { before, move } = whole;
  const isMoved = change.move === undefined || move !== undefined;
  const same = canonicalJson(changeEffect({ ...change, before, ...(move === undefined ? {} : { move }) }));
  const seen = new Set(fieldsOf(whole));
  return (
    isMoved &&
    same === canonicalJson(changeEffect(whole)) &&
    fieldsOf(change).every((field) => seen.has(field))
  );
}

function fieldsOf({ before, content }: PatchRule): readonly string[] {
  return fieldChanges(canonicalContent(before), canonicalContent(content)).map((field) =>
    canonicalJson(field),
  );
}

/** A step, and the ruleset that it was planned on; null when there was none. */
export interface PlannedOn {
  readonly step: Step;
  readonly on: LiveRuleset | null;
}

/**
 * Whether both steps lead to the same rules. If so, what the fresh plan no longer does has already been done live. Rules of others are left
 * out; those that decide about the same requests are part of what `isPartOf` compares.
 */
export function endAlike(reviewed: PlannedOn, fresh: PlannedOn): boolean {
  const [wanted, comes] = [endOf(reviewed), endOf(fresh)];
  return wanted !== null && comes !== null && deviations(wanted, comes).length === 0;
}

function endOf({ step, on }: PlannedOn): Expectation | null {
  const [whole] = writesOf(step, 'ruleset');
  const end = whole === undefined ? null : expectAfter(on, whole);
  const others = new Set<string | null>(othersOf(step));
  return end === null ? null : { ...end, rules: end.rules.filter(({ id }) => !others.has(id)) };
}
