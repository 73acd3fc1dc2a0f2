import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/data/json.ts';
import { isJsonArray, isJsonObject, omit } from '../../src/data/json.ts';
import { actionsIn, PHASES } from '../../src/model/index.ts';

/** A ruleset of the reference material. */
export interface CorpusRuleset {
  readonly file: string;
  readonly body: JsonObject;
}

/** The rulesets in `corpus/rulesets`. */
export function corpusRulesets(folder: string): readonly CorpusRuleset[] {
  return jsonFiles(join(folder, 'corpus/rulesets')).flatMap(({ file, value }) =>
    isJsonObject(value) && isJsonObject(value['body']) && value['_type'] === 'ruleset'
      ? [{ file, body: value['body'] }]
      : [],
  );
}

/** The rulesets in `samples/constructed-by-action` that a user can write. */
export function sampleRulesets(folder: string): readonly CorpusRuleset[] {
  return jsonFiles(join(folder, 'samples/constructed-by-action')).flatMap(({ file, value }) => {
    const result = isJsonObject(value) ? value['result'] : undefined;
    return isJsonObject(result) && result['kind'] !== 'managed' ? [{ file, body: result }] : [];
  });
}

/**
 * A ruleset of the service as a zone or account file: fields that only the service writes are left out, and a body without a phase
 * gets one that takes its actions.
 */
export function toDocument({ body }: CorpusRuleset): JsonObject {
  const rules = (isJsonArray(body['rules']) ? body['rules'] : []).map((rule) => toRule(rule));
  const phase = typeof body['phase'] === 'string' ? body['phase'] : phaseFor(rules);
  if (body['kind'] === 'custom') {
    return { account: 'corpus', rulesets: [{ name: body['name'] ?? 'x', phase, rules }] };
  }
  const scope = body['kind'] === 'root' ? 'account' : 'zone';
  return { [scope]: 'corpus', entrypoints: { [phase]: { rules } } };
}

function phaseFor(rules: readonly JsonValue[]): string {
  const actions = rules.map((rule) => (isJsonObject(rule) ? rule['action'] : undefined));
  const headers = rules.some((rule) => {
    const parameters = isJsonObject(rule) ? rule['action_parameters'] : undefined;
    return isJsonObject(parameters) && 'headers' in parameters;
  });
  // Only overrides of DDoS protection have a sensitivity level.
  if (JSON.stringify(rules).includes('"sensitivity_level"')) {
    return 'ddos_l7';
  }
  const found = PHASES.find(({ name }) => {
    const possible: readonly unknown[] = actionsIn(name, 'zone') ?? [];
    return (
      actions.every((action) => possible.includes(action)) && !(headers && name === 'http_request_transform')
    );
  });
  return found?.name ?? 'http_request_firewall_custom';
}

function toRule(rule: JsonValue): JsonValue {
  if (!isJsonObject(rule)) {
    return rule;
  }
  const kept = omit(rule, ['id', 'ref', 'version', 'last_updated', 'categories']);
  return rule['action'] === 'skip' ? kept : omit(kept, ['logging']);
}

function jsonFiles(folder: string): readonly { readonly file: string; readonly value: JsonValue }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => ({
      file,
      value: JSON.parse(withIds(readFileSync(join(folder, file), 'utf8'))) as JsonValue,
    }));
}

/** Replaces placeholders of the documentation such as `<RULE_ID_1>` by distinct ids. */
function withIds(text: string): string {
  const ids = new Map<string, string>();
  return text.replaceAll(
    /"(<[A-Z0-9_]*ID[A-Z0-9_]*>|\$\{[\w.]+\.id\}|\$\{managed_ruleset_id\})"/g,
    (_, name: string) => {
      const id = ids.get(name) ?? String(ids.size + 1).padStart(32, '0');
      ids.set(name, id);
      return `"${id}"`;
    },
  );
}
