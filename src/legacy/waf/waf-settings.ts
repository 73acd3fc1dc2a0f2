import type { JsonObject } from '../../data/index.ts';
import { objectOf, textOf, objectsIn } from '../../data/index.ts';
import type { LiveRule } from '../../model/index.ts';
import { contentFromWire, readOverrides } from '../../model/index.ts';
import type { WafSetting } from './waf-migration.ts';

/** The vendor's ruleset, the core ruleset, and the core ruleset's rule that acts on the score (api.md 7.1, 7.2). */
const VENDOR_RULESET = 'efb7b8c949ac4650a09736fc376e9aee';
const CORE_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f';
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';

/** The settings of a zone's old WAF, as far as they could be read. */
export interface OldSettings {
  /** Null where they were not read. */
  readonly packages: readonly OldPackage[] | null;
  /** Expressions of active firewall rules that bypass the managed rules; null: not read. */
  readonly bypasses: readonly string[] | null;
  /** Active page rules that affect the WAF, with their URLs and what they set; null: not read. */
  readonly pageRules: readonly { readonly urls: readonly string[]; readonly says: string }[] | null;
}

/** A package of the old WAF. */
export interface OldPackage {
  readonly name: string;
  readonly anomaly: boolean;
  readonly sensitivity: string | null;
  readonly actionMode: string | null;
  readonly groupsOff: readonly string[];
  /** Groups with rules that have a mode of their own. */
  readonly groupsModified: readonly string[];
  /** Rules with a mode of their own, such as `100007 disable`. */
  readonly rules: readonly string[];
}

/** Compares old and new settings side by side (specification 3.3). */
export function compareSettings(old: OldSettings, rules: readonly JsonObject[]): readonly WafSetting[] {
  const execute = (id: string): JsonObject | undefined =>
    rules.find((rule) => rule['action'] === 'execute' && objectOf(rule['action_parameters'])['id'] === id);
  const skips = rules.filter(({ action }) => action === 'skip');
  return [
    ...(old.packages ?? []).flatMap((each) =>
      each.anomaly ? coreRows(each, execute(CORE_RULESET)) : vendorRows(each, execute(VENDOR_RULESET)),
    ),
    ...(old.bypasses ?? []).map((text) => exception('Firewall rule, bypass', text, skips)),
    ...(old.pageRules ?? []).map(({ urls, says }): WafSetting => ({
      name: `Page rule ${urls.join(', ')}`,
      before: says,
      after: skips.length > (old.bypasses?.length ?? 0) ? 'skip rule' : 'condition of the execute rules',
      fate: 'skip-rule',
    })),
  ];
}

function vendorRows(old: OldPackage, rule: JsonObject | undefined): readonly WafSetting[] {
  if (old.name === 'USER') {
    return old.rules.length === 0 ? [] : [row(`${old.name}: rules`, [old.rules.join(', '), 'none'], 'lost')];
  }
  const overrides = overrideRules(rule).map(overrideWords);
  return [
    row(old.name, ['on', executed(rule)], 'kept'),
    ...(old.groupsOff.length === 0
      ? []
      : [row(`${old.name}: groups off`, [old.groupsOff.join(', '), 'overrides of their rules'], 'changed')]),
    ...(old.rules.length === 0 && overrides.length === 0
      ? []
      : [
          row(
            `${old.name}: rules`,
            [old.rules.join(', ') || 'default', overrides.join(', ') || 'no override'],
            overrides.length === 0 ? 'lost' : 'changed',
          ),
        ]),
  ];
}

function coreRows(old: OldPackage, rule: JsonObject | undefined): readonly WafSetting[] {
  const score = rule === undefined ? undefined : readOverrides(overridesOf(rule)).rules.get(SCORE_RULE);
  const action = typeof score?.['action'] === 'string' ? score['action'] : 'default';
  const lost = [
    ...(old.groupsOff.length === 0 ? [] : [`groups off: ${old.groupsOff.join(', ')}`]),
    ...(old.rules.length === 0 ? [] : [`rules: ${old.rules.join(', ')}`]),
  ];
  return [
    row(
      `${old.name}: sensitivity`,
      [old.sensitivity ?? 'default', rule === undefined ? 'not deployed' : sensitivityOf(rule)],
      'changed',
    ),
    row(
      `${old.name}: action`,
      [old.actionMode ?? 'default', rule === undefined ? 'not deployed' : action],
      old.actionMode === action ? 'kept' : 'changed',
    ),
    ...lost.map((before) => row(`${old.name}: groups and rules`, [before, 'none'], 'lost')),
  ];
}

/** Returns the paranoia level and score threshold of a rule that deploys the core ruleset (specification 3.3). */
function sensitivityOf(rule: JsonObject): string {
  const { categories, rules } = readOverrides(overridesOf(rule));
  const disabled = [...categories]
    .filter(([, { values }]) => values['enabled'] === false)
    .map(([category]) => /^paranoia-level-(\d)$/u.exec(category)?.[1])
    .flatMap((level) => (level === undefined ? [] : [Number(level)]));
  const level = Math.min(...disabled, 5) - 1;
  const threshold = rules.get(SCORE_RULE)?.['score_threshold'];
  return `PL${level}, threshold ${typeof threshold === 'number' ? threshold : 'default'}`;
}

function exception(name: string, text: string, skips: readonly JsonObject[]): WafSetting {
  const kept = skips.some(({ expression }) => expression === text);
  return row(
    name,
    [text, kept ? 'skip rule' : 'not found among the skip rules'],
    kept ? 'skip-rule' : 'lost',
  );
}

function executed(rule: JsonObject | undefined): string {
  return rule === undefined ? 'not deployed' : rule['enabled'] === false ? 'deployed, disabled' : 'deployed';
}

function overrideWords({ id, action, enabled }: JsonObject): string {
  return `${textOf(id).slice(0, 8)}… ${enabled === false ? 'disabled' : textOf(action) || 'enabled'}`;
}

function overrideRules(rule: JsonObject | undefined): readonly JsonObject[] {
  return rule === undefined ? [] : objectsIn(overridesOf(rule)['rules']);
}

function overridesOf(rule: JsonObject): JsonObject {
  return objectOf(objectOf(rule['action_parameters'])['overrides']);
}

function row(
  name: string,
  [before, after]: readonly [before: string, after: string],
  fate: WafSetting['fate'],
): WafSetting {
  return { name, before, after, fate };
}

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
