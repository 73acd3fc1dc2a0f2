import { type ScopedCall, decodeBody } from '../call.ts';
import { invalidValue } from '../decode/bounds.ts';
import { textAt } from '../json.ts';
import type { Answer } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { createBody, entryPointBody } from './body.ts';
import { managedNotCreatable, tooManyRulesets } from './errors.ts';
import { settleRules } from './identity.ts';
import { allowedActions, phaseRow } from './phases.ts';
import { rulesetQuotaProblem } from './quota.ts';
import { readRules } from './rule-input.ts';
import type { RulesetKind, StoredRuleset } from './ruleset.ts';
import { entryPointOf, findEntryPoint, param, phasePermissionProblem } from './visible.ts';
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
  const phase = textAt(body, 'phase') ?? '';
  const kind = readKind(textAt(body, 'kind') ?? '', phase, call);
  if (isRefusal(kind)) {
    return kind;
  }
  const name = textAt(body, 'name') ?? '';
  const denied = phasePermissionProblem(call, phase, 'Write');
  if (name === '' || denied !== undefined) {
    return denied ?? invalidValue('', '/name', 'it cannot be blank');
  }
  const context = writeContext(call, { phase, kind });
  const settled = settleRules(context, [], inputs ?? []);
  if (isRefusal(settled)) {
    return settled;
  }
  const { store } = call.service;
  const taken = kind !== 'custom' && entryPointOf(store, call.scope.owner, phase) !== undefined;
  const full = taken ? tooManyRulesets(kind, phase) : rulesetQuotaProblem(store, context.place);
  if (full !== undefined) {
    return full;
  }
  const description = textAt(body, 'description') ?? '';
  return storeNext(context, newRuleset(call, { name, kind, phase }), { description, settled });
}

/** PUT entry point: replaces it, or makes it when it is missing (api.md 6.1, 6.3). */
export function putEntryPoint(call: ScopedCall): Answer | Refusal {
  const phase = param(call, 'phase');
  const kind = call.scope.kind === 'zone' ? 'zone' : 'root';
  const problem = placeProblem(kind, phase, call) ?? phasePermissionProblem(call, phase, 'Write');
  if (problem !== undefined) {
    return problem;
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
  // Another name for an existing entry point is ignored (api.md 2.2: uncertain).
  const name = textAt(body, 'name') ?? '';
  const ruleset = existing ?? newRuleset(call, { name: name === '' ? 'default' : name, kind, phase });
  const context = writeContext(call, ruleset);
  const before = existing?.versions.at(-1)?.rules ?? [];
  const settled =
    inputs === undefined
      ? before.map((rule) => ({ rule, pointer: undefined }))
      : settleRules(context, before, inputs);
  if (isRefusal(settled)) {
    return settled;
  }
  const description = textAt(body, 'description');
  return storeNext(context, ruleset, { settled, ...(description === undefined ? {} : { description }) });
}

/** GET entry point. */
export function getEntryPoint(call: ScopedCall): StoredRuleset | Refusal {
  const phase = param(call, 'phase');
  return phaseRow(phase) === undefined ? unknownPhase(phase) : findEntryPoint(call, phase);
}

/** The refusal of a word that is no phase (text assumed). */
export function unknownPhase(phase: string): Refusal {
  return invalidValue(phase, '/phase', 'it is not a known phase');
}

function newRuleset(
  call: ScopedCall,
  head: { readonly name: string; readonly kind: RulesetKind; readonly phase: string },
): StoredRuleset {
  return { id: call.service.newId(), owner: call.scope.owner, ...head, counter: 0, versions: [] };
}

function readKind(kind: string, phase: string, call: ScopedCall): RulesetKind | Refusal {
  switch (kind) {
    case 'managed':
      return managedNotCreatable();
    case 'custom':
    case 'root':
    case 'zone':
      return placeProblem(kind, phase, call) ?? kind;
    default:
      return invalidValue(kind, '/kind', 'it must be one of custom, root, zone');
  }
}

// No such ruleset at this level: kind root in a zone, kind zone in an account, a phase of the other level.
function placeProblem(kind: RulesetKind, phase: string, call: ScopedCall): Refusal | undefined {
  if (phaseRow(phase) === undefined) {
    return unknownPhase(phase);
  }
  const level = call.scope.kind;
  if ((kind === 'root') !== (level === 'account') && kind !== 'custom') {
    return invalidValue(kind, '/kind', `${level}s have no rulesets of kind ${kind}`);
  }
  return allowedActions(phase, kind, level) === undefined
    ? invalidValue(phase, '/phase', `${level}s have no rulesets of kind ${kind} in this phase`)
    : undefined;
}
