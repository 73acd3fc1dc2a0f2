import type { DryRunClient, WriteClient } from '../api/client.ts';
import {
  dryRunAddRule,
  dryRunCreateRuleset,
  dryRunDeleteRule,
  dryRunDeleteRuleset,
  dryRunUpdateRule,
  dryRunUpdateRuleset,
} from '../api/ruleset-dry-runs.ts';
import {
  addRule,
  createRuleset,
  deleteRule,
  deleteRuleset,
  updateRule,
  updateRuleset,
} from '../api/ruleset-writes.ts';
import type { CreateRuleset, Position, UpdateRuleset } from '../api/ruleset-requests.ts';
import { assertNever } from '../model/assert-never.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { Anchor, Write } from '../plan/writes.ts';

/** Sends one write; answers the ruleset as it is afterwards, null where the service answers none. */
export function sendWrite(
  client: WriteClient,
  scope: Scope,
  write: Write,
  before: LiveRuleset | null,
): Promise<LiveRuleset | null> {
  switch (write.kind) {
    case 'create-ruleset':
      return createRuleset(client, scope, creationOf(write));
    case 'put-ruleset':
      return updateRuleset(client, scope, write.id, updateOf(write));
    case 'add-rule':
      return addRule(client, scope, write.id, write.rule, positionOf(write.behind, before));
    case 'patch-rule': {
      const position = write.behind === null ? undefined : positionOf(write.behind, before);
      return updateRule(client, scope, write.id, write.ruleId, write.rule, position);
    }
    case 'delete-rule':
      return deleteRule(client, scope, write.id, write.ruleId);
    case 'delete-ruleset':
      return deleteRuleset(client, scope, write.id).then(() => null);
    default:
      return assertNever(write);
  }
}

/**
 * Has the service check one write with `dry_run` (api.md 2.4). Rejects with the error that the write would
 * meet, and with `dry-run-wrote` when the service has written after all.
 */
export function dryRunWrite(
  client: DryRunClient,
  scope: Scope,
  write: Write,
  before: LiveRuleset | null,
): Promise<void> {
  switch (write.kind) {
    case 'create-ruleset':
      return dryRunCreateRuleset(client, scope, creationOf(write));
    case 'put-ruleset':
      return dryRunUpdateRuleset(client, scope, write.id, updateOf(write));
    case 'add-rule':
      return dryRunAddRule(client, scope, write.id, write.rule, positionOf(write.behind, before));
    case 'patch-rule': {
      const position = write.behind === null ? undefined : positionOf(write.behind, before);
      return dryRunUpdateRule(client, scope, write.id, write.ruleId, write.rule, position);
    }
    case 'delete-rule':
      return dryRunDeleteRule(client, scope, write.id, write.ruleId);
    case 'delete-ruleset':
      return dryRunDeleteRuleset(client, scope, write.id);
    default:
      return assertNever(write);
  }
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
