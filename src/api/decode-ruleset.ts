import type { Place } from './shape.ts';
import { itemsAt, kindOf, objectAt, optionalText, textMember, unexpected } from './shape.ts';
import type { JsonObject } from '../model/json.ts';
import { isJsonArray, isJsonObject } from '../model/json.ts';
import { OBJECT_FIELDS, contentFromWire } from '../model/rule-fields.ts';
import type { LiveRule } from '../model/rule.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetKind } from '../model/ruleset.ts';

const KINDS: readonly RulesetKind[] = ['managed', 'custom', 'root', 'zone'];

/** A full ruleset of an answer (api.md 3.1). Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeRuleset(result: unknown): LiveRuleset {
  const object = objectAt({ value: result, pointer: '' });
  const rules = itemsAt({ value: object['rules'] ?? [], pointer: '/rules' }).map(decodeRule);
  refuseRepeatedIds(rules);
  return { ...headOf(object, ''), rules };
}

/** The rulesets of a list answer, without their rules. */
export function decodeRulesetHeads(result: unknown): readonly LiveRulesetHead[] {
  return itemsAt({ value: result, pointer: '' }).map((item) => headOf(objectAt(item), item.pointer));
}

function headOf(object: JsonObject, pointer: string): LiveRulesetHead {
  const kind = textMember(object, 'kind', pointer);
  const known = KINDS.find((candidate) => candidate === kind);
  if (known === undefined) {
    throw unexpected(
      `${pointer}/kind`,
      `should be one of ${KINDS.join(', ')} and is ${JSON.stringify(kind)}`,
    );
  }
  return {
    id: textMember(object, 'id', pointer),
    name: optionalText(object, 'name', pointer) ?? '',
    description: optionalText(object, 'description', pointer) ?? '',
    kind: known,
    phase: textMember(object, 'phase', pointer),
    version: versionOf(object, pointer),
    lastUpdated: optionalText(object, 'last_updated', pointer) ?? '',
  };
}

function versionOf(object: JsonObject, pointer: string): string {
  const version = textMember(object, 'version', pointer);
  if (!/^[0-9]+$/.test(version)) {
    throw unexpected(`${pointer}/version`, `should be a number in text and is ${JSON.stringify(version)}`);
  }
  return version;
}

/**
 * Recordings from before 2022 have rules without `id` and `ref`; these decode with an empty id, and
 * reading live state refuses them, for nothing could be done to such a rule.
 */
function decodeRule({ value, pointer }: Place): LiveRule {
  const rule = objectAt({ value, pointer });
  textMember(rule, 'action', pointer);
  optionalText(rule, 'expression', pointer);
  optionalText(rule, 'description', pointer);
  const enabled = rule['enabled'] ?? true;
  if (typeof enabled !== 'boolean') {
    throw unexpected(`${pointer}/enabled`, `should be true or false and is ${kindOf(enabled)}`);
  }
  for (const name of OBJECT_FIELDS) {
    const field = rule[name] ?? undefined;
    if (field !== undefined && !isJsonObject(field)) {
      throw unexpected(`${pointer}/${name}`, `should be an object and is ${kindOf(field)}`);
    }
  }
  const id = optionalText(rule, 'id', pointer) ?? '';
  const ref = optionalText(rule, 'ref', pointer) ?? '';
  const decoded = { id, ref: ref === '' ? id : ref, content: contentFromWire(rule) };
  if (!isJsonArray(rule['categories'])) {
    return decoded;
  }
  const categories = rule['categories'].filter((tag) => typeof tag === 'string');
  return categories.length === 0 ? decoded : { ...decoded, categories };
}

function refuseRepeatedIds(rules: readonly LiveRule[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of rules.entries()) {
    if (id !== '' && seen.size === seen.add(id).size) {
      const first = rules.findIndex((rule) => rule.id === id);
      throw unexpected(`/rules/${index}/id`, `is the same as that of /rules/${first}`);
    }
  }
}
