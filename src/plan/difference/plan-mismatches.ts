import { assertNever, isJsonArray, isJsonObject, jsonEqual, mapTextsIn } from '../../data/index.ts';
import {
  changesById,
  formerRef,
  redactionsBetween,
  redactFields,
  contentToWire,
  orderAfter,
  orderBefore,
  placeAfter,
  stayingOf,
  HIDDEN_TEXTS,
  OTHER_SECRET_LIKE,
  SECRET_LIKE,
} from '../../model/index.ts';
import type {
  LiveEntry,
  PlannedScope,
  DeleteRule,
  MoveRule,
  PatchRule,
  RulePosition,
  RuleChange,
  Step,
  RuleBefore,
  LiveRule,
  RuleContent,
  LiveRuleset,
  FieldChange,
  Redactions,
} from '../../model/index.ts';
import { compareContent, fieldChanges } from '../compare/compare-rules.ts';
import { hasReferences } from '../redaction/redact-text.ts';
import type { EffectContext, SecurityImpact } from '../impact/security-effect.ts';
import { withRewritten } from '../impact/rewritten-rules.ts';
import { createJudge } from '../impact/judge.ts';
import type { ChangeJudge } from '../impact/judge.ts';
import type { KeptRule } from '../impact/judge-moves.ts';
import { pairedChanges, recreatedIn } from '../impact/recreated-rules.ts';
import { oneLine } from '../../text/index.ts';
import type { JsonValue } from '../../data/index.ts';

/**
 * Lists the claims of a step about live that are false, such as `rule a: /action`. `live` is the ruleset at the step's base, null when the step
 * creates one. Guards judge what a plan says; if nothing is found, the plan matches this ruleset, so the guards have judged what it really
 * does. Planning goes from the files and live to a step. Here a step is given without files, so it is not planned again: all its claims about
 * live are checked against live, and its claims about protection by asking the same `Judge`.
 */
export function planMismatches(
  step: Step,
  live: LiveRuleset | null,
  context: Pick<EffectContext, 'scope' | 'lists'>,
): readonly string[] {
  const rules = live?.rules ?? [];
  const told = untrueOrder(step, rules);
  const task = taskOf(step, rules, { ...context, phase: step.target.phase });
  return [
    ...(isDescriptionUntrue(step, live) ? ['its description'] : []),
    ...told,
    ...step.changes.flatMap((change) =>
      mismatchesOf(change, task).map((part) => `rule ${oneLine(change.ref)}: ${part}`),
    ),
  ];
}

/**
 * Lists the rules of a scope whose rewrites of the URL a plan calls harmless although rules of later phases take notice, by step id. `entries` are
 * those that the plan was made from, as far as they can still be read: what is not there proves nothing, and nothing is found for it.
 */
export function rewriteMismatches(
  { scope, steps }: Pick<PlannedScope, 'scope' | 'steps'>,
  entries: readonly LiveEntry[],
): ReadonlyMap<string, readonly string[]> {
  const judged = withRewritten(steps, { scope, entries, catalogue: [] });
  return new Map(
    steps.flatMap(({ id, changes }, at) => {
      const found = changes.flatMap((change, index) => {
        const again = judged[at]?.changes[index]?.protection ?? change.protection;
        return change.protection.kind !== 'weakening' && again.kind === 'weakening'
          ? [`rule ${oneLine(change.ref)}: that it does not weaken (${again.reason})`]
          : [];
      });
      return found.length === 0 ? [] : [[id, found] as const];
    }),
  );
}

function isDescriptionUntrue(step: Step, live: LiveRuleset | null): boolean {
  if (step.operation !== 'update' || step.description === undefined) {
    return false;
  }
  return !agrees(step.description.before, live?.description);
}

/**
 * Checks the order that a step claims: every live rule stays, moves or goes; those that stay keep their sequence; and rules are where their
 * changes say.
 */
