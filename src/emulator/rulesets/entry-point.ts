import { decodeBody, type ScopedCall } from '../call.ts';
import { textAt } from '../json.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { entryPointBody } from './body.ts';
import { keepRules, settleRules } from './identity.ts';
import { phaseRow } from './phases.ts';
import { misplacement, newRuleset } from './placing.ts';
import { readRules } from './rule-input.ts';
import type { StoredRuleset } from './ruleset.ts';
import { entryPointOf, findEntryPoint, param, phasePermissionProblem } from './visible.ts';
import { storeNext, writeContext } from './write.ts';

/** GET entry point: the ruleset of the phase that the path names. */
export function getEntryPoint(call: ScopedCall): StoredRuleset | Refusal {
  const phase = param(call, 'phase');
  return phaseRow(phase) === undefined
    ? badParameter('phase', phase, 'it is not a known phase')
    : findEntryPoint(call, phase);
}

/**
 * PUT entry point: replaces description and rules, each left alone when absent; makes the entry point when it is missing,
 * with the name `default` unless the body has one (api.md 2.2, 6.1, 6.3). Another name for an existing entry point is
 * ignored (uncertain in api.md 2.2).
 */
export function putEntryPoint(call: ScopedCall): Answer | Refusal {
  const phase = param(call, 'phase');
  const kind = call.scope.kind === 'zone' ? 'zone' : 'root';
  const misplaced = misplacement(kind, phase, call.scope.kind);
  const denied =
    misplaced === undefined
      ? phasePermissionProblem(call, phase, 'Write')
      : badParameter('phase', phase, misplaced.reason);
  if (denied !== undefined) {
    return denied;
  }
  const body = decodeBody(call, entryPointBody);
  if (isRefusal(body)) {
    return body;
  }
  const inputs = readRules(body);
  if (isRefusal(inputs)) {
    return inputs;
  }
  const existing = entryPointOf(call.service.store, call.scope.owner, phase);
  const name = textAt(body, 'name') ?? '';
  const ruleset = existing ?? newRuleset(call, { name: name === '' ? 'default' : name, kind, phase });
  const context = writeContext(call, ruleset);
  const before = ruleset.versions.at(-1)?.rules ?? [];
  const settled = inputs === undefined ? keepRules(before) : settleRules(context, before, inputs);
  if (isRefusal(settled)) {
    return settled;
  }
  const description = textAt(body, 'description');
  return storeNext(context, ruleset, { settled, ...(description === undefined ? {} : { description }) });
}
