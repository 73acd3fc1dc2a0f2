import { splitWindow } from '../../expression/index.ts';
import { isTelling, canonicalContent, referencesIn } from '../../model/index.ts';
import { groupBy, canonicalJson } from '../../data/index.ts';
import type {
  FieldChange,
  DesiredRuleset,
  LiveRuleset,
  LiveRulesetHead,
  LiveRule,
  RuleContent,
} from '../../model/index.ts';
import { isIgnored } from '../compare/ignore.ts';
import { compareExpressions, isRespelling } from '../compare/compare-rules.ts';
import { compareMatched } from '../match/pair-rules.ts';
import { matchRules, matchOptions } from '../match/match-rules.ts';
import type { RulePair } from '../match/match-rules.ts';
import { isNameless, nameRules, owns } from '../match/name-rules.ts';
import type { NamedRule } from '../match/name-rules.ts';
import { resolveTargets } from '../names/resolve-targets.ts';

/** An entry of the rule list, in live order, that files must have to follow live. */
export type Follow =
  /** The rule in the files says what is live. */
  | { readonly kind: 'keep'; readonly desired: number; readonly live: LiveRule }
  /** The rule in the files differs from live in these fields. */
  | {
      readonly kind: 'edit';
      readonly desired: number;
      readonly live: LiveRule;
      readonly fields: ReadonlySet<string>;
      /** JSON Pointers of the differences; expressions of the same meaning do not count. */
      readonly paths: readonly string[];
      /** The fields where the files have a reference to a sensitive value and live has something else, which may be the previous value. */
      readonly secret: ReadonlySet<string>;
    }
  /** No rule in the files corresponds to the live rule. */
  | { readonly kind: 'insert'; readonly live: LiveRule };

/**
 * Computes what the rules of a declared ruleset must become to say what is live: planning in reverse. Rules of others, and rules that may
 * differ as a whole, take no part; rules of the files without a live counterpart are left out of the result.
 */
export function followLive(
  desired: DesiredRuleset,
  live: LiveRuleset,
  catalogue: readonly LiveRulesetHead[],
): readonly Follow[] {
  const { ownership, ignore = [], address } = desired;
  const rules = nameRules(
    desired.rules.map((rule) => ({
      ...rule,
      content: resolveTargets(rule.content, address.phase, { catalogue, created: [] }).content,
    })),
  );
  const isOurs = (rule: LiveRule): boolean => owns(ownership, rule) && !isIgnored(ignore, rule.ref);
  const { pairs: sure } = matchRules(rules, live.rules, matchOptions(desired));
  const named = namedSince(rules, live.rules, { pairs: sure, isOurs });
  const renamed = renamedSince(rules, live.rules, { pairs: [...sure, ...named], isOurs });
  const byLive = new Map([...sure, ...named, ...renamed].map((pair) => [pair.live, pair.desired]));
  const toBeNamed = new Set([...named, ...renamed].map((pair) => pair.desired));
  return live.rules.flatMap((rule, index): readonly Follow[] => {
    const at = byLive.get(index);
    const ours = at === undefined ? undefined : rules[at];
    if (at === undefined || ours === undefined) {
      return isOurs(rule) ? [{ kind: 'insert', live: rule }] : [];
    }
    // Apply will name a live rule only if it says the same in every field, so ignored differences count here.
    const tolerated = toBeNamed.has(at) ? [] : ignore;
    const { comparison, adopts } = compareMatched(ours, rule, { ignore: tolerated, notes: [] });
    const changes = comparison.kind === 'different' ? comparison.fields : [];
    const fields = new Set(changes.map(rootOf));
    const paths = changes.filter((change) => !isRespelling(change)).map(({ path }) => path);
    const secret = new Set(changes.filter((change) => bringsSecret(change)).map(rootOf));
    // A nameless live rule for which the files have a name is still to be given that name, so the name stays.
    if (adopts && !(isNameless(rule) && isTelling(ours.ref))) {
      fields.add('ref').add('id').add('adopt');
    }
    if (fields.delete('expression')) {
      differingKeys(ours.content.expression, rule.content.expression).forEach((key) => fields.add(key));
    }
    if (fields.has('action_parameters')) {
      fields.add('extra_parameters');
    }
    if (secret.has('action_parameters')) {
      secret.add('extra_parameters');
    }
    return fields.size === 0
      ? [{ kind: 'keep', desired: at, live: rule }]
      : [{ kind: 'edit', desired: at, live: rule, fields, paths, secret }];
  });
}

