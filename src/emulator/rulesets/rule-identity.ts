import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../protocol/refusal.ts';
import type { EmulatedService } from '../call/service.ts';
import type { CallLocation } from '../call/call-location.ts';
import type { StoredRule } from '../records/ruleset-record.ts';
import { defineRule } from './define-rule.ts';
import type { RefLess } from './define-rule.ts';
import { alreadyUsed, refTaken } from './visible-phases.ts';
import type { RuleInput } from './rule-body.ts';

/** A rule of the new list; `pointer` is where the body defines it, or undefined when the rule is kept unchanged. */
export interface SettledRule {
  readonly rule: StoredRule;
  readonly pointer: string | undefined;
}

/** The context of a write: the service, the place of the rules, and the ruleset's new timestamp. */
export interface WriteContext {
  readonly service: EmulatedService;
  readonly place: CallLocation;
  readonly stamp: string;
}

/**
 * Decides which rule each entry of a PUT is (api.md 6.1): the rule with its `id`; without an id, the rule with its
 * `ref`; else a new rule. An entry with only an id keeps its rule unchanged. Rules that no entry names are removed, and
 * the list gives the order. Without a list, all rules stay.
 */
export function settleRules(
  context: WriteContext,
  before: readonly StoredRule[],
  inputs: readonly RuleInput[] | undefined,
): readonly SettledRule[] {
  if (inputs === undefined) {
    return keepRules(before);
  }
  const byId = new Map(before.map((rule) => [rule.id, rule]));
  const byRef = new Map(before.map((rule) => [rule.definition.ref, rule]));
  const taken = new Set<string>();
  const settled: SettledRule[] = [];
  for (const input of inputs) {
    const existing = input.id === undefined ? byRef.get(input.ref ?? '') : byId.get(input.id);
    if (input.id !== undefined && existing === undefined) {
      throw notFound('rule', input.id, `${input.pointer}/id`);
    }
    if (existing !== undefined && taken.has(existing.id)) {
      throw input.id === undefined
        ? refTaken(input.ref ?? '', input.pointer)
        : alreadyUsed(input.id, `${input.pointer}/id`);
    }
    const entry = settleRule(context, existing, input);
    taken.add(entry.rule.id);
    settled.push(entry);
  }
  checkSharedRef(settled);
  return settled;
}

/** Keeps all rules unchanged. */
export function keepRules(rules: readonly StoredRule[]): readonly SettledRule[] {
  return rules.map((rule) => ({ rule, pointer: undefined }));
}

function settleRule(context: WriteContext, existing: StoredRule | undefined, input: RuleInput): SettledRule {
  if (existing !== undefined && input.bare) {
    return { rule: existing, pointer: undefined };
  }
  const definition = defineRule(context.service, input, context.place);
  const rule =
    existing === undefined
      ? newRule(context, definition, input.ref)
      : redefined(existing, { ...definition, ref: input.ref ?? existing.definition.ref }, context.stamp);
  return { rule, pointer: input.pointer };
}

/** Makes a new rule, with version "1"; `ref` defaults to the id. */
export function newRule(context: WriteContext, definition: RefLess, ref: string | undefined): StoredRule {
  const id = context.service.newId();
  return {
    id,
    version: '1',
    last_updated: context.stamp,
    definition: { ...definition, ref: ref ?? id },
  };
}

/** Returns the next version of a rule, with a new definition, or the rule itself when nothing changed (api.md 6.1). */
export function redefined(rule: StoredRule, definition: StoredRule['definition'], stamp: string): StoredRule {
  return isDeepStrictEqual(rule.definition, definition)
    ? rule
    : { ...rule, version: String(Number(rule.version) + 1), last_updated: stamp, definition };
}

/** Refuses a list in which two rules have the same ref. */
export function checkSharedRef(settled: readonly SettledRule[]): void {
  const refs = new Set<string>();
  for (const [index, { rule, pointer }] of settled.entries()) {
    const { ref } = rule.definition;
    if (refs.has(ref)) {
      throw refTaken(ref, pointer ?? `/rules/${index}`);
    }
    refs.add(ref);
  }
}
