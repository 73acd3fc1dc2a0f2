import { decodeResult } from '../../api/response.ts';
import type { DryRunClient, WriteClient } from '../../api/client.ts';
import { decodeRuleset } from '../../api/decode-ruleset.ts';
import { dryRun } from '../../api/dry-run.ts';
import type { WriteRequest } from '../../api/request.ts';
import type { CreateRuleset, Position, RuleAt, UpdateRuleset } from '../../api/ruleset-requests.ts';
import {
  addRuleRequest,
  createRulesetRequest,
  deleteRuleRequest,
  deleteRulesetRequest,
  updateRuleRequest,
  updateRulesetRequest,
} from '../../api/ruleset-requests.ts';
import { assertNever } from '../../model/assert-never.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { Anchor, Write } from '../../plan/requests/writes.ts';

/** Sends one write; returns the ruleset after it, null when the service returns none. */
export async function sendWrite(
  client: WriteClient,
  place: WritePlace,
  write: Write,
  before: LiveRuleset | null,
): Promise<LiveRuleset | null> {
  const answer = await client.send(writeRequest(place, write, before));
  // The answer to a deleted rule may have an empty body (api.md 2.1 row 12).
  const isEmpty = write.kind === 'delete-rule' && answer.result === null;
  return write.kind === 'delete-ruleset' || isEmpty ? null : decodeResult(answer, decodeRuleset);
}

/** Has the service check one write. Rejects as `dryRun` does. */
export function dryRunWrite(
  client: DryRunClient,
  place: WritePlace,
  write: Write,
  before: LiveRuleset | null,
): Promise<void> {
  return dryRun(client, writeRequest(place, write, before));
}

/** Where a write goes; the phase determines the permission that it needs. */
interface WritePlace {
  readonly scope: Scope;
  readonly phase: string;
}

function writeRequest({ scope, phase }: WritePlace, write: Write, before: LiveRuleset | null): WriteRequest {
  return { ...requestOf(scope, write, before), phase };
}

function requestOf(scope: Scope, write: Write, before: LiveRuleset | null): WriteRequest {
  switch (write.kind) {
    case 'create-ruleset':
      return createRulesetRequest(scope, creationOf(write));
    case 'put-ruleset':
      return updateRulesetRequest(scope, write.id, updateOf(write));
    case 'add-rule': {
      const at = { scope, rulesetId: write.id };
      return addRuleRequest(at, write.rule, positionOf(write.behind, before));
    }
    case 'patch-rule': {
      const position = write.behind === null ? undefined : positionOf(write.behind, before);
      return updateRuleRequest(ruleAt(scope, write), write.rule, position);
    }
    case 'delete-rule':
      return deleteRuleRequest(ruleAt(scope, write));
    case 'delete-ruleset':
      return deleteRulesetRequest(scope, write.id);
    default:
      return assertNever(write);
  }
}

function ruleAt(scope: Scope, { id, ruleId }: { readonly id: string; readonly ruleId: string }): RuleAt {
  return { scope, rulesetId: id, ruleId };
}

function creationOf(write: Extract<Write, { readonly kind: 'create-ruleset' }>): CreateRuleset {
  const { level: kind, phase, name } = write.target;
  return { name, kind, phase, description: write.description, rules: write.rules };
}

function updateOf(write: Extract<Write, { readonly kind: 'put-ruleset' }>): UpdateRuleset {
  return {
    ...(write.description === null ? {} : { description: write.description }),
    ...(write.rules === null ? {} : { rules: write.rules }),
  };
}

/** Positions are relative: an index would mean another place after somebody else's write. */
function positionOf(behind: Anchor, before: LiveRuleset | null): Position {
  switch (behind.kind) {
    case 'first':
      return { before: '' };
    case 'live':
      return { after: behind.id };
    case 'new': {
      const made = before?.rules.find((rule) => rule.ref === behind.ref);
      return { after: made?.id ?? '' };
    }
    default:
      return assertNever(behind);
  }
}
