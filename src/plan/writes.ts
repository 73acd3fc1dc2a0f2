import { assertNever } from '../model/assert-never.ts';
import type { AddRule, PatchRule } from '../model/change.ts';
import type { JsonObject } from '../model/json.ts';
import type { CreateStep, OrderEntry, RulesetTarget, Step, UpdateStep } from '../model/plan.ts';
import { contentToWire } from '../model/rule-fields.ts';

/** The rule that a written rule goes behind: one that lives, one that this step adds, or none (first). */
export type Anchor = OrderEntry | { readonly kind: 'first' };

/** One request that changes something; rules are in wire form. */
export type Write =
  | {
      readonly kind: 'create-ruleset';
      readonly target: RulesetTarget;
      readonly description: string;
      readonly rules: readonly JsonObject[];
    }
  | {
      readonly kind: 'put-ruleset';
      readonly id: string;
      readonly description: string | null;
      /** null: the rules stay as they are (api.md 2.2). */
      readonly rules: readonly JsonObject[] | null;
    }
  | {
      readonly kind: 'add-rule';
      readonly id: string;
      readonly ref: string;
      readonly rule: JsonObject;
      readonly behind: Anchor;
    }
  | {
      readonly kind: 'patch-rule';
      readonly id: string;
      readonly ruleId: string;
      /** null: only the place changes. */
      readonly rule: JsonObject | null;
      readonly behind: Anchor | null;
    }
  | { readonly kind: 'delete-rule'; readonly id: string; readonly ruleId: string }
  | { readonly kind: 'delete-ruleset'; readonly id: string };

/**
 * How a ruleset is written. `auto`: one change goes to the rule's own endpoint, several go as one PUT,
 * which is atomic. `rules` and `ruleset` force one of the two. All end in the same state.
 */
export type WriteStrategy = 'auto' | 'rules' | 'ruleset';

/** The requests that carry out a step, in order. */
export function writesOf(step: Step, strategy: WriteStrategy): readonly Write[] {
  switch (step.operation) {
    case 'create':
      return [createRuleset(step)];
    case 'delete':
      return step.base.kind === 'version' ? [{ kind: 'delete-ruleset', id: step.base.id }] : [];
    case 'update':
      return step.base.kind === 'version' ? updateWrites(step, step.base.id, strategy) : [];
    default:
      return assertNever(step);
  }
}

function updateWrites(step: UpdateStep, id: string, strategy: WriteStrategy): readonly Write[] {
  const description = step.description?.after ?? null;
  const single = step.changes.length + (description === null ? 0 : 1) === 1;
  if (step.changes.length === 0) {
    return [{ kind: 'put-ruleset', id, description, rules: null }];
  }
  if (strategy === 'ruleset' || (strategy === 'auto' && !single)) {
    return [{ kind: 'put-ruleset', id, description, rules: listOf(step) }];
  }
  return [
    ...(description === null ? [] : [{ kind: 'put-ruleset', id, description, rules: null } as const]),
    ...ruleWrites(step, id),
  ];
}

/**
 * Single operations. Rules are placed from the first to the last, each behind its predecessor, which is
 * in its final place by then; so every position is right whatever still stands elsewhere. Deletions come
 * last, so that no protection is missing in between.
 */
function ruleWrites(step: UpdateStep, id: string): readonly Write[] {
  const behind = new Map<string, Anchor>(
    step.order.map((entry, index) => [entryKey(entry), step.order[index - 1] ?? { kind: 'first' }]),
  );
  return step.changes.map((change): Write => {
    switch (change.kind) {
      case 'add':
        return {
          kind: 'add-rule',
          id,
          ref: change.ref,
          rule: ruleToWire(change),
          behind: behind.get(entryKey({ kind: 'new', ref: change.ref })) ?? { kind: 'first' },
        };
      case 'patch':
      case 'move':
        return {
          kind: 'patch-rule',
          id,
          ruleId: change.id,
          rule: change.kind === 'patch' ? ruleToWire(change) : null,
          behind: change.move === undefined ? null : (behind.get(`live ${change.id}`) ?? { kind: 'first' }),
        };
      case 'delete':
        return { kind: 'delete-rule', id, ruleId: change.id };
      default:
        return assertNever(change);
    }
  });
}

function entryKey(entry: OrderEntry): string {
  return entry.kind === 'live' ? `live ${entry.id}` : `new ${entry.ref}`;
}

/** The whole list for a PUT: untouched rules by id only, so that they keep everything (api.md 6.1). */
function listOf(step: CreateStep | UpdateStep): readonly JsonObject[] {
  const written = new Map<string, JsonObject>();
  for (const change of step.changes) {
    if (change.kind === 'add') {
      written.set(`new ${change.ref}`, ruleToWire(change));
    } else if (change.kind === 'patch') {
      written.set(`live ${change.id}`, { id: change.id, ...ruleToWire(change) });
    }
  }
  return step.order.map(
    (entry) =>
      written.get(entryKey(entry)) ?? (entry.kind === 'live' ? { id: entry.id } : { ref: entry.ref }),
  );
}

function createRuleset(step: CreateStep): Write {
  return { kind: 'create-ruleset', target: step.target, description: step.description, rules: listOf(step) };
}

function ruleToWire(change: AddRule | PatchRule): JsonObject {
  return { ref: change.ref, ...contentToWire(change.content) };
}
