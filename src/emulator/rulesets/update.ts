import { decodeBody, type ScopedCall } from '../call.ts';
import { textAt, type JsonObject } from '../json.ts';
import { type Answer, empty } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { updateBody } from './body.ts';
import { notModifiable, rulesetInUse } from './errors.ts';
import { keepRules, settleRules } from './identity.ts';
import { userOf } from './references.ts';
import { readRules } from './rule-input.ts';
import { latest, type StoredRuleset } from './ruleset.ts';
import { findWritable, param } from './visible.ts';
import { storeNext, writeContext } from './write.ts';

/** PUT ruleset: description and the whole list of rules, each left alone when absent (api.md 2.2). */
export function putRuleset(call: ScopedCall): Answer | Refusal {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  if (isRefusal(ruleset)) {
    return ruleset;
  }
  const body = decodeBody(call, updateBody);
  if (isRefusal(body)) {
    return body;
  }
  const inputs = readRules(body);
  if (isRefusal(inputs)) {
    return inputs;
  }
  const problem = unchangeableProblem(ruleset, body);
  if (problem !== undefined) {
    return problem;
  }
  const context = writeContext(call, ruleset);
  const before = latest(ruleset).rules;
  const settled = inputs === undefined ? keepRules(before) : settleRules(context, before, inputs);
  if (isRefusal(settled)) {
    return settled;
  }
  const description = textAt(body, 'description');
  return storeNext(context, ruleset, { settled, ...(description === undefined ? {} : { description }) });
}

/** DELETE ruleset with all its versions, unless a rule still needs it (api.md 6.2). */
export function deleteRuleset(call: ScopedCall): Answer | Refusal {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  if (isRefusal(ruleset)) {
    return ruleset;
  }
  const user = userOf(call.service.store, ruleset);
  if (user !== undefined) {
    return rulesetInUse(ruleset.id, user.id);
  }
  call.service.store.rulesets.delete(ruleset.id);
  return empty();
}

// Accepted when unchanged; the texts for kind and phase follow the one known for name (api.md 1.6).
function unchangeableProblem(ruleset: StoredRuleset, body: JsonObject): Refusal | undefined {
  for (const field of ['name', 'kind', 'phase'] as const) {
    const given = textAt(body, field);
    if (given !== undefined && given !== ruleset[field]) {
      return notModifiable(field, given, ruleset[field]);
    }
  }
  return undefined;
}
