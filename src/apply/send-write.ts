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
import type { CreateRuleset, Position, RuleAt, RulesetAt, UpdateRuleset } from '../api/ruleset-requests.ts';
import { assertNever } from '../model/assert-never.ts';
import type { JsonObject } from '../model/json.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { Anchor, Write } from '../plan/writes.ts';

/** The calls that a write can be: sent, or checked only. */
interface Calls<Client, Answer> {
  readonly create: (client: Client, scope: Scope, body: CreateRuleset) => Promise<Answer>;
  readonly update: (client: Client, scope: Scope, id: string, body: UpdateRuleset) => Promise<Answer>;
  readonly delete: (client: Client, scope: Scope, id: string) => Promise<Answer>;
  readonly addRule: (client: Client, at: RulesetAt, rule: JsonObject, position: Position) => Promise<Answer>;
  readonly updateRule: (
    client: Client,
    at: RuleAt,
    rule: JsonObject | null,
    position?: Position,
  ) => Promise<Answer>;
  readonly deleteRule: (client: Client, at: RuleAt) => Promise<Answer>;
}

const SENDING: Calls<WriteClient, LiveRuleset | null> = {
  create: createRuleset,
  update: updateRuleset,
  delete: (client, scope, id) => deleteRuleset(client, scope, id).then(() => null),
  addRule,
  updateRule,
  deleteRule,
};

const CHECKING: Calls<DryRunClient, void> = {
  create: dryRunCreateRuleset,
  update: dryRunUpdateRuleset,
  delete: dryRunDeleteRuleset,
  addRule: dryRunAddRule,
  updateRule: dryRunUpdateRule,
  deleteRule: dryRunDeleteRule,
};

/** Sends one write; answers the ruleset as it is afterwards, null where the service answers none. */
export function sendWrite(
  client: WriteClient,
  scope: Scope,
  write: Write,
  before: LiveRuleset | null,
): Promise<LiveRuleset | null> {
  return call(SENDING, client, scope, write, before);
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
  return call(CHECKING, client, scope, write, before);
}

function call<Client, Answer>(
  calls: Calls<Client, Answer>,
  client: Client,
  scope: Scope,
  write: Write,
  before: LiveRuleset | null,
): Promise<Answer> {
  switch (write.kind) {
    case 'create-ruleset':
      return calls.create(client, scope, creationOf(write));
    case 'put-ruleset':
      return calls.update(client, scope, write.id, updateOf(write));
    case 'add-rule':
      return calls.addRule(
        client,
        { scope, rulesetId: write.id },
        write.rule,
        positionOf(write.behind, before),
      );
    case 'patch-rule': {
      const position = write.behind === null ? undefined : positionOf(write.behind, before);
      return calls.updateRule(client, ruleAt(scope, write), write.rule, position);
    }
    case 'delete-rule':
      return calls.deleteRule(client, ruleAt(scope, write));
    case 'delete-ruleset':
      return calls.delete(client, scope, write.id);
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