function untrueOrder(step: Step, live: readonly LiveRule[]): readonly string[] {
  const changes = changesById(step.changes);
  const at = new Map(live.map((rule, index) => [rule.id, index]));
  const named = new Set(orderBefore(step));
  const nameOf = (id: string): string => changes.get(id)?.ref ?? live[at.get(id) ?? -1]?.ref ?? id;
  const added = new Map(
    step.changes.flatMap((change) => (change.kind === 'add' ? [[change.ref, change]] : [])),
  );
  const after = orderAfter(step).map((entry): RuleBefore => {
    if (entry.kind === 'new') {
      return { ref: entry.ref, description: added.get(entry.ref)?.content.description ?? '' };
    }
    const rule = live[at.get(entry.id) ?? -1];
    const description = rule === undefined ? '' : descriptionAfter(rule, changes.get(entry.id));
    return { ref: nameOf(entry.id), description };
  });
  return [
    ...live.filter(({ id }) => !named.has(id)).map(({ ref }) => `rule ${oneLine(ref)}: that it is not there`),
    ...[...named]
      .filter((id) => !at.has(id) && changes.get(id)?.kind !== 'delete')
      .map((id) => `rule ${oneLine(nameOf(id))}: that it is there`),
    ...stayingOf(step).flatMap((id, index, staying) =>
      (at.get(staying[index - 1] ?? '') ?? -1) > (at.get(id) ?? live.length)
        ? [`rule ${oneLine(nameOf(id))}: its place`]
        : [],
    ),
    ...step.changes.flatMap((change) => {
      const to = newPlace(change);
      const wrong = to === null ? [] : positionMismatches(to, placeAfter(after[to.index - 2], to.index - 1));
      return wrong.map((part) => `rule ${oneLine(change.ref)}: ${part}`);
    }),
  ];
}

/** Returns the description of a live rule after the step. */
function descriptionAfter({ content }: LiveRule, change: RuleChange | undefined): string {
  return (change?.kind === 'patch' ? change.content : content).description;
}

/** Returns the place that a change claims for its rule afterwards; null for a deletion. */
function newPlace(change: RuleChange): RulePosition | null {
  return change.kind === 'delete' ? null : change.kind === 'move' ? change.move.to : change.place;
}

/** Ids of deleted rules that the step recreates under another `ref`, by that new `ref`. */
type TwinRefs = ReadonlyMap<string, string>;

/** Returns the rules that exist before and after, including recreated ones, in their new sequence, as planning sees them. */
function keptRulesOf(step: Step, live: readonly LiveRule[], twinOf: TwinRefs): readonly KeptRule[] {
  const changes = changesById(step.changes);
  const at = new Map(live.map((rule, index) => [rule.id, { rule, index }]));
  return orderAfter(step).flatMap((entry): readonly KeptRule[] => {
    const id = entry.kind === 'live' ? entry.id : (twinOf.get(entry.ref) ?? '');
    const found = at.get(id);
    if (found === undefined) {
      return [];
    }
    const change = changes.get(id);
    const content = change?.kind === 'patch' ? change.content : found.rule.content;
    const { ref } = entry.kind === 'new' ? entry : (change ?? found.rule);
    return [{ ref, live: found.index, content, before: found.rule.content }];
  });
}

/** What the changes of a step are checked against. */
interface CheckedChanges {
  readonly phase: string;
  readonly live: readonly LiveRule[];
  /** Indices of live rules by id. */
  readonly at: ReadonlyMap<string, number>;
  readonly changes: ReadonlyMap<string, RuleChange>;
  readonly judge: ChangeJudge;
  /** Index among the rules that exist before and after, by index in live. */
  readonly placeOf: ReadonlyMap<number, number>;
  /** By `ref` of each new rule, how many rules that exist before and after come before it. */
  readonly ahead: ReadonlyMap<string, number>;
  /** Deletions and additions that together recreate a rule under another `ref`: only its place matters. */
  readonly again: ReadonlySet<RuleChange>;
}

