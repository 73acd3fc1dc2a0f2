import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonObject, plainJson } from '../../model/json.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { hasReferences, hide } from '../../plan/hide/hide-text.ts';
import type { Write } from '../../plan/requests/writes.ts';

/**
 * A write as the journal has it. The way back puts texts where sensitive values stand now, and they may be the values of before: those
 * are sent, and not written down.
 */
export function journalWrite(write: Write, before: LiveRuleset | null): JsonValue {
  const models = before?.rules.filter(({ content }) => hasReferences(content)) ?? [];
  const hidden = (rule: JsonObject, id: JsonValue | undefined): JsonObject => {
    const model = models.find((one) => one.id === id || one.ref === rule['ref']);
    const safe = model === undefined ? rule : hide(rule, contentToWire(model.content), 'all');
    return isJsonObject(safe) ? safe : rule;
  };
  const safe =
    'rules' in write && write.rules !== null
      ? { ...write, rules: write.rules.map((rule) => hidden(rule, rule['id'])) }
      : write.kind === 'patch-rule' && write.rule !== null
        ? { ...write, rule: hidden(write.rule, write.ruleId) }
        : write;
  return plainJson(safe);
}
