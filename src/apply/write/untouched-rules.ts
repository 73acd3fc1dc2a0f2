import { ruleToWire } from '../../model/rule-fields.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Write } from '../../plan/requests/writes.ts';

/**
 * How a PUT names a rule that stays as it is. `by-id`: `{ id }` alone, so that the rule keeps everything, including a concurrent edit (api.md 6.1);
 * only where the service was seen to accept it. `whole`: id, ref and all content that was read, including fields that this version does not know.
 * `unproven`: by id, and then whole if the service refuses that; used when no preflight has asked.
 */
export type UntouchedRules = 'by-id' | 'whole' | 'unproven';

/** Returns the write as it is sent for a live ruleset. */
export function withUntouchedRules(write: Write, live: LiveRuleset | null, form: UntouchedRules): Write {
  if (write.kind !== 'put-ruleset' || write.rules === null || form !== 'whole') {
    return write;
  }
  const byId = new Map(live?.rules.map((rule) => [rule.id, rule]));
  const rules = write.rules.map((entry) => {
    const rule = typeof entry['id'] === 'string' ? byId.get(entry['id']) : undefined;
    return rule === undefined || entry['action'] !== undefined ? entry : { id: rule.id, ...ruleToWire(rule) };
  });
  return { ...write, rules };
}

/** Whether a write names rules by their ids alone. */
export function namesUntouchedRules(write: Write): boolean {
  return write.kind === 'put-ruleset' && (write.rules ?? []).some((entry) => entry['action'] === undefined);
}
