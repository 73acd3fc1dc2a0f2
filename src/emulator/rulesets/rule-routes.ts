import { decodeBody, param } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { Answer } from '../protocol/answer.ts';
import { decline, notFound } from '../protocol/refusal.ts';
import { latest } from '../records/ruleset-record.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset-record.ts';
import { ruleBody, readRule } from './rule-body.ts';
import { defineRule } from './define-rule.ts';
import { alreadyUsed, badPosition, findWritable } from './visible-phases.ts';
import { checkSharedRef, keepRules, newRule, redefined } from './rule-identity.ts';
import type { SettledRule, WriteContext } from './rule-identity.ts';
import type { RuleInput } from './rule-body.ts';
import { storeNext, writeContext } from './write-ruleset.ts';

/** Where a rule goes in its list (api.md 3.3). With an empty id, `before` means the start of the list and `after` its end. */
type Position =
  | { readonly kind: 'before'; readonly id: string }
  | { readonly kind: 'after'; readonly id: string }
  | { readonly kind: 'index'; readonly index: number };

const POINTER = '/position';

/** Reads a decoded `position` object, which must have exactly one member. */
function readPosition(raw: {
  readonly before?: string;
  readonly after?: string;
  readonly index?: number;
}): Position {
  if (Object.keys(raw).length !== 1) {
    throw badPosition('exactly one of before, after, index is required', POINTER);
  }
  const { before, after, index = 0 } = raw;
  if (before !== undefined) {
    return { kind: 'before', id: before };
  }
  return after === undefined ? { kind: 'index', index } : { kind: 'after', id: after };
}

/**
 * Inserts a rule into the list of the other rules. `index` is the rule's final place, counted from 1; without a
 * position, the rule is appended.
 */
function insertAt(
  others: readonly StoredRule[],
  rule: StoredRule,
  position: Position | undefined,
): readonly StoredRule[] {
  const place = position === undefined ? others.length : placeOf(others, rule.id, position);
  return [...others.slice(0, place), rule, ...others.slice(place)];
}

function placeOf(others: readonly StoredRule[], self: string, position: Position): number {
  if (position.kind === 'index') {
    const last = others.length + 1;
    return position.index >= 1 && position.index <= last
      ? position.index - 1
      : decline(badPosition(`index ${position.index} is out of range 1 to ${last}`, `${POINTER}/index`));
  }
  const pointer = `${POINTER}/${position.kind}`;
  if (position.id === '') {
    return position.kind === 'before' ? 0 : others.length;
  }
  if (position.id === self) {
    throw badPosition('a rule cannot be placed relative to itself', pointer);
  }
  const neighbour = others.findIndex((other) => other.id === position.id);
  if (neighbour < 0) {
    throw badPosition(`could not find rule with ID ${position.id}`, pointer);
  }
  return position.kind === 'before' ? neighbour : neighbour + 1;
}

/** A body with no other members only moves the rule; read-only members do not count. */
const MOVE_KEYS = ['position', 'id', 'version', 'last_updated', 'categories'];

/** POST rule: adds one rule, at a position or at the end (api.md 2.2). */
export function addRule(call: ScopedCall): Answer {
  const { ruleset, input, position } = readWish(call);
  if (input.id !== undefined && latest(ruleset).rules.some((rule) => rule.id === input.id)) {
    throw alreadyUsed(input.id, '/id');
  }
  const context = writeContext(call, ruleset);
  const definition = defineRule(call.service, input, context.place);
  return storeAt(context, ruleset, {
    rule: newRule(context, definition, input.ref),
    others: latest(ruleset).rules,
    position,
    pointer: '',
  });
}

/**
 * PATCH rule: gives a rule a whole new definition (absent fields are dropped, not merged), a new position, or both
 * (api.md 0.3 number 6).
 */
export function patchRule(call: ScopedCall): Answer {
  const { ruleset, input, position, raw } = readWish(call);
  const rule = findRule(ruleset, param(call, 'rule'));
  if (input.id !== undefined && input.id !== rule.id) {
    throw notFound('rule', input.id, '/id');
  }
  const context = writeContext(call, ruleset);
  const others = latest(ruleset).rules.filter((other) => other !== rule);
  const here: Position = { kind: 'index', index: latest(ruleset).rules.indexOf(rule) + 1 };
  if (position !== undefined && Object.keys(raw).every((key) => MOVE_KEYS.includes(key))) {
    return storeAt(context, ruleset, { rule, others, position, pointer: undefined });
  }
  const definition = defineRule(call.service, input, context.place);
  return storeAt(context, ruleset, {
    rule: redefined(rule, { ...definition, ref: input.ref ?? rule.definition.ref }, context.stamp),
    others,
    position: position ?? here,
    pointer: '',
  });
}

/** DELETE rule: answers with the ruleset that remains. */
export function deleteRule(call: ScopedCall): Answer {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const rule = findRule(ruleset, param(call, 'rule'));
  const left = latest(ruleset).rules.filter((other) => other !== rule);
  return storeNext(writeContext(call, ruleset), ruleset, { settled: keepRules(left) });
}

interface Wish {
  readonly ruleset: StoredRuleset;
  readonly raw: WireObject;
  readonly input: RuleInput;
  readonly position: Position | undefined;
}

function readWish(call: ScopedCall): Wish {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const raw = decodeBody(call, ruleBody);
  return {
    ruleset,
    raw,
    input: readRule(raw, '', call.service),
    position: raw.position && readPosition(raw.position),
  };
}

function findRule(ruleset: StoredRuleset, id: string): StoredRule {
  return latest(ruleset).rules.find((rule) => rule.id === id) ?? decline(notFound('rule', id));
}

interface Placement {
  readonly rule: StoredRule;
  readonly others: readonly StoredRule[];
  readonly position: Position | undefined;
  /** Where the body defines the rule; undefined when the rule is only moved. */
  readonly pointer: string | undefined;
}

function storeAt(
  context: WriteContext,
  ruleset: StoredRuleset,
  { rule, others, position, pointer }: Placement,
): Answer {
  const rules = insertAt(others, rule, position);
  const settled: readonly SettledRule[] = rules.map((each) => ({
    rule: each,
    pointer: each === rule ? pointer : undefined,
  }));
  // The rule of the body is checked last for a shared ref, so that the refusal points to it.
  const ownLast = [
    ...settled.filter((each) => each.rule !== rule),
    ...settled.filter((each) => each.rule === rule),
  ];
  checkSharedRef(ownLast);
  return storeNext(context, ruleset, { settled });
}