function taskOf(step: Step, live: readonly LiveRule[], context: EffectContext): CheckedChanges {
  const twins = recreatedIn(step.changes);
  const twinOf = new Map([...twins].map(([{ ref }, { id }]) => [ref, id]));
  const keptRules = keptRulesOf(step, live, twinOf);
  const ahead = new Map<string, number>();
  let passed = 0;
  for (const entry of orderAfter(step)) {
    if (entry.kind === 'new' && !ahead.has(entry.ref)) {
      ahead.set(entry.ref, passed);
    }
    passed += entry.kind === 'live' || twinOf.has(entry.ref) ? 1 : 0;
  }
  return {
    phase: context.phase,
    live,
    at: new Map(live.map(({ id }, index) => [id, index])),
    changes: changesById(step.changes),
    judge: createJudge(keptRules, context),
    placeOf: new Map(keptRules.map((keptRule, index) => [keptRule.live, index] as const).reverse()),
    ahead,
    again: pairedChanges(twins),
  };
}

function mismatchesOf(change: RuleChange, task: CheckedChanges): readonly string[] {
  if (change.kind === 'add') {
    const { judge, again } = task;
    const ahead = task.ahead.get(change.ref) ?? 0;
    const verdict = again.has(change) ? judge.moves.forth(ahead) : judge.added(change.content, ahead);
    return hiddenWeakening(change, verdict);
  }
  const index = task.at.get(change.id) ?? -1;
  const rule = task.live[index];
  if (rule === undefined) {
    return change.kind === 'delete' ? ['that it is there'] : [];
  }
  const found = { rule, index, place: formerPlace(index, task) };
  switch (change.kind) {
    case 'delete':
      return untrueDeletion(change, found, task);
    case 'move':
      return untrueMove(change, found, task);
    case 'patch':
      return untruePatch(change, found, task);
    default:
      return assertNever(change);
  }
}

/** The live rule of a change, and its place. */
interface LivePosition {
  readonly rule: LiveRule;
  readonly index: number;
  readonly place: RulePosition;
}

function formerPlace(index: number, { live, changes }: CheckedChanges): RulePosition {
  const previous = live[index - 1];
  return placeAfter(
    previous && { ref: previous.ref, description: descriptionAfter(previous, changes.get(previous.id)) },
    index,
  );
}

function untrueDeletion(
  change: DeleteRule,
  { rule, index, place }: LivePosition,
  { judge, again }: CheckedChanges,
): readonly string[] {
  return [
    ...(change.ref === rule.ref ? [] : ['/ref']),
    ...contentMismatches(change.before, rule.content),
    ...positionMismatches(change.place, place),
    ...(again.has(change) ? [] : hiddenWeakening(change, judge.gone(rule.content, index))),
  ];
}

function untrueMove(
  change: MoveRule,
  { rule, index, place }: LivePosition,
  { judge, placeOf }: CheckedChanges,
): readonly string[] {
  return [
    ...(change.ref === rule.ref ? [] : ['/ref']),
    ...(agrees(change.description, rule.content.description) ? [] : ['/description']),
    ...positionMismatches(change.move.from, place),
    ...hiddenWeakening(change, judge.moves.forth(placeOf.get(index) ?? -1)),
  ];
}

function untruePatch(
  change: PatchRule,
  { rule, index, place }: LivePosition,
  { judge, placeOf, phase }: CheckedChanges,
): readonly string[] {
  const { content, move } = change;
  const untrue = contentMismatches(change.before, rule.content);
  const different = compareContent(rule.content, content);
  const fields = different.kind === 'equal' ? [] : different.fields;
  const redactions = redactionsBetween(phase, contentToWire(rule.content), contentToWire(content));
  const at = { ahead: placeOf.get(index) ?? -1, live: index, isMoved: move !== undefined };
  return [
    ...(formerRef(change) === rule.ref ? [] : ['/ref']),
    ...untrue,
    ...(hasReferences(content) || untrue.length > 0 || areTrue(change.fields, fields, redactions)
      ? []
      : ['which fields change']),
    ...(move === undefined ? [] : positionMismatches(move.from, place)),
    ...hiddenWeakening(change, judge.patched(rule.content, content, at)),
  ];
}

