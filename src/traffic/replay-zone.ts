import { canonicalJson, groupBy, isJsonObject, memoise, memoiseWeakly, textsIn } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { allLists, parseExpression, takeInventory } from '../expression/index.ts';
import type { Values } from '../expression/index.ts';
import { descriptionBeside, phaseFacts, PHASES, scopeLabel, shownText } from '../model/index.ts';
import type { RuleChangeKind, RuleContent, ScopeRef } from '../model/index.ts';
import { heaviestIncreasing } from '../plan/index.ts';
import { customKey, evaluationOf, prepareScope, ruleName } from '../simulate/index.ts';
import type {
  Evaluation,
  Lists,
  PreparedRule,
  PreparedRuleset,
  PreparedScope,
  PreparedZone,
  SimulatedScope,
  ZoneFacts,
} from '../simulate/index.ts';
import { commonKeyReader, rateCounter } from './count-rate-limits.ts';
import type { RateCounter } from './count-rate-limits.ts';
import type { TrafficRecord } from './record.ts';

/** A zone whose traffic is replayed: its rules and those of its account, as they are live and as they are wanted. Plain JSON. */
export interface ReplayZone {
  readonly zone: ZoneFacts;
  readonly live: readonly SimulatedScope[];
  readonly desired: readonly SimulatedScope[];
  /** Items of the lists that the rules name, as they are live, and as they are wanted. */
  readonly lists: Lists;
  readonly desiredLists: Lists;
  /** Since when the live rules are as they are, in milliseconds since 1970; null where that is not known. */
  readonly since: number | null;
  /** The rules that were in force before, as far as they are known; spans do not overlap. */
  readonly earlier: readonly EarlierRules[];
}

/** Rules that were in force for some time, in milliseconds since 1970, with the items of lists that are known of it. */
export interface EarlierRules {
  readonly from: number;
  readonly until: number;
  readonly rules: readonly SimulatedScope[];
  readonly lists: Lists;
}

/** A rule of which the replay counts what it matches. */
export interface ReplayedRule {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Name of the custom ruleset; null for a rule of an entry point. */
  readonly ruleset: string | null;
  /** The `ref`, else the description, else its number in the ruleset. */
  readonly ref: string;
  /** Present when the `ref` tells people nothing. */
  readonly description?: string;
  /** Empty for a rule that the service does not have yet. */
  readonly id: string;
  readonly change: RuleChangeKind;
  /** Whether it acts at all, after the change. */
  readonly enabled: boolean;
}

/** One side of a comparison: the rules, compiled, and their counters. */
export interface ReplaySide {
  readonly prepared: PreparedZone;
  /** For each ruleset, the numbers of its rules among all that are replayed. */
  readonly numbers: ReadonlyMap<PreparedRuleset, readonly number[]>;
  readonly numberOf: ReadonlyMap<PreparedRule, number>;
  readonly counters: ReadonlyMap<PreparedRule, RateCounter>;
  /**
   * What has the same answer live and desired, though nobody knows which: rules with the same condition, or with the same content where it is its
   * work that only the service knows.
   */
  readonly couples: ReadonlyMap<PreparedRule, string>;
  readonly rulesOf: ReadonlyMap<string, readonly PreparedRule[]>;
  /** Rules that are not the same on the other side. */
  readonly changed: readonly PreparedRule[];
  /** The rulesets that rules execute, as far as their rules are known. */
  readonly executed: ReadonlyMap<PreparedRule, PreparedRuleset>;
  /** Rules that may change what later ones see: that rewrite, or execute rulesets that may. */
  readonly mayRewrite: ReadonlySet<PreparedRule>;
  /** Entry points of phases that see the answer. */
  readonly ofAnswers: readonly PreparedRuleset[];
}

