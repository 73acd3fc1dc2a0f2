import { createHash, hash } from 'node:crypto';
import type { RuleChange } from '../../model/change.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { canonicalJson } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { ScopePlan, Step } from '../../model/plan.ts';
import { orderAfter } from '../../model/rule-order.ts';

/**
 * SHA-256 of a value's canonical text, hex. The members of its top level, and the items of lists among
 * them, are hashed one by one: the text of a plan of ten thousand zones is longer than a string can be.
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
 * SHA-256 of what a plan does, hex: scopes, targets, rules with their canonical content, ids that exist,
 * order. Left out: versions, times, source places, and ids that the service will assign. It is a digest of
 * the digests of the scopes, so that they can be made one by one.
 */
export function effectDigest(scopes: readonly ScopePlan[]): string {
  return canonicalDigest(scopes.map(scopeEffect));
}

/** What one scope adds to the digest of the effect, hex. */
export function scopeEffect(plan: ScopePlan): string {
  const effect =
    plan.kind === 'failed'
      ? { kind: plan.scope.kind, name: plan.scope.name, failed: true }
      : { kind: plan.scope.kind, id: plan.scope.id, steps: plan.steps.map(stepEffect) };
  return hash('sha256', canonicalJson(effect));
}

/** What a step does, without what the service assigns. */
export function stepEffect(step: Step): JsonObject {
  const { level, phase, name } = step.target;
  return {
    target: { level, phase, name },
    operation: step.operation,
    base: step.base.kind === 'version' ? step.base.id : step.base.kind,
    ...(step.operation === 'update' && step.deletesFirst === true ? { deletesFirst: true } : {}),
    changes: step.changes.map(changeEffect),
    ...(step.operation === 'delete'
      ? {}
      : { order: orderAfter(step).map((entry) => (entry.kind === 'live' ? entry.id : `+${entry.ref}`)) }),
    ...(step.operation === 'delete' || step.description === undefined
      ? {}
      : { description: typeof step.description === 'string' ? step.description : step.description.after }),
  };
}

/** What a change does, without what the service assigns. */
export function changeEffect(change: RuleChange): JsonValue {
  switch (change.kind) {
    case 'add':
      return { kind: 'add', ref: change.ref, content: canonicalContent(change.content) };
    case 'patch':
      return {
        kind: 'patch',
        id: change.id,
        ref: change.ref,
        adopts: change.adopts ?? null,
        content: canonicalContent(change.content),
      };
    case 'move':
    case 'delete':
      return { kind: change.kind, id: change.id };
    default:
      return change satisfies never;
  }
}
