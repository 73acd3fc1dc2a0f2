import { counted } from '../../model/count.ts';
import { objectOf, objectsIn } from '../../model/json.ts';
import type { JsonObject } from '../../model/json.ts';
import { phaseFacts } from '../../model/phase.ts';
import { quoted } from '../../model/quoted.ts';
import type { RuleContent } from '../../model/rule.ts';
import { someNames } from '../../model/some-names.ts';
import { readSkip } from '../../simulate/effect.ts';
import type { Stand } from './stand.ts';
import { strengthOf } from './role.ts';

/** What requests are let past: names in words, or `ruleset X`, `rule X Y` and `behind X`, which are told by their numbers. */
export type Passed = ReadonlySet<string>;

/** All that stands behind a skip; of an entry point it is known which rules these are. */
export const REST = 'the rules behind it';

const NOTHING: Passed = new Set();

/** What a rule lets requests past that match: by a skip, by overrides of what always runs, by a setting; as the rule alone tells it. */
export function letsPast(content: RuleContent | null, stand: Pick<Stand, 'phase'>): Passed {
  if (content?.enabled !== true) {
    return NOTHING;
  }
  const { action, action_parameters: parameters = {} } = content;
  switch (action) {
    case 'skip':
      return skipped(parameters, stand);
    case 'execute':
      return isAlwaysOn(stand) && isOff(parameters)
        ? new Set([`${phaseFacts(stand.phase)?.product ?? stand.phase} protection`])
        : NOTHING;
    case 'set_config':
      return new Set(
        SETTINGS.filter(([key, values]) => values.some((value) => value === parameters[key])).map(
          ([, , name]) => name,
        ),
      );
    default:
      return NOTHING;
  }
}

/** Everything that a skip skips (api.md 5.4). */
export function skipped(parameters: JsonObject, { phase }: Pick<Stand, 'phase'>): Passed {
  const skip = readSkip(parameters);
  return new Set([
    ...skip.phases.filter((name) => name !== phase).map((name) => phaseFacts(name)?.product ?? quoted(name)),
    ...skip.products.map((name) => PRODUCTS.get(name) ?? quoted(name)),
    ...skip.rulesets.map((name) => `ruleset ${name}`),
    // No ids means the whole ruleset (api.md 5.4, recorded).
    ...[...skip.rules].flatMap(([ruleset, ids]) =>
      ids.length === 0 ? [`ruleset ${ruleset}`] : ids.map((id) => `rule ${ruleset} ${id}`),
    ),
    ...(skip.ruleset || skip.phase || skip.phases.includes(phase) ? [REST] : []),
  ]);
}

/** The ruleset that is told by its number, or a rule of it; undefined of all else. */
export function rulesetOf(name: string): string | undefined {
  const [what, ruleset] = name.split(' ');
  return what === 'ruleset' || what === 'rule' ? ruleset : undefined;
}

/** Rules of these phases only change what runs anyway (api.md 4.4). */
export function isAlwaysOn({ phase }: Pick<Stand, 'phase'>): boolean {
  return phase === 'ddos_l4' || phase === 'ddos_l7';
}

/** Whether overrides leave nothing of a managed ruleset that stops anything, and no narrower one takes that back. */
export function isOff({ overrides }: JsonObject): boolean {
  const { enabled, action, sensitivity_level: level, rules, categories } = objectOf(overrides);
  const stops = (entry: JsonObject): boolean =>
    entry['enabled'] === true ||
    (typeof entry['action'] === 'string' && strengthOf(entry['action']) !== 0) ||
    (entry['sensitivity_level'] !== undefined && entry['sensitivity_level'] !== 'eoff');
  return (
    (enabled === false || action === 'log' || level === 'eoff') &&
    ![...objectsIn(rules), ...objectsIn(categories)].some(stops)
  );
}

const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['bic', 'Browser Integrity Check'],
  ['hot', 'hotlink protection'],
  ['rateLimit', 'the old rate limits'],
  ['securityLevel', 'the security level'],
  ['uaBlock', 'blocked user agents'],
  ['waf', 'the old WAF'],
  ['zoneLockdown', 'zone lockdowns'],
]);

/** Settings that are what the products of a skip are, and their values that are none of it. */
const SETTINGS = [
  ['security_level', ['off', 'essentially_off'], 'the security level'],
  ['bic', [false], 'Browser Integrity Check'],
] as const;

/** What is told by its number, and how. */
const NUMBERED = [
  ['ruleset ', 'ruleset', 'rulesets'],
  ['rule ', 'rule of a ruleset', 'rules of rulesets'],
  ['behind ', 'rule behind it', 'rules behind it'],
] as const;

/** The most things that a reason names. */
const MOST_NAMED = 8;

/** What requests are let past, as a list. */
export function inWords(passed: Passed): string {
  const all = [...passed];
  const numbered = NUMBERED.flatMap(([start, one, many]) => {
    const count = all.filter((name) => name.startsWith(start)).length;
    return count === 0 ? [] : [counted(count, one, many)];
  });
  const named = all.filter((name) => !NUMBERED.some(([start]) => name.startsWith(start)));
  return someNames([...named, ...numbered], MOST_NAMED);
}
