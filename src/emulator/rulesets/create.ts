import { decodeBody, type ScopedCall } from '../call.ts';
import { invalidValue } from '../decode/bounds.ts';
import { textAt } from '../json.ts';
import type { Answer } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { createBody } from './body.ts';
import { managedNotCreatable, tooManyRulesets } from './errors.ts';
import { settleRules } from './identity.ts';
import { misplacement, newRuleset } from './placing.ts';
import { rulesetQuotaProblem } from './quota.ts';
import { readRules } from './rule-input.ts';
import type { RulesetKind } from './ruleset.ts';
import { entryPointOf, phasePermissionProblem } from './visible.ts';
import { storeNext, writeContext } from './write.ts';

/** POST ruleset: a custom ruleset or an entry point (api.md 2.2, 6.3). */
export function createRuleset(call: ScopedCall): Answer | Refusal {
  const body = decodeBody(call, createBody);
  if (isRefusal(body)) {
    return body;
  }
  const inputs = readRules(body);
  if (isRefusal(inputs)) {
    return inputs;
  }
  const head = readHead(call, {
    name: textAt(body, 'name') ?? '',
    kind: textAt(body, 'kind') ?? '',
    phase: textAt(body, 'phase') ?? '',
  });
  if (isRefusal(head)) {
    return head;
  }
  const context = writeContext(call, head);
  const settled = settleRules(context, [], inputs ?? []);
  if (isRefusal(settled)) {
    return settled;
  }
  const { store } = call.service;
  const taken = head.kind !== 'custom' && entryPointOf(store, call.scope.owner, head.phase) !== undefined;
  const full = taken ? tooManyRulesets(head.kind, head.phase) : rulesetQuotaProblem(store, context.place);
  if (full !== undefined) {
    return full;
  }
  const description = textAt(body, 'description') ?? '';
  return storeNext(context, newRuleset(call, head), { description, settled });
}

interface Head {
  readonly name: string;
  readonly kind: RulesetKind;
  readonly phase: string;
}

function readHead(
  call: ScopedCall,
  said: { readonly name: string; readonly kind: string; readonly phase: string },
): Head | Refusal {
  const { name, kind, phase } = said;
  if (kind === 'managed') {
    return managedNotCreatable();
  }
  if (kind !== 'custom' && kind !== 'root' && kind !== 'zone') {
    return invalidValue(kind, '/kind', 'it must be one of custom, root, zone');
  }
  const misplaced = misplacement(kind, phase, call.scope.kind);
  if (misplaced !== undefined) {
    return invalidValue(said[misplaced.field], `/${misplaced.field}`, misplaced.reason);
  }
  const denied = phasePermissionProblem(call, phase, 'Write');
  if (denied !== undefined) {
    return denied;
  }
  return name === '' ? invalidValue('', '/name', 'it cannot be blank') : { name, kind, phase };
}