/** A zone, ready for its traffic. */
export interface ReadyZone {
  readonly name: string;
  readonly facts: ZoneFacts;
  readonly since: number | null;
  /** The rules that were in force before the live ones, compiled when they are first asked for. */
  readonly earlier: readonly {
    readonly from: number;
    readonly until: number;
    readonly side: () => ReplaySide;
  }[];
  readonly live: ReplaySide;
  readonly desired: ReplaySide;
  /** Whether rules of either side change what later rules see. */
  readonly rewrites: boolean;
  /** Whether rules of either side ask for the answer to the request, or change it. */
  readonly answers: boolean;
  readonly hasLimits: boolean;
  /** What requests have to have in common to be counted by one machine; the same for all where that cannot be told. */
  readonly countedApart: (record: TrafficRecord, values: Values) => string;
}

/** All zones, ready, with their rules and the fields that these ask for. */
export interface ReadyZones {
  /** By name. */
  readonly zones: ReadonlyMap<string, ReadyZone>;
  readonly rules: readonly ReplayedRule[];
  readonly fields: ReadonlySet<string>;
}

/** Compiles the rules of zones; a rule of an account is one, whatever zones it acts in. */
export function readyZones(zones: readonly ReplayZone[], options: { readonly sampled: boolean }): ReadyZones {
  const rules: ReplayedRule[] = [];
  const numbers = new Map<string, number>();
  const ready = new Map<string, ReadyZone>();
  for (const zone of zones) {
    const changes = changesOf(zone);
    const number = (rule: ReplayedRule): number => {
      const key = `${scopeLabel(rule.scope)}\n${rule.phase}\n${rule.ruleset ?? ''}\n${rule.id || rule.ref}`;
      const known = numbers.get(key) ?? rules.push(rule) - 1;
      numbers.set(key, known);
      return known;
    };
    const side = (scopes: readonly SimulatedScope[], lists: Lists): ReplaySide =>
      readySide({ zone, scopes, lists, changes, number, sampled: options.sampled });
    // A rule is called what it is called after the change.
    const desired = side(zone.desired, zone.desiredLists);
    const live = side(zone.live, zone.lists);
    const all = [...rulesOn(live), ...rulesOn(desired)];
    const limits = all.filter(({ limit }) => limit !== undefined);
    ready.set(zone.zone.name.toLowerCase(), {
      name: zone.zone.name,
      facts: zone.zone,
      since: zone.since,
      earlier: zone.earlier.map(({ from, until, rules: scopes, lists }) => ({
        from,
        until,
        // What limits had counted before is not known.
        side: memoise(() =>
          readySide({ zone, scopes, lists, changes: new Map(), number: () => -1, sampled: true }),
        ),
      })),
      live,
      desired,
      rewrites: all.some(({ effect: { kind } }) => kind === 'rewrite-url' || kind === 'rewrite-headers'),
      answers: [...zone.live, ...zone.desired].some(({ rulesets }) =>
        rulesets.some(({ address }) => RESPONSE_PHASES.has(address.phase)),
      ),
      hasLimits: limits.length > 0,
      countedApart: commonKeyReader(limits, evaluationOf({})),
    });
  }
  return { zones: ready, rules, fields: new Set([...fieldsIn(zones), ...ALWAYS]) };
}

/** Fields that the answer tells of, whether or not a rule asks for them. */
const ALWAYS = ['ip.src', 'ip.src.country', 'cf.client.bot'];

const RESPONSE_PHASES = new Set(PHASES.filter(({ stage }) => stage === 'response').map(({ name }) => name));

function rulesOn({ prepared }: ReplaySide): readonly PreparedRule[] {
  return prepared.scopes.flatMap(rulesetsOf).flatMap(({ rules }) => rules);
}

/** Returns the rulesets of a scope, each once: a custom one is found under its name and under its id. */
function rulesetsOf({ entrypoints, custom }: PreparedScope): readonly PreparedRuleset[] {
  return [...new Set([...entrypoints.values(), ...custom.values()])];
}

interface SideParts {
  readonly zone: ReplayZone;
  readonly scopes: readonly SimulatedScope[];
  readonly lists: Lists;
  readonly changes: ReadonlyMap<string, RuleChangeKind>;
  readonly number: (rule: ReplayedRule) => number;
  readonly sampled: boolean;
}

