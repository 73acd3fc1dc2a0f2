import { isTelling } from '../../model/described-name.ts';
import { groupBy } from '../../model/group-by.ts';
import type { FieldChange } from '../../model/field-change.ts';
import type { DesiredRuleset, LiveRuleset, LiveRulesetHead } from '../../model/ruleset.ts';
import type { LiveRule } from '../../model/rule.ts';
import { referencesIn } from '../../model/sensitive.ts';
import { isIgnored } from '../compare/ignore.ts';
import { isRespelling } from '../compare/compare-rules.ts';
import { compareMatched } from '../rules/matched-rule.ts';
import { matchRules } from '../rules/match-rules.ts';
import type { Pair } from '../rules/pair.ts';
import { isNameless, nameRules } from '../rules/name-rules.ts';
import type { NamedRule } from '../rules/name-rules.ts';
import { owns } from '../rules/ownership.ts';
import { resolveTargets } from '../names/resolve-targets.ts';

/** A place in the list of rules that files have to have to follow live, in live order. */
export type Follow =
  /** The rule of the files says what is live. */
  | { readonly kind: 'keep'; readonly desired: number; readonly live: LiveRule }
  /** It says something else in these fields of the rule. */
  | {
      readonly kind: 'edit';
      readonly desired: number;
      readonly live: LiveRule;
      readonly fields: ReadonlySet<string>;
      /** The places in it that differ, as JSON Pointers; expressions of the same meaning do not count. */
      readonly paths: readonly string[];
      /** Those in which a sensitive value is not live at its place: what is, may be the value of before. */
      readonly secret: ReadonlySet<string>;
    }
  /** No rule of the files stands for it. */
  | { readonly kind: 'insert'; readonly live: LiveRule };

/**
 * What the rules of a declared ruleset have to become to say what is live: the plan read the other way. Rules of others, and those
 * that may differ, take no part; rules of the files that nothing lives of are not in the answer.
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
  const { pairs: sure } = matchRules(rules, live.rules, {
    owns: (rule) => owns(ownership, rule),
    ignores: (rule) => isIgnored(ignore, rule.ref),
  });
  const named = namedSince(rules, live.rules, { sure, isOurs });
  const byLive = new Map([...sure, ...named].map((pair) => [pair.live, pair.desired]));
  const toBeNamed = new Set(named.map((pair) => pair.desired));
  return live.rules.flatMap((rule, index): readonly Follow[] => {
    const at = byLive.get(index);
    const ours = at === undefined ? undefined : rules[at];
    if (at === undefined || ours === undefined) {
      return isOurs(rule) ? [{ kind: 'insert', live: rule }] : [];
    }
    // Only one that says the same as live in everything will get its name.
    const tolerated = toBeNamed.has(at) ? [] : ignore;
    const { comparison, adopts } = compareMatched(ours, rule, { ignore: tolerated, notes: [] });
    const changes = comparison.kind === 'different' ? comparison.fields : [];
    const fields = new Set(changes.map(rootOf));
    const paths = changes.filter((change) => !isRespelling(change)).map(({ path }) => path);
    const secret = new Set(changes.filter((change) => bringsSecret(change)).map(rootOf));
    // Nobody has given it another name live: the one of the files is still to come there.
    if (adopts && !(isNameless(rule) && isTelling(ours.ref))) {
      fields.add('ref').add('id').add('adopt');
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

/** Rules that the files have named, and that nobody has named live yet, by their descriptions: whatever else was changed there since. */
function namedSince(
  rules: readonly NamedRule[],
  live: readonly LiveRule[],
  { sure, isOurs }: { readonly sure: readonly Pair[]; readonly isOurs: (rule: LiveRule) => boolean },
): readonly Pair[] {
  const [paired, taken] = [new Set(sure.map((one) => one.desired)), new Set(sure.map((one) => one.live))];
  const named = rules.flatMap((rule, at) => (!isTelling(rule.ref) || paired.has(at) ? [] : [{ rule, at }]));
  const nameless = live.flatMap((rule, at) =>
    taken.has(at) || !isNameless(rule) || !isOurs(rule) ? [] : [{ rule, at }],
  );
  const described = groupBy(nameless, ({ rule }) => rule.content.description);
  return [...groupBy(named, ({ rule }) => rule.content.description)].flatMap(
    ([description, [one, ...others]]) => {
      const [found, ...more] = described.get(description) ?? [];
      const isClear = description !== '' && others.length === 0 && more.length === 0;
      return one !== undefined && found !== undefined && isClear ? [{ desired: one.at, live: found.at }] : [];
    },
  );
}

function rootOf({ path }: FieldChange): string {
  return path.split('/')[1] ?? '';
}

function bringsSecret(change: FieldChange): boolean {
  return change.kind !== 'removed' && referencesIn(JSON.stringify(change.after)).length > 0;
}
