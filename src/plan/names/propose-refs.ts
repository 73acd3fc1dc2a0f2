import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject, listOf } from '../../data/index.ts';
import type { Ignored, LiveRule } from '../../model/index.ts';
import { executedReference, isNamed, splitReference } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import { isIgnored } from '../compare/ignore.ts';

/** Longer names are cut at a word. */
const LONGEST = 48;

/**
 * Gives the nameless rules of a ruleset file readable, unique refs. As the rules equal live ones, a plan then only names these. Rules that may
 * differ as a whole are recognised by their `ref` alone, and keep it. Names come from descriptions, else from the executed ruleset, else from
 * the action.
 */
export function proposeRefs(
  ruleset: JsonObject,
  live: readonly LiveRule[],
  ignore: readonly Ignored[],
): JsonObject {
  const nameless = live.filter((rule) => !isNamed(rule) && !isIgnored(ignore, rule.ref));
  const unnamed = new Map(nameless.map((rule) => [rule.ref, rule]));
  const taken = new Set(live.map(({ ref }) => ref));
  const rules = listOf(ruleset['rules']);
  return { ...ruleset, rules: rules.map((rule) => rename(rule, unnamed, taken)) };
}

function rename(rule: JsonValue, unnamed: ReadonlyMap<string, LiveRule>, taken: Set<string>): JsonValue {
  const found = isJsonObject(rule) && typeof rule['ref'] === 'string' ? unnamed.get(rule['ref']) : undefined;
  if (found === undefined || !isJsonObject(rule)) {
    return rule;
  }
  return { ...rule, ref: freeName(nameFor(found, rule), taken) };
}

function nameFor({ content }: LiveRule, declared: JsonObject): string {
  const words = slug(content.description) || executed(declared) || slug(content.action) || 'rule';
  const cut = words.slice(0, LONGEST + 1);
  return cut.length <= LONGEST ? words : cut.replace(/-[^-]*$/u, '').slice(0, LONGEST);
}

/** Returns the name of the ruleset that a rule executes, if its file has one. */
function executed(rule: JsonObject): string | undefined {
  const reference = executedReference(rule);
  return reference === undefined ? undefined : splitReference(reference)[1];
}

function freeName(name: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(free)) {
      taken.add(free);
      return free;
    }
  }
}