function readySide({ zone, scopes, lists, changes, number, sampled }: SideParts): ReplaySide {
  const evaluation: Evaluation = { ...evaluationOf(lists), recorded: true };
  const prepared: PreparedZone = {
    zone: zone.zone,
    scopes: scopes.map((scope) => prepareScope(scope, evaluation)),
    source: 'live',
  };
  const numbers = new Map<PreparedRuleset, readonly number[]>();
  const counters = new Map<PreparedRule, RateCounter>();
  const couples = new Map<PreparedRule, string>();
  const rulesOf = new Map<string, PreparedRule[]>();
  const numberOf = new Map<PreparedRule, number>();
  const changed: PreparedRule[] = [];
  const executed = new Map<PreparedRule, PreparedRuleset>();
  const mayRewrite = new Set<PreparedRule>();
  for (const { custom, entrypoints } of prepared.scopes) {
    for (const { phase, rules } of entrypoints.values()) {
      for (const rule of rules) {
        const { effect } = rule;
        const inner = effect.kind === 'execute' ? custom.get(customKey(phase, effect.reference)) : undefined;
        if (inner !== undefined) {
          executed.set(rule, inner);
        }
        if (isRewriting(rule, phase)) {
          mayRewrite.add(rule);
        }
      }
    }
  }
  for (const ruleset of prepared.scopes.flatMap(rulesetsOf)) {
    const { scope, phase, name, rules } = ruleset;
    numbers.set(
      ruleset,
      rules.map((rule, index) => {
        const change = changes.get(keyOf(scope, ruleset, rule.rule)) ?? 'none';
        const couple = coupleOf(rule, phase) + itemsNamed(rule.rule.content, lists);
        couples.set(rule, couple);
        rulesOf.set(couple, [...(rulesOf.get(couple) ?? []), rule]);
        if (rule.limit !== undefined) {
          counters.set(rule, rateCounter(rule, { evaluation, sampled }));
        }
        if (change !== 'none') {
          changed.push(rule);
        }
        const ref = ruleName(rule.rule, index);
        const own = number({
          scope,
          phase,
          ruleset: name,
          ref,
          ...descriptionBeside(ref, shownText(rule.rule.content.description)),
          id: rule.rule.id ?? '',
          change,
          enabled: rule.rule.content.enabled,
        });
        numberOf.set(rule, own);
        return own;
      }),
    );
  }
  const ofAnswers = prepared.scopes.flatMap(({ entrypoints }) =>
    [...entrypoints.values()].filter(({ phase }) => RESPONSE_PHASES.has(phase)),
  );
  return {
    prepared,
    numbers,
    numberOf,
    counters,
    couples,
    rulesOf,
    changed,
    executed,
    mayRewrite,
    ofAnswers,
  };
}

/** Whether a rule may change what later ones see. */
function isRewriting({ effect: { kind } }: PreparedRule, phase: string): boolean {
  const facts = phaseFacts(phase);
  return (
    kind === 'rewrite-url' ||
    kind === 'rewrite-headers' ||
    ((kind === 'execute' || kind === 'opaque') && (facts === undefined || facts.rewrites !== undefined))
  );
}

function coupleOf({ rule: { content }, effect, limit, ineffective }: PreparedRule, phase: string): string {
  const ownWork =
    effect.kind === 'execute' ||
    effect.kind === 'opaque' ||
    limit !== undefined ||
    ineffective !== undefined ||
    phaseFacts(phase) === undefined;
  const { description: _, ...work } = content;
  return ownWork ? `${phase} ${canonicalJson(work)}` : content.expression;
}

/** Identifies a rule on both sides. */
function keyOf(
  scope: ScopeRef,
  { phase, name }: Pick<PreparedRuleset, 'phase' | 'name'>,
  { id, ref = '' }: { readonly id?: string; readonly ref?: string },
): string {
  return `${scopeLabel(scope)}\n${phase}\n${name ?? ''}\n${id === undefined ? `+${ref}` : id}`;
}

