import { decodeBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { invalidValue } from '../protocol/templates.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import { createBody } from './body.ts';
import { tooManyRulesets } from './errors.ts';
import { settleRules } from './identity.ts';
import { misplacement, newRuleset } from './place.ts';
import { checkRulesetQuota } from './quota.ts';
import { readRules } from './rule-input.ts';
import type { RulesetKind } from '../records/ruleset.ts';
import { checkWritable, entryPointOf } from './visible.ts';
import { storeNext, writeContext } from './write.ts';

/** POST ruleset: a custom ruleset or an entry point (api.md 2.2, 6.3). */
export function createRuleset(call: ScopedCall): Answer {
  const body = decodeBody(call, createBody);
  const inputs = readRules(body, call.service);
  const { name = '', kind = '', phase = '' } = body;
  const head = readHead(call, { name, kind, phase });
  const context = writeContext(call, head);
  const settled = settleRules(context, [], inputs);
  const { store } = call.service;
  const taken = head.kind !== 'custom' && entryPointOf(store, call.scope.owner, head.phase) !== undefined;
  if (taken) {
    throw tooManyRulesets(head.kind, head.phase);
  }
  checkRulesetQuota(store, context.place);
  return storeNext(context, newRuleset(call, head), { settled, description: body.description });
}

interface Head {
  readonly name: string;
  readonly kind: RulesetKind;
  readonly phase: string;
}

function readHead(
  call: ScopedCall,
  said: { readonly name: string; readonly kind: string; readonly phase: string },
): Head {
  const { name, kind, phase } = said;
  if (kind === 'managed') {
    const reason = 'required for managed rulesets';
    throw refuse(400, `'' is not a valid value for ShareableEntitlementName because ${reason}`);
  }
  if (kind !== 'custom' && kind !== 'root' && kind !== 'zone') {
    throw invalidValue(kind, '/kind', 'it must be one of custom, root, zone');
  }
  const misplaced = misplacement(kind, phase, call.scope.kind);
  if (misplaced !== undefined) {
    throw invalidValue(said[misplaced.field], `/${misplaced.field}`, misplaced.reason);
  }
  checkWritable(call, phase);
  if (name === '') {
    throw invalidValue('', '/name', 'it cannot be blank');
  }
  return { name, kind, phase };
}
