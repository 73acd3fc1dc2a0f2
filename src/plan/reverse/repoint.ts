import { ruleNameOf } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { PlanNote } from '../../model/plan.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { slug } from '../../model/slug.ts';
import { ruleReference } from '../names/rule-references.ts';
import { resolveExecute, resolveSkip } from '../names/resolve-targets.ts';

/** Provisional names, by old id, for what comes back, until the service assigns new ids. */
export interface Returning {
  /** `custom:<slug>` by the old id of the ruleset. */
  readonly rulesets: ReadonlyMap<string, string>;
  /** `rule:<ref>` by the id of the ruleset and the old id of the rule. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Returns what comes back under a new id when rulesets are restored to what they were. */
export function returningTo(
  rulesets: readonly { readonly before: LiveRuleset | null; readonly live: LiveRuleset | null }[],
): Returning {
  const rulesetNames = new Map<string, string>();
  const rules = new Map<string, ReadonlyMap<string, string>>();
  for (const { before, live } of rulesets) {
    if (before !== null) {
      const alive = new Set(live?.rules.map((rule) => rule.id));
      const gone = before.rules.filter((rule) => !alive.has(rule.id));
      rules.set(before.id, new Map(gone.map((rule) => [rule.id, ruleReference(rule.ref)])));
      if (before.kind === 'custom' && live === null) {
        rulesetNames.set(before.id, `custom:${slug(before.name)}`);
      }
    }
  }
  return { rulesets: rulesetNames, rules };
}

/** Updates a content's references to what comes back. */
export function repoint(content: RuleContent, { rulesets, rules }: Returning): RuleContent {
  const parameters = content.action_parameters;
  const rename = (id: string): string => rulesets.get(id) ?? id;
  if (parameters === undefined || (content.action !== 'execute' && content.action !== 'skip')) {
    return content;
  }
  if (content.action === 'execute') {
    return { ...content, action_parameters: resolveExecute(parameters, rename) };
  }
  const skipped = parameters['rules'];
  const renamed = isJsonObject(skipped)
    ? Object.fromEntries(
        Object.entries(skipped).map(([ruleset, ids]) => [ruleset, renameRules(ids, rules.get(ruleset))]),
      )
    : undefined;
  const withRules = renamed === undefined ? parameters : { ...parameters, rules: renamed };
  return { ...content, action_parameters: resolveSkip(withRules, rename) };
}

function renameRules(ids: JsonValue, names: ReadonlyMap<string, string> | undefined): JsonValue {
  return isJsonArray(ids) && names !== undefined
    ? ids.map((id) => (typeof id === 'string' ? (names.get(id) ?? id) : id))
    : ids;
}

/** The note that a deleted rule comes back, but not with its id. */
export function ruleLosesId(step: string, change: RuleChange, old: string): PlanNote {
  const message = `comes back with its ref and a new id; the old one was ${old}`;
  return { kind: 'id-lost', step, ...ruleNameOf(change), message };
}

/** The note that a deleted ruleset comes back, but with neither its id nor its history. */
export function rulesetLosesId(step: string, old: string): PlanNote {
  const message = `comes back with a new id, without its versions; the old id was ${old}`;
  return { kind: 'id-lost', step, rule: '', message };
}
