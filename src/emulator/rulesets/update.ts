import { decodeBody, param } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { empty } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import { updateBody } from './body.ts';
import { settleRules } from './identity.ts';
import { referrerOf } from './references.ts';
import { readRules } from './rule-input.ts';
import { latest } from '../records/ruleset.ts';
import type { StoredRuleset } from '../records/ruleset.ts';
import { findWritable } from './visible.ts';
import { storeNext, writeContext } from './write.ts';

/** PUT ruleset: replaces the description and the list of rules; what is absent stays unchanged (api.md 2.2). */
export function putRuleset(call: ScopedCall): Answer {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const body = decodeBody(call, updateBody);
  const inputs = readRules(body, call.service);
  checkUnchangeable(ruleset, body);
  const context = writeContext(call, ruleset);
  const before = latest(ruleset).rules;
  const settled = settleRules(context, before, inputs);
  return storeNext(context, ruleset, { settled, description: body.description });
}

/** DELETE ruleset with all its versions, unless a rule still refers to it (api.md 6.2). */
export function deleteRuleset(call: ScopedCall): Answer {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const referrer = referrerOf(call.service.store, ruleset);
  if (referrer !== undefined) {
    const reason = `it is referenced by a rule of ruleset ${referrer.id}`;
    throw refuse(400, `ruleset ${ruleset.id} cannot be deleted because ${reason}`);
  }
  call.service.store.rulesets.delete(ruleset.id);
  return empty();
}

// Unchanged values are accepted; the texts for kind and phase follow the known text for name (api.md 1.6).
function checkUnchangeable(
  ruleset: StoredRuleset,
  body: Partial<Readonly<Record<'name' | 'kind' | 'phase', string>>>,
): void {
  for (const field of ['name', 'kind', 'phase'] as const) {
    const given = body[field];
    if (given !== undefined && given !== ruleset[field]) {
      throw refuse(400, `the ${field} field cannot be modified: got ${given}, want ${ruleset[field]}`);
    }
  }
}