/** A weakening that the plan does not call one. */
function hiddenWeakening({ protection }: RuleChange, verdict: SecurityImpact): readonly string[] {
  return verdict.kind === 'weaker' && protection.kind !== 'weakening'
    ? [`that it does not weaken (${verdict.reason})`]
    : [];
}

function positionMismatches(said: RulePosition, live: RulePosition): readonly string[] {
  return said.index === live.index && said.after === live.after && agrees(said.description, live.description)
    ? []
    : ['its place'];
}

/** Returns the paths at which a claimed content differs from live; hidden parts of a text match anything. */
function contentMismatches(said: RuleContent, live: RuleContent): readonly string[] {
  return fieldChanges(contentToWire(said), contentToWire(live)).flatMap((field) =>
    field.kind === 'changed' && agrees(field.before, field.after) ? [] : [field.path],
  );
}

/** Whether the claimed field changes are true. Of the new values only what has to be hidden may be hidden: they are what was reviewed. */
function areTrue(
  said: readonly FieldChange[],
  fields: readonly FieldChange[],
  redactions: Redactions,
): boolean {
  const shown = redactFields(fields, redactions);
  return (
    said.length === fields.length &&
    fields.every((field, index) => {
      const one = said[index];
      return (
        one?.kind === field.kind &&
        one.path === field.path &&
        agrees(beforeOf(one), beforeOf(field)) &&
        (jsonEqual(afterOf(one), afterOf(field)) ||
          jsonEqual(withOneMark(afterOf(one)), withOneMark(afterOf(shown[index] ?? field))))
      );
    })
  );
}

/** Unifies the marks for secrets: whether one secret replaces another cannot be told if the old one was hidden as the value of a variable. */
function withOneMark(value: JsonValue): JsonValue {
  return mapTextsIn(value, (text) => text.replaceAll(OTHER_SECRET_LIKE, SECRET_LIKE));
}

function beforeOf(field: FieldChange): JsonValue {
  return field.kind === 'added' ? null : field.before;
}

function afterOf(field: FieldChange): JsonValue {
  return field.kind === 'removed' ? null : field.after;
}

/** Whether a claimed value equals the live one, as far as it is not hidden. */
function agrees(said: JsonValue | undefined, live: JsonValue | undefined): boolean {
  if (said === undefined || live === undefined) {
    return said === live;
  }
  if (typeof said === 'string' && typeof live === 'string') {
    return fits(live, shownParts(said));
  }
  if (isJsonArray(said) && isJsonArray(live)) {
    return said.length === live.length && said.every((item, index) => agrees(item, live[index]));
  }
  if (isJsonObject(said) && isJsonObject(live)) {
    return Object.keys({ ...said, ...live }).every((key) => agrees(said[key], live[key]));
  }
  return jsonEqual(said, live);
}

/** Returns the visible parts of a text between its hidden ones. */
function shownParts(said: string): readonly string[] {
  return HIDDEN_TEXTS.reduce<readonly string[]>(
    (parts, mark) => parts.flatMap((part) => part.split(mark)),
    [said],
  );
}

/** Whether a text contains these parts in order, the first at its beginning and the last at its end. */
function fits(text: string, parts: readonly string[]): boolean {
  const [start = '', end = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) {
    return text === start;
  }
  let from = start.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at === -1) {
      return false;
    }
    from = at + part.length;
  }
  return text.startsWith(start) && text.endsWith(end) && text.length >= from + end.length;
}
