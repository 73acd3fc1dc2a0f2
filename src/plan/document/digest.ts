import { assertNever } from '../../model/assert-never.ts';
import { createHash, hash } from 'node:crypto';
import type { Place, RuleChange } from '../../model/change.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { canonicalJson, inKeyOrder } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { ScopePlan, Step } from '../../model/plan.ts';
import { orderTexts, othersOf } from '../../model/rule-order.ts';
import type { RuleContent } from '../../model/rule.ts';

/**
 * Returns the SHA-256 (hex) of a value's canonical text. Top-level members, and items of top-level lists, are hashed one by one: the text of a
 * plan of ten thousand zones is longer than a string can be.
 */
export function canonicalDigest(value: Readonly<Record<string, unknown>> | readonly unknown[]): string {
  const digest = createHash('sha256');
  const items = (list: readonly unknown[]): void => {
    digest.update('[');
    list.forEach((item, index) => digest.update(`${index === 0 ? '' : ','}${canonicalJson(item)}`));
    digest.update(']');
  };
  if (isList(value)) {
    items(value);
    return digest.digest('hex');
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  digest.update('{');
  members.forEach(([key, member], index) => {
    digest.update(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`);
    if (isList(member)) {
      items(member);
    } else {
      digest.update(canonicalJson(member));
    }
  });
  return digest.update('}').digest('hex');
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * Returns the SHA-256 (hex) of what a plan does: scopes, targets, rules with their canonical content before and after, existing ids, the effect on protection,
 * the order of our rules, and which rules of others decide beside changed ones. Left out: versions, times, source places, ids that the service
 * will assign, and everything else about rules of others. It digests the scopes' own digests, so that these can be made one by one.
 */
export function effectDigest(scopes: readonly ScopePlan[]): string {
  return canonicalDigest(scopes.map(scopeEffect));
}

/** Returns the digest (hex) of one scope's effect, a part of `effectDigest`. */
export function scopeEffect(plan: ScopePlan): string {
  const effect =
    plan.kind === 'failed'
      ? { failed: true, kind: plan.scope.kind, name: plan.scope.name }
      : { id: plan.scope.id, kind: plan.scope.kind, steps: plan.steps.map(stepEffect) };
  return hash('sha256', JSON.stringify(effect));
}

/** Returns what a step does, without what the service assigns; keys in code-unit order as in `changeEffect`. */
export function stepEffect(step: Step): JsonObject {
  const { level, name, phase } = step.target;
  return {
    base: step.base.kind === 'version' ? step.base.id : step.base.kind,
    changes: step.changes.map(changeEffect),
    ...(step.operation === 'update' && step.deletesFirst === true ? { deletesFirst: true } : {}),
    ...(step.operation === 'delete' || step.description === undefined
      ? {}
      : { description: descriptionEffect(step.description) }),
    operation: step.operation,
    ...(step.operation === 'delete' ? {} : { order: ourOrder(step) }),
    protection: step.changes.map(protectionEffect),
    target: { level, name, phase },
  };
}

/** Returns in words what a change does to protection. */
export function protectionEffect({ protection }: RuleChange): string {
  return protection.kind === 'neutral' ? protection.kind : `${protection.kind} (${protection.reason})`;
}

/** Returns our rules in their final order. Rules of others between them count only if they decide beside one of ours (`beside`). */
function ourOrder(step: Step): readonly string[] {
  const others = new Set(othersOf(step));
  return orderTexts(step).filter((id) => !others.has(id));
}

function descriptionEffect(
  description: string | { readonly before: string; readonly after: string },
): JsonValue {
  return typeof description === 'string'
    ? description
    : { after: description.after, before: description.before };
}

/**
 * Returns what a change does, without what the service assigns, and what it replaces: a change that finds other content undoes somebody's edit too.
 * The keys are in code-unit order, so that `JSON.stringify` gives the text of
 * `canonicalJson` in half the time.
 */
export function changeEffect(change: RuleChange): JsonValue {
  switch (change.kind) {
    case 'add': {
      const { content, kind, ref, place } = change;
      return { ...besideEffect(place), content: contentEffect(content), kind, ref };
    }
    case 'patch':
      return {
        adopts: change.adopts ?? null,
        before: contentEffect(change.before),
        ...besideEffect(change.place),
        content: contentEffect(change.content),
        id: change.id,
        kind: 'patch',
        moves: change.move !== undefined,
        ref: change.ref,
      };
    case 'move':
      return { ...besideEffect(change.move.to), id: change.id, kind: change.kind };
    case 'delete':
      return { before: contentEffect(change.before), id: change.id, kind: change.kind };
    default:
      return assertNever(change);
  }
}

function besideEffect({ beside }: Place): JsonObject {
  return beside === undefined ? {} : { beside };
}

function contentEffect(content: RuleContent): JsonValue {
  return inKeyOrder(canonicalContent(content));
}
