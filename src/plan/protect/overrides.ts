import type { JsonObject, JsonValue } from '../../model/json.ts';
import { jsonEqual, objectOf, objectsIn } from '../../model/json.ts';
import { strengthOf } from './role.ts';
import type { Verdict } from './verdict.ts';
import { byDepth, byHeight, SAME, stronger, together, weaker } from './verdict.ts';

/** Compares the parameters of two `execute` rules: which ruleset they run, and what their overrides do to it (api.md 5.3). */
export function compareExecutes(before: JsonObject, after: JsonObject): Verdict {
  if (before['id'] !== after['id']) {
    return weaker('runs another ruleset');
  }
  const versionOf = ({ version = 'latest' }: JsonObject): JsonValue => version;
  return together([
    compareOverrides(objectOf(before['overrides']), objectOf(after['overrides'])),
    versionOf(before) === versionOf(after) ? SAME : weaker('runs another version'),
    before['matched_data'] === undefined ||
    after['matched_data'] === undefined ||
    jsonEqual(before['matched_data'], after['matched_data'])
      ? SAME
      : weaker('logs what was matched for the holder of another key'),
  ]);
}

function compareOverrides(before: JsonObject, after: JsonObject): Verdict {
  const { rules: oldRules, categories: oldCategories, ...old } = before;
  const { rules: newRules, categories: newCategories, ...now } = after;
  const [oldOnes, newOnes] = [objectsIn(oldCategories), objectsIn(newCategories)];
  return together([
    compareEntry('the ruleset', { ...USUAL, ...old }, { ...USUAL, ...now }),
    compareCategories(oldOnes, newOnes, usualBelow([old, now])),
    compareByKey('id', usualBelow([old, now, ...oldOnes, ...newOnes]), [
      objectsIn(oldRules),
      objectsIn(newRules),
    ]),
  ]);
}

/** The values of a managed rule unless an override changes them (api.md 5.3). */
const USUAL: JsonObject = { sensitivity_level: 'default' };

/** Returns the defaults of an override entry: empty if a wider override sets the sensitivity. */
function usualBelow(wider: readonly JsonObject[]): JsonObject {
  return wider.some(({ sensitivity_level: level }) => level !== undefined) ? {} : USUAL;
}

/** Compares category overrides. The last matching category wins, so entries are comparable only while they keep their order. */
function compareCategories(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  usual: JsonObject,
): Verdict {
  const common = (
    list: readonly JsonObject[],
    others: readonly JsonObject[],
  ): readonly (JsonValue | undefined)[] =>
    list
      .map((entry) => entry['category'])
      .filter((name) => others.some((entry) => entry['category'] === name));
  if (!jsonEqual(asValues(common(before, after)), asValues(common(after, before)))) {
    return weaker('has categories in another order');
  }
  return compareByKey('category', usual, [before, after]);
}

function compareByKey(
  key: 'id' | 'category',
  usual: JsonObject,
  [before, after]: readonly [before: readonly JsonObject[], after: readonly JsonObject[]],
): Verdict {
  const names = [...new Set([...before, ...after].map((entry) => entry[key]))].filter(
    (name) => typeof name === 'string',
  );
  const find = (list: readonly JsonObject[], name: string): JsonObject => ({
    ...usual,
    ...list.find((entry) => entry[key] === name),
  });
  const label = key === 'id' ? 'rule' : 'category';
  return together(
    names.map((name) => compareEntry(`${label} ${name}`, find(before, name), find(after, name))),
  );
}

/**
 * Compares one override entry. A member that the entry leaves open is decided by a wider override or by the vendor, so only values at the ends
 * of their scales are comparable with it.
 */
export function compareEntry(what: string, before: JsonObject, after: JsonObject): Verdict {
  return together([
    compareOn(what, before['enabled'], after['enabled'], ENABLED),
    compareOn(what, before['action'], after['action'], ACTION),
    compareOn(what, before['sensitivity_level'], after['sensitivity_level'], SENSITIVITY),
    compareThreshold(what, before, after),
  ]);
}

interface Scale {
  readonly name: string;
  /** Height of a value; higher protects more. */
  readonly height: (value: JsonValue) => number | undefined;
  readonly lowest: number;
  readonly highest: number;
}

const ENABLED: Scale = {
  name: 'state',
  height: (value) => (value === true ? 1 : 0),
  lowest: 0,
  highest: 1,
};
const ACTION: Scale = {
  name: 'action',
  height: (value) => (typeof value === 'string' ? strengthOf(value) : undefined),
  lowest: 0,
  highest: 4,
};
const LEVELS = ['eoff', 'low', 'medium', 'default'];
const SENSITIVITY: Scale = {
  name: 'sensitivity',
  height: (value) =>
    typeof value === 'string' && LEVELS.includes(value) ? LEVELS.indexOf(value) : undefined,
  lowest: 0,
  highest: 3,
};

function compareOn(
  what: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  scale: Scale,
): Verdict {
  if (before === after) {
    return SAME;
  }
  const from = before === undefined ? undefined : scale.height(before);
  const to = after === undefined ? undefined : scale.height(after);
  const label = `the ${scale.name} of ${what}`;
  if (from !== undefined && to !== undefined) {
    return byHeight(from, to, label);
  }
  const surelyMore =
    (before === undefined && to === scale.highest) || (after === undefined && from === scale.lowest);
  return surelyMore ? stronger(`raises ${label}`) : weaker(`may lower ${label}`);
}

/** The last rule of the vendor's OWASP ruleset acts from this score on unless overridden (api.md 7.3). */
const OWASP_SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';
const OWASP_SCORE = 40;

/** Compares score thresholds; a lower one stops more. */
function compareThreshold(what: string, before: JsonObject, after: JsonObject): Verdict {
  const usual = what === `rule ${OWASP_SCORE_RULE}` ? OWASP_SCORE : undefined;
  const from = before['score_threshold'] ?? usual;
  const to = after['score_threshold'] ?? usual;
  if (from === to) {
    return SAME;
  }
  return typeof from === 'number' && typeof to === 'number'
    ? byDepth(from, to, `the score threshold of ${what}`)
    : weaker(`may raise the score threshold of ${what}`);
}

function asValues(list: readonly (JsonValue | undefined)[]): readonly JsonValue[] {
  return list.map((value) => value ?? null);
}
