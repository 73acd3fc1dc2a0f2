import type { JsonObject, JsonValue } from '../../data/index.ts';
import { jsonEqual, objectOf } from '../../data/index.ts';
import type { Overrides } from '../../model/index.ts';
import { OVERRIDE_MEMBERS, readOverrides, strengthOf } from '../../model/index.ts';
import { oneLine, quoted } from '../../text/index.ts';
import { SAME, stronger, together, unproven, weaker } from './security-effect.ts';
import type { SecurityImpact } from './security-effect.ts';

/** Compares the parameters of two `execute` rules: which ruleset they run, and what their overrides do to it (api.md 5.3). */
export function compareExecutes(before: JsonObject, after: JsonObject): SecurityImpact {
  if (before['id'] !== after['id']) {
    return weaker('runs another ruleset');
  }
  const versionOf = ({ version = 'latest' }: JsonObject): JsonValue => version;
  return together([
    compareOverrides(overridesIn(before), overridesIn(after)),
    versionOf(before) === versionOf(after) ? SAME : unproven('runs another version of its ruleset'),
    compareKeys(before['matched_data'], after['matched_data']),
  ]);
}

/** Compares the keys for which logs hold what was matched. Whose a key is that comes where none was, no plan knows. */
function compareKeys(before: JsonValue | undefined, after: JsonValue | undefined): SecurityImpact {
  if (after === undefined || (before !== undefined && jsonEqual(before, after))) {
    return SAME;
  }
  return before === undefined
    ? unproven('logs what was matched, for whoever holds the key')
    : weaker('logs what was matched for the holder of another key');
}

function overridesIn({ overrides }: JsonObject): Overrides {
  return readOverrides(objectOf(overrides));
}

function compareOverrides(before: Overrides, after: Overrides): SecurityImpact {
  const wide = [before.ruleset, after.ruleset];
  const named = [before, after].flatMap(({ categories }) => [...categories]);
  const categories = (unless?: string): readonly JsonObject[] =>
    named.flatMap(([name, { values }]) => (name === unless ? [] : [values]));
  const ofRules = usualBelow([...wide, ...categories()]);
  return together([
    compareEntry('the whole ruleset', { ...USUAL, ...before.ruleset }, { ...USUAL, ...after.ruleset }),
    [...membersIn(named.map(([, { values }]) => values))].every((member) => keepsOrder(member, before, after))
      ? SAME
      : weaker('puts categories in another order, of which the last decides'),
    ...[...new Set(named.map(([name]) => name))].map((name) => {
      // The other categories of a rule may decide what this one leaves open.
      const usual = usualBelow([...wide, ...categories(name)]);
      const valuesIn = (one: Overrides): JsonObject => ({
        ...usual,
        ...one.categories.get(name)?.values,
      });
      return compareEntry(`category ${name}`, valuesIn(before), valuesIn(after));
    }),
    ...[...new Set([...before.rules.keys(), ...after.rules.keys()])].map((id) => {
      const valuesIn = (one: Overrides): JsonObject => ({
        ...ofRules,
        ...one.rules.get(id),
      });
      return compareEntry(`rule ${id}`, valuesIn(before), valuesIn(after));
    }),
  ]);
}

/** The values of a managed rule unless an override changes them (api.md 5.3). */
const USUAL: JsonObject = { sensitivity_level: 'default' };

/** Returns the defaults of an override entry: empty if another override sets the sensitivity. */
function usualBelow(others: readonly JsonObject[]): JsonObject {
  return others.some(({ sensitivity_level: level }) => level !== undefined) ? {} : USUAL;
}

/** Whether the categories that set a member before and after do so in the same order: the last one of a rule decides. */
function keepsOrder(member: string, before: Overrides, after: Overrides): boolean {
  const common = (one: Overrides, other: Overrides): readonly string[] =>
    [...one.categories]
      .filter(
        ([name, { ranks }]) => ranks.has(member) && other.categories.get(name)?.ranks.has(member) === true,
      )
      .sort(([, a], [, b]) => (a.ranks.get(member) ?? 0) - (b.ranks.get(member) ?? 0))
      .map(([name]) => name);
  return jsonEqual(common(before, after), common(after, before));
}

