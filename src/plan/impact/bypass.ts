import { counted, oneLine, quoted, someNames } from '../../text/index.ts';
import { groupBy, isJsonArray, objectOf, omit } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import {
  readOverrides,
  isAlwaysOn,
  phaseFacts,
  phaseOrder,
  readSkip,
  actionKind,
  onlyLogs,
  skipsPhase,
} from '../../model/index.ts';
import type { RuleContent } from '../../model/index.ts';
import type { EffectContext } from './security-effect.ts';

/** What requests are let past: names for messages, or `ruleset X`, `rule X Y` and `behind X`. */
export type BypassedParts = ReadonlySet<string>;

/** Stands for all rules after a skip; in an entry point `passedAt` replaces it by the rules themselves. */
export const REST = 'the rules after it';

const NOTHING: BypassedParts = new Set();

/**
 * Returns what a rule lets matching requests past by a skip, by overrides of an always-on ruleset, or by a setting, as far as the rule alone
 * tells.
 */
export function bypassedBy(
  content: RuleContent | null,
  context: Pick<EffectContext, 'phase'>,
): BypassedParts {
  if (content?.enabled !== true) {
    return NOTHING;
  }
  const { action, action_parameters: parameters = {} } = content;
  switch (actionKind(action)) {
    case 'skip':
      return skipped(parameters, context);
    case 'execute':
      return isAlwaysOn(context) && isOff(parameters)
        ? new Set([`${phaseFacts(context.phase)?.product ?? context.phase} protection`])
        : NOTHING;
    case 'settings':
      return new Set(
        SETTINGS.filter(([key, values]) => values.some((value) => value === parameters[key])).map(
          ([, , name]) => name,
        ),
      );
    default:
      return NOTHING;
  }
}

/** Returns everything that a skip skips (api.md 5.4). */
export function skipped(parameters: JsonObject, { phase }: Pick<EffectContext, 'phase'>): BypassedParts {
  const skip = readSkip(stillToCome(parameters, phase));
  return new Set([
    ...skip.phases.filter((name) => name !== phase).map((name) => phaseFacts(name)?.product ?? quoted(name)),
    ...skip.products.map(productName),
    ...skip.rulesets.map((name) => `ruleset ${name}`),
    ...[...skip.rules].flatMap(([ruleset, ids]) => ids.map((id) => `rule ${ruleset} ${id}`)),
    ...(skip.ruleset || skipsPhase(skip, phase, phase) ? [REST] : []),
  ]);
}

/** Returns the parameters of a skip without the phases that run before its own, at any level: it lets nothing past them (api.md 4.4, 5.4). */
export function stillToCome(parameters: JsonObject, phase: string): JsonObject {
  const { phases } = parameters;
  if (!isJsonArray(phases) || phaseFacts(phase) === undefined) {
    return parameters;
  }
  const left = phases.filter((name) => typeof name !== 'string' || phaseOrder(name) >= phaseOrder(phase));
  return left.length === 0 && phases.length > 0
    ? omit(parameters, ['phases'])
    : { ...parameters, phases: left };
}

/** Returns the ruleset of `ruleset X` or `rule X Y`; undefined for anything else. */
export function rulesetOf(name: string): string | undefined {
  const [what, ruleset] = name.split(' ');
  return what === 'ruleset' || what === 'rule' ? ruleset : undefined;
}

/** Whether overrides keep every rule of a managed ruleset from stopping anything: what switches it off holds for all of its rules. */
export function isOff({ overrides }: JsonObject): boolean {
  const { ruleset, categories, rules } = readOverrides(objectOf(overrides));
  const narrower = [...rules.values(), ...[...categories.values()].map(({ values }) => values)];
  return OFF.some(
    ([member, isOffAt]) =>
      isOffAt(ruleset[member]) &&
      narrower.every((entry) => entry[member] === undefined || isOffAt(entry[member])),
  );
}

/** How an override keeps a rule from stopping anything. */
const OFF = [
  ['enabled', (value: unknown) => value === false],
  ['action', onlyLogs],
  ['sensitivity_level', (value: unknown) => value === 'eoff'],
] as const;

const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['bic', 'Browser Integrity Check'],
  ['hot', 'hotlink protection'],
  ['rateLimit', 'the old rate limits'],
  ['securityLevel', 'the security level'],
  ['uaBlock', 'blocked user agents'],
  ['waf', 'the old WAF'],
  ['zoneLockdown', 'zone lockdowns'],
]);

/** Returns the name of a product that skips name, for messages. */
export function productName(product: string): string {
  return PRODUCTS.get(product) ?? quoted(product);
}

/** Settings that control the same products as a skip, with the values that switch the product off. */
const SETTINGS = [
  ['security_level', ['off', 'essentially_off'], 'the security level'],
  ['bic', [false], 'Browser Integrity Check'],
] as const;

/** The most names that a reason lists. */
const MOST_NAMED = 8;

/** Returns what requests are let past as a list in words; rules of a ruleset are only counted. `nameOf` knows names of custom rulesets. */
export function inWords(
  passed: BypassedParts,
  nameOf: (reference: string) => string | undefined = () => undefined,
): string {
  const byRuleset = groupBy([...passed], rulesetOf);
  const others = byRuleset.get(undefined) ?? [];
  const ofRulesets = [...byRuleset].flatMap(([reference, names]) => {
    if (reference === undefined) {
      return [];
    }
    const name = nameOf(reference);
    const ruleset = `the ruleset ${name === undefined ? oneLine(reference) : quoted(name)}`;
    return names.includes(`ruleset ${reference}`)
      ? [ruleset]
      : [`${counted(names.length, 'rule')} of ${ruleset}`];
  });
  const behind = others.filter((name) => name.startsWith(BEHIND)).length;
  return someNames(
    [
      ...others.filter((name) => !name.startsWith(BEHIND)),
      ...ofRulesets,
      ...(behind === 0 ? [] : [counted(behind, 'rule after it', 'rules after it')]),
    ],
    MOST_NAMED,
  );
}

const BEHIND = 'behind ';
