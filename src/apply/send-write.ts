import type { WriteClient } from '../api/client.ts';
import {
  addRule,
  createRuleset,
  deleteRule,
  deleteRuleset,
  updateRule,
  updateRuleset,
} from '../api/ruleset-writes.ts';
import type { Position } from '../api/ruleset-requests.ts';
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
    case 'create-ruleset': {
      const { level: kind, phase, name } = write.target;
      return createRuleset(client, scope, {
        name,
        kind,
        phase,
        description: write.description,
        rules: write.rules,
      });
    }
    case 'put-ruleset':
      return updateRuleset(client, scope, write.id, {
        ...(write.description === null ? {} : { description: write.description }),
        ...(write.rules === null ? {} : { rules: write.rules }),
      });
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