/**
 * Compares one override entry. A member that the entry leaves open is decided by a wider override or by the vendor, so only values at the ends
 * of their scales are comparable with it.
 */
export function compareEntry(what: string, before: JsonObject, after: JsonObject): SecurityImpact {
  return together([
    compareOn(what, before['enabled'], after['enabled'], ENABLED),
    compareOn(what, before['action'], after['action'], ACTION),
    compareOn(what, before['sensitivity_level'], after['sensitivity_level'], SENSITIVITY),
    compareThreshold(what, before, after),
    ...[...membersIn([before, after])]
      .filter((member) => !KNOWN.has(member) && !jsonEqual(before[member], after[member]))
      .map((member) =>
        weaker(`changes ${quoted(member)} of ${what}, whose effect on protection is not known`),
      ),
  ]);
}

const KNOWN: ReadonlySet<string> = new Set(OVERRIDE_MEMBERS);

function membersIn(entries: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => Object.keys(entry)));
}

interface Scale {
  /** What an override with a value does, and one that no longer has it. */
  readonly says: (what: string, before: JsonValue | undefined, after: JsonValue | undefined) => string;
  /** Height of a value; higher protects more. */
  readonly height: (value: JsonValue) => number | undefined;
  readonly lowest: number;
  readonly highest: number;
}

function switches(what: string, before: JsonValue | undefined, after: JsonValue | undefined): string {
  return after === undefined
    ? `no longer switches ${before === false ? 'off' : 'on'} ${what}`
    : `switches ${after === false ? 'off' : 'on'} ${what}`;
}

/** Says from what to what a member of an override goes. */
function goes(member: string): Scale['says'] {
  return (what, before, after) =>
    after === undefined
      ? `no longer sets the ${member} of ${what} to ${inText(before)}`
      : before === undefined
        ? `sets the ${member} of ${what} to ${inText(after)}`
        : `changes the ${member} of ${what} from ${inText(before)} to ${inText(after)}`;
}

function inText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? oneLine(value) : JSON.stringify(value);
}

const ENABLED: Scale = {
  says: switches,
  height: (value) => (value === true ? 1 : 0),
  lowest: 0,
  highest: 1,
};
const ACTION: Scale = {
  says: goes('action'),
  height: (value) => (typeof value === 'string' ? strengthOf(value) : undefined),
  lowest: 0,
  highest: 4,
};
const LEVELS = ['eoff', 'low', 'medium', 'default'];
const SENSITIVITY: Scale = {
  says: goes('sensitivity'),
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
): SecurityImpact {
  if (before === after) {
    return SAME;
  }
  const from = before === undefined ? undefined : scale.height(before);
  const to = after === undefined ? undefined : scale.height(after);
  const reason = scale.says(what, before, after);
  if (from !== undefined && to !== undefined) {
    return from === to ? SAME : to > from ? stronger(reason) : weaker(reason);
  }
  const surelyMore =
    (before === undefined && to === scale.highest) || (after === undefined && from === scale.lowest);
  const hardlyMore =
    (before === undefined && to === scale.lowest) || (after === undefined && from === scale.highest);
  return surelyMore ? stronger(reason) : hardlyMore ? weaker(reason) : unproven(reason);
}

/** The last rule of the vendor's OWASP ruleset acts from this score on unless overridden (api.md 7.3). */
const OWASP_SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';
const OWASP_SCORE = 40;

/** Returns the score from which on a managed rule acts unless overridden; undefined where it is not known or the rule has none. */
export function usualScore(id: string): number | undefined {
  return id === OWASP_SCORE_RULE ? OWASP_SCORE : undefined;
}

/** Compares score thresholds; a lower one stops more. */
function compareThreshold(what: string, before: JsonObject, after: JsonObject): SecurityImpact {
  const usual = usualScore(what.replace(/^rule /u, ''));
  const from = before['score_threshold'] ?? usual;
  const to = after['score_threshold'] ?? usual;
  if (from === to) {
    return SAME;
  }
  if (typeof from !== 'number' || typeof to !== 'number') {
    return unproven(goes('score threshold')(what, from, to));
  }
  const reason = `${goes('score threshold')(what, from, to)} (acts ${to < from ? 'sooner' : 'later'})`;
  return to < from ? stronger(reason) : weaker(reason);
}
