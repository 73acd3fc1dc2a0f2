import type { JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';
import {
  comparedValues,
  redactText,
  redactContent,
  contentFromWire,
  contentToWire,
  HIDDEN,
  referencesIn,
  textsAround,
} from '../../model/index.ts';
import type { Redactions, LiveRule, RuleContent, LiveRuleset, SensitiveValue } from '../../model/index.ts';
import { hasReferences, hideText, isLike, SHORTEST, valuesBeside } from './redact-text.ts';

/** A rule as it is live, in the files or in a version. */
export interface RuleToday {
  readonly id?: string;
  readonly ref?: string;
  readonly content: RuleContent;
}

/** A ruleset as it is today, live and in the files; with `withPast`, also what its versions tell about sensitive values. */
export interface RulesetToday {
  readonly rules: readonly RuleToday[];
  readonly descriptions: readonly string[];
  /** Values that were sensitive, or may have been, each with the reference that takes its place in a rule that is restored. */
  readonly former?: readonly SensitiveValue[];
}

/**
 * Adds what versions of a ruleset tell about its sensitive values. Where a rule has a reference in one version, what it has there in another is a
 * former value. So may be what a header, cookie or parameter is given or compared with, unless today's rules say it in clear: nothing tells. A former
 * value is hidden in all rules.
 */
export function withPast(
  today: RulesetToday,
  versions: readonly LiveRuleset[],
): RulesetToday & Required<Pick<RulesetToday, 'former'>> {
  const past = versions.flatMap(({ rules }) => rules);
  const models = [...today.rules, ...past].filter(({ content }) => hasReferences(content));
  const ownOf = byName(models);
  const clear = today.rules
    .map((rule) => {
      // What may be a sensitive value whose environment variable is not set is not in clear.
      const own = ownOf(rule).map(({ content }) => contentToWire(content));
      const shown = hideBy(contentToWire(rule.content), { own, others: [], purpose: 'show' });
      return textsAround(JSON.stringify(shown)).join('\n');
    })
    .join('\n');
  const deeds = past.map(({ content }) => content.action);
  const isSecret = (text: string): boolean =>
    text.length >= SHORTEST &&
    referencesIn(text).length === 0 &&
    !clear.includes(JSON.stringify(text).slice(1, -1)) &&
    !deeds.some((action) => action.includes(text));
  const former = new Map<string, string>();
  let unknown = 0;
  const next = (): string => `${UNKNOWN}${(unknown += 1)}>`;
  for (const rule of past) {
    for (const model of ownOf(rule)) {
      const [reference, ...more] = referencesIn(JSON.stringify(contentToWire(model.content)));
      for (const value of valuesBeside(contentToWire(rule.content), contentToWire(model.content), 'like')) {
        if (reference !== undefined && isSecret(value)) {
          former.set(value, more.length === 0 ? reference : next());
        }
      }
    }
  }
  for (const { phase, rules } of versions) {
    for (const value of rules.flatMap(({ content }) => comparedValues(phase, contentToWire(content)))) {
      if (isSecret(value) && !former.has(value)) {
        former.set(value, next());
      }
    }
  }
  return {
    ...today,
    rules: [...today.rules, ...models],
    former: [...former]
      .map(([value, reference]) => ({ value, reference }))
      .sort((a, b) => b.value.length - a.value.length),
  };
}

/** Returns a function that finds the rules with the id or the `ref` of a rule. */
function byName(rules: readonly RuleToday[]): (rule: RuleToday) => readonly RuleToday[] {
  const named = new Map<string | undefined, Set<RuleToday>>();
  for (const rule of rules) {
    for (const name of [rule.id, rule.ref]) {
      named.set(name, (named.get(name) ?? new Set()).add(rule));
    }
  }
  named.delete(undefined);
  return ({ id, ref }) => [...new Set([id, ref].flatMap((name) => [...(named.get(name) ?? [])]))];
}

/** How a reference begins to a value of which nothing tells what takes its place; whoever restores it has to know the value. */
const UNKNOWN = '<sensitive:former_';

/** Keeps the former values that nothing took the place of, so that a rule which is restored gets them as they were. */
export function valuesToRestore({ former = [] }: Pick<RulesetToday, 'former'>): readonly SensitiveValue[] {
  return former.filter(({ reference }) => reference.startsWith(UNKNOWN));
}

function isSame(one: RuleToday, { id, ref }: RuleToday): boolean {
  return (one.id !== undefined && one.id === id) || (one.ref !== undefined && one.ref === ref);
}

/**
 * Removes from an earlier version of a ruleset the texts in whose place there is a sensitive value today. To `show` the version, they are
 * hidden; to `restore` it, today's value is kept, since whoever wants the earlier rules back has no use for a secret that was changed.
 */
export function hideInVersion(
  version: LiveRuleset,
  today: RulesetToday,
  purpose: 'show' | 'restore',
): LiveRuleset {
  const known = { ...today, rules: today.rules.filter(({ content }) => hasReferences(content)) };
  return {
    ...version,
    description: hideDescription(version.description, known, purpose),
    rules: version.rules.map((rule) => hideInRule(rule, known, purpose)),
  };
}

/** Returns the rules of a version that today's rules lack, by id and by `ref`: where they held sensitive values, today does not tell. */
export function formerRules(
  { rules }: Pick<LiveRuleset, 'rules'>,
  today: readonly RuleToday[],
): LiveRuleset['rules'] {
  return rules.filter((rule) => !today.some((one) => isSame(one, rule)));
}

/** Does for one rule what `hideInVersion` does. Shown, it loses what other rules' sensitive values would replace in the same text, too. */
export function hideInRule(rule: LiveRule, today: RulesetToday, purpose: 'show' | 'restore'): LiveRule {
  const wires = (rules: readonly RuleToday[]): readonly JsonValue[] =>
    rules.filter(({ content }) => hasReferences(content)).map(({ content }) => contentToWire(content));
  const own = wires(today.rules.filter((one) => isSame(one, rule)));
  const others = purpose === 'show' ? wires(today.rules.filter((one) => !isSame(one, rule))) : [];
  return {
    ...rule,
    content: redactContent(hiddenBy(rule.content, { own, others, purpose }), pastOf(today, purpose)),
  };
}

interface VersionModels {
  readonly own: readonly JsonValue[];
  readonly others: readonly JsonValue[];
  readonly purpose: 'show' | 'restore';
}

function hiddenBy(content: RuleContent, models: VersionModels): RuleContent {
  const hidden =
    models.own.length + models.others.length === 0 ? null : hideBy(contentToWire(content), models);
  return isJsonObject(hidden) ? contentFromWire(hidden) : content;
}

/** As `hide`, by several models: of a rule's own, one that the text is like decides. */
function hideBy(value: JsonValue, { own, others, purpose }: VersionModels): JsonValue {
  if (typeof value === 'string') {
    const texts = own.filter((one) => typeof one === 'string').filter(hasReferences);
    const model = texts.find((one) => isLike(value, one)) ?? texts[0];
    const shown = model === undefined ? value : hideText(value, model, purpose === 'show' ? 'all' : 'renew');
    return others
      .filter((one) => typeof one === 'string')
      .reduce((text, other) => hideText(text, other, 'like'), shown);
  }
  const at = (key: string | number): VersionModels => ({
    own: own.flatMap((one) => memberOf(one, key)),
    others: others.flatMap((one) => memberOf(one, key)),
    purpose,
  });
  if (isJsonArray(value)) {
    return value.map((item, index) => hideBy(item, at(index)));
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hideBy(member, at(key))]))
    : value;
}

function memberOf(value: JsonValue, key: string | number): readonly JsonValue[] {
  const member =
    typeof key === 'number'
      ? isJsonArray(value)
        ? value[key]
        : undefined
      : isJsonObject(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
  return member === undefined ? [] : [member];
}

/** Does it for the description of the ruleset. */
export function hideDescription(
  description: string,
  today: Pick<RulesetToday, 'descriptions' | 'former'>,
  purpose: 'show' | 'restore',
): string {
  const model = today.descriptions.find(hasReferences);
  if (model === undefined) {
    return redactText(description, pastOf(today, purpose));
  }
  return purpose === 'restore' ? model : hideText(description, model, 'all');
}

function pastOf({ former = [] }: Pick<RulesetToday, 'former'>, purpose: 'show' | 'restore'): Redactions {
  return new Map(former.map(({ value, reference }) => [value, purpose === 'show' ? HIDDEN : reference]));
}
