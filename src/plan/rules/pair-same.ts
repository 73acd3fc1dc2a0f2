import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import { canonicalJson, omit } from '../../model/json.ts';
import type { JsonObject } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { keepFields } from '../compare/ignore.ts';
import { createMeaning } from './meaning.ts';
import type { Open, Pair } from './pair.ts';
import type { NamedRule } from './name-rules.ts';

/** Returns the fields in which the live rule with this `ref` may differ, as JSON Pointers. */
export type IgnoredFields = (ref: string) => readonly string[];

const NOTHING_IGNORED: IgnoredFields = () => [];

/**
 * Pairs rules that say the same in any spelling, apart from fields that may differ. Copies pair in order, whatever their spelling: otherwise two
 * of them could change places with each apply. Only rules that agree in all that a comparison cannot bridge are compared one by one; otherwise
 * thousands of rules with one condition would be too many.
 */
export function pairSame(
  { desired, live, openDesired, openLive }: Open,
  ignoredFields: IgnoredFields = NOTHING_IGNORED,
): readonly Pair[] {
  if (openDesired.length === 0 || openLive.length === 0) {
    return [];
  }
  const saying = createSaying();
  const free = new Map<string, LiveIndices>();
  for (const at of openLive) {
    const rule = live[at];
    if (rule !== undefined) {
      const fields = ignoredFields(rule.ref);
      const indices = free.get(canonicalJson(fields)) ?? { fields, byText: new Map<string, Set<number>>() };
      free.set(canonicalJson(fields), indices);
      const text = saying(rule.content, fields);
      indices.byText.set(text, (indices.byText.get(text) ?? new Set()).add(at));
    }
  }
  return openDesired.flatMap((index): readonly Pair[] => {
    const rule = desired[index];
    const found = [...free.values()].flatMap(({ fields, byText }) => {
      const left = rule === undefined ? undefined : byText.get(saying(rule.content, fields));
      const first = firstOf(left ?? [], (at) => saysTheSame(rule, live[at], fields));
      return left === undefined || first === undefined ? [] : [{ first, left }];
    });
    const [next] = found.toSorted((one, other) => one.first - other.first);
    next?.left.delete(next.first);
    return next === undefined ? [] : [{ desired: index, live: next.first }];
  });
}

function firstOf(indices: Iterable<number>, fits: (index: number) => boolean): number | undefined {
  for (const index of indices) {
    if (fits(index)) {
      return index;
    }
  }
  return undefined;
}

/** Open live rules that may differ in the same fields, by what else they say. */
interface LiveIndices {
  readonly fields: readonly string[];
  readonly byText: Map<string, Set<number>>;
}

/** Returns a function whose text for a rule is equal for all rules that say the same apart from some fields. */
function createSaying(): (content: RuleContent, fields: readonly string[]) => string {
  const meaning = createMeaning();
  return (content, fields) => {
    const { action, enabled, description, expression } = content;
    if (fields.length === 0) {
      return canonicalJson({ ...canonicalContent(certainPart(content)), expression: meaning(expression) });
    }
    const unless = <Value>(field: string, value: Value): Value | null =>
      fields.includes(field) ? null : value;
    return canonicalJson([
      unless('/action', action),
      unless('/enabled', enabled),
      unless('/description', description),
      unless('/expression', meaning(expression)),
    ]);
  };
}

/** Returns a content without what `carryOver` may add and what may be spelled otherwise, so that rules which say the same agree in the rest. */
function certainPart({ extra: _extra, ...content }: RuleContent): RuleContent {
  const { action, action_parameters: parameters, ratelimit } = content;
  const known = KNOWN_ACTION_PARAMETERS.get(action);
  return {
    ...content,
    ...(parameters === undefined || known === undefined
      ? {}
      : { action_parameters: pick(parameters, (key) => known.has(key) || key === 'version') }),
    ...(ratelimit === undefined ? {} : { ratelimit: omit(ratelimit, ['counting_expression']) }),
  };
}

function pick(object: JsonObject, wanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => wanted(key)));
}

/** Whether a desired rule, completed with what only live says and with the live values of fields that may differ, says what is live. */
function saysTheSame(
  rule: NamedRule | undefined,
  live: LiveRule | undefined,
  fields: readonly string[],
): boolean {
  if (rule === undefined || live === undefined) {
    return false;
  }
  const carried = carryOver(rule.content, live.content).content;
  const wanted = fields.length === 0 ? carried : keepFields(carried, live.content, fields);
  return compareContent(live.content, wanted).kind !== 'different';
}
