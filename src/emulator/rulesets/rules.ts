import { decodeBody, param } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Answer } from '../protocol/answer.ts';
import { decline } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { ruleBody } from './body.ts';
import { defineRule } from './define-rule.ts';
import { alreadyUsed } from './errors.ts';
import { checkSharedRef, keepRules, newRule, redefined } from './identity.ts';
import type { SettledRule, WriteContext } from './identity.ts';
import { insertAt, readPosition } from './position.ts';
import type { Position } from './position.ts';
import { readRule } from './rule-input.ts';
import type { RuleInput } from './rule-input.ts';
import { latest } from '../records/ruleset.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset.ts';
import { findWritable } from './visible.ts';
import { storeNext, writeContext } from './write.ts';

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
  readonly raw: JsonObject;
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
