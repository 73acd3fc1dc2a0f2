import type { ScopedCall } from '../call/call.ts';
import { checkRemovedParameter } from './removed-parameters.ts';
import { checkEnrollment } from '../waf/enrollment.ts';
import { rendered } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { checkEntitlement } from './entitlement.ts';
import type { SettledRule, WriteContext } from './identity.ts';
import type { Place } from '../call/place.ts';
import { checkRuleQuota } from './quota.ts';
import { checkReferences } from './references.ts';
import { latest, withNextVersion } from '../records/ruleset.ts';
import type { StoredRuleset } from '../records/ruleset.ts';
import { checkWriteLimit } from './write-limit.ts';

/** Makes the context of one write; everything that it changes gets the same timestamp. */
export function writeContext(call: ScopedCall, ruleset: Omit<Place, 'scope'>): WriteContext {
  return {
    service: call.service,
    place: { phase: ruleset.phase, kind: ruleset.kind, scope: call.scope },
    stamp: call.service.stamp(),
  };
}

/** The content of a ruleset's next version. */
export interface NextContent {
  /** Undefined keeps the current description. */
  readonly description?: string | undefined;
  readonly settled: readonly SettledRule[];
}

/**
 * Checks the whole list (migration, references, entitlements, quota: api.md 6.5 steps 10 to 12), stores it as the next
 * version and answers with the full ruleset.
 */
export function storeNext(
  context: WriteContext,
  ruleset: StoredRuleset,
  { description, settled }: NextContent,
): Answer {
  const next = withNextVersion(ruleset, {
    last_updated: context.stamp,
    description: description ?? (ruleset.versions.length === 0 ? '' : latest(ruleset).description),
    rules: settled.map(({ rule }) => rule),
  });
  const { service, place } = context;
  checkRemovedParameter(service, settled);
  checkEnrollment(service, next.versions.at(-1)?.rules ?? [], place);
  checkReferences(service, settled, place);
  checkEntitlement(settled, place);
  checkRuleQuota(service.store, next, place);
  checkWriteLimit(service, ruleset);
  service.store.rulesets.set(next.id, next);
  return rendered(service.render.full(next));
}
