import type { JsonObject } from '../data/index.ts';
import { objectOf, textOf } from '../data/index.ts';
import type { LiveRule } from '../model/index.ts';
import { contentFromWire } from '../model/index.ts';
import type { OldSettings } from './waf-settings.ts';
import { CORE_RULESET, sensitivityOf, VENDOR_RULESET } from './waf-settings.ts';

/** A generated rule, with notes for its reviewer. */
export interface ReviewedRule {
  /** The rule, without an id because it is not live yet. */
  readonly rule: LiveRule;
  readonly notes: readonly string[];
}

const REFS: ReadonlyMap<string, string> = new Map([
  [VENDOR_RULESET, 'managed-ruleset'],
  [CORE_RULESET, 'owasp-core-ruleset'],
]);

/** Gives the generated rules refs of their own, since the service gives them none (api.md 10.1). */
export function reviewedRules(rules: readonly JsonObject[], old: OldSettings): readonly ReviewedRule[] {
  const used = new Map<string, number>();
  return rules.map((generated) => {
    const base = refOf(generated);
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    const ref = count === 1 && base !== 'exception' ? base : `${base}-${count}`;
    const { extra = {}, ...content } = contentFromWire(generated);
    return {
      rule: { id: '', ref, content },
      notes: [
        ...notesOf(generated, old),
        ...Object.keys(extra).map(
          (key) => `Not in this file: ${key}, a field that this version does not know.`,
        ),
      ],
    };
  });
}

/** Returns notes on the configuration as a whole that its rules do not show (specification 3.3). */
export function configurationNotes(old: OldSettings): readonly string[] {
  const core = old.packages?.find(({ anomaly }) => anomaly);
  const lost = core === undefined ? [] : [...core.groupsOff, ...core.groupsModified, ...core.rules];
  return [
    'Not carried over: overrides of groups and rules of the core ruleset, and some settings of the original core rule set.',
    ...(lost.length === 0 ? [] : [`In this zone that is: ${lost.join(', ')}.`]),
    'There is no switch for all managed rules any more: each ruleset below is deployed by its own rule.',
    'Page rules that switch the WAF on or off, or disable security, have no effect on these rules once the migration is finished.',
  ];
}

function refOf(rule: JsonObject): string {
  if (rule['action'] !== 'execute') {
    return 'exception';
  }
  return REFS.get(rulesetOf(rule)) ?? 'ruleset';
}

function rulesetOf({ action_parameters }: JsonObject): string {
  return textOf(objectOf(action_parameters)['id']);
}

function notesOf(rule: JsonObject, old: OldSettings): readonly string[] {
  if (rule['action'] === 'skip') {
    return [`Carried over as a skip rule from ${originOf(rule, old)}.`];
  }
  switch (rulesetOf(rule)) {
    case VENDOR_RULESET:
      return [
        "The vendor's managed ruleset. Rules and groups with a mode of their own became overrides; simulate is log now.",
      ];
    case CORE_RULESET: {
      const core = old.packages?.find(({ anomaly }) => anomaly);
      const now = sensitivityOf(rule);
      return [
        old.packages === null
          ? `The core ruleset. Its sensitivity is ${now} now; what it was could not be read.`
          : `The core ruleset. Changed: sensitivity ${core?.sensitivity ?? 'default'} is ${now} now.`,
        'PL is the paranoia level: higher levels are switched off as categories; the last rule acts on the score.',
      ];
    }
    default:
      return [];
  }
}

/** Returns where an exception of the old WAF came from. */
function originOf({ expression }: JsonObject, { bypasses }: OldSettings): string {
  if (bypasses === null) {
    return 'a firewall rule or a page rule';
  }
  return bypasses.some((text) => text === expression)
    ? 'a firewall rule that bypasses the managed rules'
    : 'a page rule; later edits of it have no effect here';
}
