import type { FieldChange } from '../../model/change.ts';
import type { DesiredRuleset, LiveRuleset, LiveRulesetHead } from '../../model/ruleset.ts';
import type { LiveRule } from '../../model/rule.ts';
import { referencesIn } from '../../model/sensitive.ts';
import { isIgnored } from '../rules/ignore.ts';
import { isRespelling } from '../rules/compare-rules.ts';
import { compareMatched } from '../rules/matched-rule.ts';
import { matchRules } from '../rules/match-rules.ts';
import { nameRules } from '../rules/name-rules.ts';
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
  const { pairs } = matchRules(rules, live.rules, {
    owns: (rule) => owns(ownership, rule),
    ignores: (rule) => isIgnored(ignore, rule.ref),
  });
  const byLive = new Map(pairs.map((pair) => [pair.live, pair.desired]));
  return live.rules.flatMap((rule, index): readonly Follow[] => {
    const at = byLive.get(index);
    const ours = at === undefined ? undefined : rules[at];
    if (at === undefined || ours === undefined) {
      return owns(ownership, rule) && !isIgnored(ignore, rule.ref) ? [{ kind: 'insert', live: rule }] : [];
    }
    const { comparison, adopts } = compareMatched(ours, rule, { ignore, notes: [] });
    const changes = comparison.kind === 'different' ? comparison.fields : [];
    const fields = new Set(changes.map(rootOf));
    const paths = changes.filter((change) => !isRespelling(change)).map(({ path }) => path);
    const secret = new Set(changes.filter((change) => bringsSecret(change)).map(rootOf));
    if (adopts) {
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

function rootOf({ path }: FieldChange): string {
  return path.split('/')[1] ?? '';
}

function bringsSecret(change: FieldChange): boolean {
  return change.kind !== 'removed' && referencesIn(JSON.stringify(change.after)).length > 0;
}