/** Returns what the plan does to each rule that is not the same on both sides. */
function changesOf({ live, desired, lists, desiredLists }: ReplayZone): ReadonlyMap<string, RuleChangeKind> {
  const [before, after] = [contentsOf(live, lists), contentsOf(desired, desiredLists)];
  const moved = movedIn(before, after);
  const changes = new Map<string, RuleChangeKind>();
  for (const [key, text] of after) {
    const was = before.get(key);
    if (was !== text || moved.has(key)) {
      changes.set(key, was === undefined ? 'added' : was === text ? 'moved' : 'changed');
    }
  }
  for (const key of before.keys()) {
    if (!after.has(key)) {
      changes.set(key, 'deleted');
    }
  }
  return changes;
}

/** Returns the rules that are no longer in the same order: as few as possible. */
function movedIn(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const places = new Map([...before.keys()].map((key, index) => [key, index]));
  const kept = [...after.keys()].filter((key) => places.has(key));
  const moved = [...groupBy(kept, rulesetOfKey).values()].flatMap((keys) => {
    const staying = heaviestIncreasing(keys.map((key) => ({ position: places.get(key) ?? 0, weight: 1 })));
    return keys.filter((_, index) => !staying.has(index));
  });
  return new Set(moved);
}

function rulesetOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf('\n'));
}

/** Returns the contents of rules, and of the lists that they name, in the order of the rules. */
function contentsOf(scopes: readonly SimulatedScope[], lists: Lists): ReadonlyMap<string, string> {
  return new Map(
    scopes.flatMap(({ scope, rulesets }) =>
      rulesets.flatMap(({ address, rules }) => {
        const { phase } = address;
        const name = address.kind === 'custom' ? address.name : null;
        return rules.map(
          (rule) =>
            [
              keyOf(scope, { phase, name }, rule),
              canonicalJson(rule.content) + itemsNamed(rule.content, lists),
            ] as const,
        );
      }),
    ),
  );
}

/** Returns the items of the lists that a rule names: where they differ, the rule does something else. */
function itemsNamed({ expression }: RuleContent, lists: Lists): string {
  const named = allLists(expression, 'filter').map(({ name }) => [name, [...(lists[name] ?? [])]]);
  return named.length === 0 ? '' : canonicalJson(named);
}

/** Returns the fields that rules ask for. */
function fieldsIn(zones: readonly ReplayZone[]): ReadonlySet<string> {
  const fields = new Set<string>();
  const scopes = zones.flatMap(({ live, desired, earlier }) => [
    ...live,
    ...desired,
    ...earlier.flatMap(({ rules }) => rules),
  ]);
  for (const scope of scopes) {
    for (const field of fieldsOfScope(scope)) {
      fields.add(field);
    }
  }
  return fields;
}

const fieldsOfScope = memoiseWeakly(({ rulesets }: SimulatedScope): ReadonlySet<string> => {
  const texts = new Set(
    rulesets.flatMap(({ rules }) =>
      rules.flatMap(({ content }) => [
        content.expression,
        ...expressionsIn(content.action_parameters ?? null),
        ...textsIn(content.ratelimit?.['characteristics']),
      ]),
    ),
  );
  return new Set([...texts].flatMap(fieldsOfText));
});

function fieldsOfText(text: string): readonly string[] {
  const filter = parseExpression(text);
  const parsed = filter.ok ? filter : parseExpression(text, { mode: 'value' });
  return parsed.ok ? takeInventory('', parsed.tree).fields.map(({ name }) => name) : [];
}

/** Returns the expressions in the parameters of an action. */
function expressionsIn(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const own = isJsonObject(value) && typeof value['expression'] === 'string' ? [value['expression']] : [];
  return [...own, ...Object.values(value).flatMap((item: JsonValue) => expressionsIn(item))];
}
