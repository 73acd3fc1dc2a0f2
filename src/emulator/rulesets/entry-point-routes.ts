import { decodeBody, param } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/refusal.ts';
import type { StoredRuleset } from '../records/ruleset-record.ts';
import { entryPointBody, readRules } from './rule-body.ts';
import { settleRules } from './rule-identity.ts';
import { phaseRow } from './parameters/phase-rows.ts';
import { misplacement, newRuleset, checkWritable, entryPointOf, findEntryPoint } from './visible-phases.ts';
import { storeNext, writeContext } from './write-ruleset.ts';

/** Finds the entry point of the phase that the path names; refuses an unknown phase. */
export function getEntryPoint(call: ScopedCall): StoredRuleset {
  const phase = param(call, 'phase');
  if (phaseRow(phase) === undefined) {
    throw badParameter('phase', phase, 'it is not a known phase');
  }
  return findEntryPoint(call, phase);
}

/**
 * PUT entry point: replaces description and rules; what is absent stays unchanged. Creates a missing entry point, with
 * the name `default` unless the body has one (api.md 2.2, 6.1, 6.3). A different name for an existing entry point is
 * ignored (uncertain in api.md 2.2).
 */
export function putEntryPoint(call: ScopedCall): Answer {
  const phase = param(call, 'phase');
  const kind = call.scope.kind === 'zone' ? 'zone' : 'root';
  const misplaced = misplacement(kind, phase, call.scope.kind);
  if (misplaced !== undefined) {
    throw badParameter('phase', phase, misplaced.reason);
  }
  checkWritable(call, phase);
  const body = decodeBody(call, entryPointBody);
  const inputs = readRules(body, call.service);
  const existing = entryPointOf(call.service.store, call.scope.owner, phase);
  const ruleset = existing ?? newRuleset(call, { name: body.name || 'default', kind, phase });
  const context = writeContext(call, ruleset);
  const before = ruleset.versions.at(-1)?.rules ?? [];
  const settled = settleRules(context, before, inputs);
  return storeNext(context, ruleset, { settled, description: body.description });
}
