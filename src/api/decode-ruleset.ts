import type { JsonObject } from '../data/index.ts';
import { isJsonObject, textOf, textsIn } from '../data/index.ts';
import { contentFromWire, isObjectField } from '../model/index.ts';
import type { LiveRule, LiveRuleset, LiveRulesetHead, RulesetKind } from '../model/index.ts';
import { VERSION } from './paths.ts';
import type { FieldReaders } from './answer-shape.ts';
import {
  itemsAt,
  kindOf,
  listAt,
  membersAt,
  objectAt,
  optionalText,
  textMember,
  unexpected,
} from './answer-shape.ts';

const KINDS: readonly RulesetKind[] = ['managed', 'custom', 'root', 'zone'];

/** Decodes a full ruleset (api.md 3.1). Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
export function decodeRuleset(result: unknown): LiveRuleset {
  const object = objectAt({ value: result, pointer: '' });
  const rules = listAt({ value: object['rules'] ?? [], pointer: '/rules' }).map(decodeRule);
  refuseRepeatedIds(rules);
  return { ...headOf({ object, pointer: '' }), rules };
}

/** Decodes a list of rulesets, without their rules. */
export function decodeRulesetHeads(result: unknown): readonly LiveRulesetHead[] {
  return itemsAt({ value: result, pointer: '' }).map((item) => headOf(membersAt(item)));
}

function headOf(ruleset: FieldReaders): LiveRulesetHead {
  const kind = textMember(ruleset, 'kind');
  const known = KINDS.find((candidate) => candidate === kind);
  if (known === undefined) {
    throw unexpected(
      `${ruleset.pointer}/kind`,
      `should be one of ${KINDS.join(', ')} and is ${JSON.stringify(kind)}`,
    );
  }
  return {
    id: textMember(ruleset, 'id'),
    name: optionalText(ruleset, 'name') ?? '',
    description: optionalText(ruleset, 'description') ?? '',
    kind: known,
    phase: textMember(ruleset, 'phase'),
    version: versionOf(ruleset),
    lastUpdated: optionalText(ruleset, 'last_updated') ?? '',
  };
}

function versionOf(ruleset: FieldReaders): string {
  const version = textMember(ruleset, 'version');
  if (!VERSION.test(version)) {
    throw unexpected(
      `${ruleset.pointer}/version`,
      `should be a number in text and is ${JSON.stringify(version)}`,
    );
  }
  return version;
}

/**
 * Decodes a rule. In recordings from before 2022 rules have no `id` and `ref`: they get an empty id, and reading live state refuses them,
 * because no request could name such a rule.
 */
function decodeRule(value: unknown, index: number): LiveRule {
  const rule = isJsonObject(value) ? value : objectAt({ value, pointer: `/rules/${index}` });
  checkMembers(rule, index);
  const id = textOf(rule['id']);
  const ref = textOf(rule['ref']);
  const decoded = { id, ref: ref === '' ? id : ref, content: contentFromWire(rule) };
  if (rule['categories'] === undefined) {
    return decoded;
  }
  const categories = textsIn(rule['categories']);
  return categories.length === 0 ? decoded : { ...decoded, categories };
}

/**
 * Refuses members of the wrong type; `null` counts as absent. Every rule of every response passes through here: one loop over the members
 * that exist takes a third of the time of looking up each member by name.
 */
function checkMembers(rule: JsonObject, index: number): void {
  let action = '';
  for (const key in rule) {
    const member = rule[key] ?? null;
    switch (key) {
      case 'action':
        action = textOf(member);
        break;
      case 'id':
      case 'ref':
      case 'expression':
      case 'description':
        if (typeof member !== 'string' && member !== null) {
          throw unexpected(`/rules/${index}/${key}`, `should be text and is ${kindOf(member)}`);
        }
        break;
      case 'enabled':
        if (typeof member !== 'boolean' && member !== null) {
          throw unexpected(`/rules/${index}/${key}`, `should be true or false and is ${kindOf(member)}`);
        }
        break;
      default:
        // The table lookup comes last: a member that should be an object mostly is one.
        if (!isJsonObject(member) && member !== null && isObjectField(key)) {
          throw unexpected(`/rules/${index}/${key}`, `should be an object and is ${kindOf(member)}`);
        }
    }
  }
  if (action === '') {
    textMember({ object: rule, pointer: `/rules/${index}` }, 'action');
  }
}

function refuseRepeatedIds(rules: readonly LiveRule[]): void {
  const seen = new Set<string>();
  for (const { id } of rules) {
    if (id !== '' && seen.size === seen.add(id).size) {
      const same = rules.flatMap((rule, index) => (rule.id === id ? [index] : []));
      throw unexpected(`/rules/${same[1]}/id`, `is the same as that of /rules/${same[0]}`);
    }
  }
}
