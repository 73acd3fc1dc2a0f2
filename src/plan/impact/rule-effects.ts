import { strengthOf } from '../../model/index.ts';
import { jsonEqual, objectOf } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import type { RuleContent } from '../../model/index.ts';
import { oneLine } from '../../text/index.ts';
import type { Stand, ExecutedRuleset, Role, NamedEffect, Trait, SecurityImpact } from './security-effect.ts';
import { joined, readAll, SAME, stronger, together, unproven, weaker } from './security-effect.ts';
import { actionOf, SKIPS, STOPS } from './action-effects.ts';
import { compareExecutes } from './override-effects.ts';
import { compareSkips } from './skip-effects.ts';
import { executedRuleset, executingLabels, EXECUTES, EXECUTING, rulesExecutedBy } from './executed-rules.ts';

/** The effects of a rule, by name. */
export type Traits = ReadonlyMap<string, Trait>;

/** Cache, by action and whether there is a limit, of the traits of rules that stop requests and have no parameters: nearly all rules that change alike in many zones. */
const plain = new Map<string, Traits>();

/** Returns what a rule does, assuming that it is enabled. */
export function traitsOf(content: RuleContent, stand: Stand): Traits {
  const { action, action_parameters: parameters, extra, ratelimit } = content;
  if (parameters !== undefined || extra !== undefined || strengthOf(action) === undefined) {
    return readTraits(content, stand);
  }
  const key = ratelimit === undefined ? action : `${action} beyond a limit`;
  const traits = plain.get(key) ?? readTraits(content, stand);
  plain.set(key, traits);
  return traits;
}

function readTraits(content: RuleContent, stand: Stand): Traits {
  const { itself, parameters } = actionOf(content.action);
  const ruleset = executedRuleset(content, stand);
  const own = ruleset === undefined ? itself?.(content, stand) : executing(content, ruleset, stand);
  const read = { path: '', content, stand };
  return byName([
    ...(own === undefined ? [] : [own]),
    ...(parameters === undefined ? [] : readAll(content.action_parameters ?? {}, parameters, read)),
    ...readAll(content.extra ?? {}, {}, read),
  ]);
}

/** Returns effects by name. Of two that have one name, as of a header that live changes in two spellings, it is not known which counts. */
function byName(named: readonly NamedEffect[]): Traits {
  const traits = new Map<string, Trait>();
  for (const [name, trait] of named) {
    const first = traits.get(name);
    const isAnother = first !== undefined && !jsonEqual(first.value, trait.value);
    const { label, value } = trait;
    traits.set(name, isAnother ? { role: 'both', label, value: [first.value, value] } : trait);
  }
  return traits;
}

/** Returns the trait of executing a custom ruleset: it protects, unless a rule of the ruleset lets something past; then that is not proven. */
function executing(content: RuleContent, ruleset: ExecutedRuleset, stand: Stand): NamedEffect {
  const does = rulesExecutedBy(content, ruleset)
    .flatMap((rule) => [...traitsOf(rule, stand).values()])
    .filter(({ role }) => role !== 'none');
  const value = content.action_parameters ?? {};
  return does.every(({ role }) => role === 'protects')
    ? [EXECUTES, { role: 'protects', ...EXECUTING, value }]
    : [EXECUTES, { role: 'both', ...executingLabels(ruleset, does), value }];
}

/** Says what a rule does, in few words: `skips the rules after it`. */
export function doesWhat(content: RuleContent, stand: Stand): string {
  const [, { verb } = { verb: undefined }] = actionOf(content.action).itself?.(content, stand) ?? [];
  return verb ?? `has the action ${oneLine(content.action)}`;
}

/** Returns the role of a rule, assuming that it is enabled. */
export function roleOf(content: RuleContent, stand: Stand): Role {
  return joined([...traitsOf(content, stand).values()].map(({ role }) => role));
}

/** Returns the role of the effects that two rules share: an effect of only one of them is judged as added or removed anyway. */
export function sharedRole(before: Traits, after: Traits): Role {
  return joined(
    [...before].flatMap(([name, { role }]) => {
      const other = after.get(name)?.role ?? 'none';
      return role === 'none' || other === 'none' ? [] : [role, other];
    }),
  );
}

/** Judges what it does to protection that a rule's effects change. */
export function compareTraits(before: Traits, after: Traits): SecurityImpact {
  if (before === after) {
    return SAME;
  }
  const names = new Set([...before.keys(), ...after.keys()]);
  return together([...names].map((name) => compareTrait(name, before.get(name), after.get(name))));
}

/** Comparisons of traits whose values say more than their heights. */
const COMPARED: ReadonlyMap<string, (before: JsonObject, after: JsonObject) => SecurityImpact> = new Map([
  [EXECUTES, compareExecutes],
  [SKIPS, compareSkips],
]);

function compareTrait(name: string, before: Trait | undefined, after: Trait | undefined): SecurityImpact {
  if (before === undefined || after === undefined) {
    return after === undefined ? goes(before) : comes(after);
  }
  if (after.toAll !== undefined && (before.toAll === undefined || !jsonEqual(before.value, after.value))) {
    return weaker(`now ${after.toAll}`);
  }
  if (jsonEqual(before.value, after.value) && before.role === after.role) {
    return SAME;
  }
  const compare = COMPARED.get(name);
  if (compare !== undefined) {
    return compare(objectOf(before.value), objectOf(after.value));
  }
  const lowered = isDoubtful(before) && isDoubtful(after) ? unproven : weaker;
  if (before.height !== undefined && after.height !== undefined && before.height !== after.height) {
    const way = `${name === STOPS ? 'goes' : `changes ${name}`} from ${textOf(before)} to ${textOf(after)}`;
    return after.height > before.height ? stronger(way) : lowered(way);
  }
  if (before.role === 'none' || after.role === 'none') {
    return before.role === 'none' ? comes(after) : goes(before);
  }
  const isTurned = before.role !== after.role && before.role !== 'both' && after.role !== 'both';
  return isTurned ? comes(after) : lowered(after.changed ?? `changes ${name}`);
}

/** Judges an effect that is added. */
function comes(trait: Trait): SecurityImpact {
  const { role, label, verb, toAll } = trait;
  if (toAll !== undefined) {
    return weaker(toAll);
  }
  const reason = verb ?? `adds ${label}`;
  return role === 'none'
    ? SAME
    : role === 'protects'
      ? stronger(reason)
      : isDoubtful(trait)
        ? unproven(reason)
        : weaker(reason);
}

/** Judges an effect that is removed. */
function goes(trait: Trait | undefined): SecurityImpact {
  if (trait === undefined || trait.role === 'none') {
    return SAME;
  }
  const reason = trait.verb === undefined ? `removes ${trait.label}` : `no longer ${trait.verb}`;
  return trait.role === 'permits' ? stronger(reason) : isDoubtful(trait) ? unproven(reason) : weaker(reason);
}

/** Whether it is not known if an effect harms. */
function isDoubtful({ role, isDoubtful: depends = false }: Trait): boolean {
  return role === 'both' || depends;
}

/** Whether of all effects that two rules share it is not known if they harm. */
export function isDoubtfulReach(before: Traits, after: Traits): boolean {
  return [...before].every(([name, trait]) => {
    const other = after.get(name);
    const matters = trait.role !== 'none' && other !== undefined && other.role !== 'none';
    return !matters || (isDoubtful(trait) && isDoubtful(other));
  });
}

function textOf({ value }: Trait): string {
  return typeof value === 'string' ? oneLine(value) : JSON.stringify(value);
}