/** Returns the keys of a file that say what differs in an expression: files say its window apart. */
function differingKeys(ours: string, live: string): readonly string[] {
  const [own, its] = [ours, live].map((text) => splitWindow(text) ?? { expression: text, window: {} });
  const isOther = compareExpressions(own?.expression ?? '', its?.expression ?? '') === 'different';
  return own?.window.from === its?.window.from && own?.window.until === its?.window.until
    ? ['expression']
    : [...(isOther ? ['expression'] : []), 'active'];
}

/** The pairs found so far, and which live rules may be paired. */
interface PairSearch {
  readonly pairs: readonly RulePair[];
  readonly isOurs: (rule: LiveRule) => boolean;
}

/** Pairs rules that got a name in the files with live rules that have none yet, by description, whatever else changed live since. */
function namedSince(
  rules: readonly NamedRule[],
  live: readonly LiveRule[],
  search: PairSearch,
): readonly RulePair[] {
  return pairClear(rules, live, search, { mayBe: isNameless, key: ({ description }) => description });
}

/** What recognises a renamed rule, surest first. */
const RENAMED_BY: readonly ((content: RuleContent) => string)[] = [
  (content) => canonicalJson(canonicalContent(content)),
  ({ description }) => description,
  ({ expression }) => expression.trim(),
];

/** Pairs rules that somebody renamed live: the content is the same, or at least the description or the expression is. */
function renamedSince(
  rules: readonly NamedRule[],
  live: readonly LiveRule[],
  search: PairSearch,
): readonly RulePair[] {
  const mayBe = (rule: LiveRule): boolean => !isNameless(rule);
  const found: RulePair[] = [];
  for (const key of RENAMED_BY) {
    const pairs = [...search.pairs, ...found];
    found.push(...pairClear(rules, live, { ...search, pairs }, { mayBe, key }));
  }
  return found;
}

/** Pairs named rules of the files with live rules by a key that is unique on both sides; "" is no key. */
function pairClear(
  rules: readonly NamedRule[],
  live: readonly LiveRule[],
  { pairs, isOurs }: PairSearch,
  by: { readonly mayBe: (rule: LiveRule) => boolean; readonly key: (content: RuleContent) => string },
): readonly RulePair[] {
  const [paired, taken] = [new Set(pairs.map((one) => one.desired)), new Set(pairs.map((one) => one.live))];
  const left = rules.flatMap((rule, at) => (!isTelling(rule.ref) || paired.has(at) ? [] : [{ rule, at }]));
  const open = live.flatMap((rule, at) =>
    left.length === 0 || taken.has(at) || !by.mayBe(rule) || !isOurs(rule) ? [] : [{ rule, at }],
  );
  const found = groupBy(open, ({ rule }) => by.key(rule.content));
  return [...groupBy(left, ({ rule }) => by.key(rule.content))].flatMap(([key, [one, ...others]]) => {
    const [match, ...more] = found.get(key) ?? [];
    const isClear = key !== '' && others.length === 0 && more.length === 0;
    return one !== undefined && match !== undefined && isClear ? [{ desired: one.at, live: match.at }] : [];
  });
}

function rootOf({ path }: FieldChange): string {
  return path.split('/')[1] ?? '';
}

function bringsSecret(change: FieldChange): boolean {
  return change.kind !== 'removed' && referencesIn(JSON.stringify(change.after)).length > 0;
}
