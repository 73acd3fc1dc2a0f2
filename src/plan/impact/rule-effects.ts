import { strengthOf } from '../../model/index.ts';
import { jsonEqual, objectOf } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import type { RuleContent } from '../../model/index.ts';
import { oneLine } from '../../text/index.ts';
import type {
  EffectContext,
  ExecutedRuleset,
  EffectDirection,
  NamedEffect,
  SecurityEffect,
  SecurityImpact,
} from './security-effect.ts';
import { joined, readAll, SAME, stronger, together, unproven, weaker } from './security-effect.ts';
import { actionOf, SKIPS, STOPS } from './action-effects.ts';
import { compareExecutes } from './override-effects.ts';
import { compareSkips } from './skip-effects.ts';
import { executedRuleset, executingLabels, EXECUTES, EXECUTING, rulesExecutedBy } from './executed-rules.ts';

/** The effects of a rule, by name. */
export type SecurityEffects = ReadonlyMap<string, SecurityEffect>;

/** Cache, by action and whether there is a limit, of the effects of rules that stop requests and have no parameters: nearly all rules that change alike in many zones. */
const plain = new Map<string, SecurityEffects>();

/** Returns what a rule does, assuming that it is enabled. */
export function securityEffectsOf(content: RuleContent, context: EffectContext): SecurityEffects {
  const { action, action_parameters: parameters, extra, ratelimit } = content;
  if (parameters !== undefined || extra !== undefined || strengthOf(action) === undefined) {
    return readSecurityEffects(content, context);
  }
  const key = ratelimit === undefined ? action : `${action} beyond a limit`;
  const effects = plain.get(key) ?? readSecurityEffects(content, context);
  plain.set(key, effects);
  return effects;
}

function readSecurityEffects(content: RuleContent, context: EffectContext): SecurityEffects {
  const { itself, parameters } = actionOf(content.action);
  const ruleset = executedRuleset(content, context);
  const own = ruleset === undefined ? itself?.(content, context) : executing(content, ruleset, context);
  const read = { path: '', content, context };
  return byName([
    ...(own === undefined ? [] : [own]),
    ...(parameters === undefined ? [] : readAll(content.action_parameters ?? {}, parameters, read)),
    ...readAll(content.extra ?? {}, {}, read),
  ]);
}

/** Returns effects by name. Of two that have one name, as of a header that live changes in two spellings, it is not known which counts. */
function byName(named: readonly NamedEffect[]): SecurityEffects {
  const effects = new Map<string, SecurityEffect>();
  for (const [name, effect] of named) {
    const first = effects.get(name);
    const isAnother = first !== undefined && !jsonEqual(first.value, effect.value);
    const { label, value } = effect;
    effects.set(name, isAnother ? { direction: 'both', label, value: [first.value, value] } : effect);
  }
  return effects;
}

/** Returns the effect of executing a custom ruleset: it protects, unless a rule of the ruleset lets something past; then that is not proven. */
function executing(content: RuleContent, ruleset: ExecutedRuleset, context: EffectContext): NamedEffect {
  const does = rulesExecutedBy(content, ruleset)
    .flatMap((rule) => [...securityEffectsOf(rule, context).values()])
    .filter(({ direction }) => direction !== 'none');
  const value = content.action_parameters ?? {};
  return does.every(({ direction }) => direction === 'protects')
    ? [EXECUTES, { direction: 'protects', ...EXECUTING, value }]
    : [EXECUTES, { direction: 'both', ...executingLabels(ruleset, does), value }];
}

/** Says what a rule does, in few words: `skips the rules after it`. */
export function doesWhat(content: RuleContent, context: EffectContext): string {
  const [, { verb } = { verb: undefined }] = actionOf(content.action).itself?.(content, context) ?? [];
  return verb ?? `has the action ${oneLine(content.action)}`;
}

/** Returns the direction of a rule, assuming that it is enabled. */
export function effectDirectionOf(content: RuleContent, context: EffectContext): EffectDirection {
  return joined([...securityEffectsOf(content, context).values()].map(({ direction }) => direction));
}

/** Returns the direction of the effects that two rules share: an effect of only one of them is judged as added or removed anyway. */
export function sharedDirection(before: SecurityEffects, after: SecurityEffects): EffectDirection {
  return joined(
    [...before].flatMap(([name, { direction }]) => {
      const other = after.get(name)?.direction ?? 'none';
      return direction === 'none' || other === 'none' ? [] : [direction, other];
    }),
  );
}

/** Judges what it does to protection that a rule's effects change. */
export function compareSecurityEffects(before: SecurityEffects, after: SecurityEffects): SecurityImpact {
  if (before === after) {
    return SAME;
  }
  const names = new Set([...before.keys(), ...after.keys()]);
  return together([...names].map((name) => compareSecurityEffect(name, before.get(name), after.get(name))));
}

/** Comparisons of effects whose values say more than their heights. */
const COMPARED: ReadonlyMap<string, (before: JsonObject, after: JsonObject) => SecurityImpact> = new Map([
  [EXECUTES, compareExecutes],
  [SKIPS, compareSkips],
]);

function compareSecurityEffect(
  name: string,
  before: SecurityEffect | undefined,
  after: SecurityEffect | undefined,
): SecurityImpact {
  if (before === undefined || after === undefined) {
    return after === undefined ? goes(before) : comes(after);
  }
  if (after.toAll !== undefined && (before.toAll === undefined || !jsonEqual(before.value, after.value))) {
    return weaker(`now ${after.toAll}`);
  }
  if (jsonEqual(before.value, after.value) && before.direction === after.direction) {
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
  if (before.direction === 'none' || after.direction === 'none') {
    return before.direction === 'none' ? comes(after) : goes(before);
  }
  const isTurned =
    before.direction !== after.direction && before.direction !== 'both' && after.direction !== 'both';
  return isTurned ? comes(after) : lowered(after.changed ?? `changes ${name}`);
}

/** Judges an effect that is added. */
function comes(effect: SecurityEffect): SecurityImpact {
  const { direction, label, verb, toAll } = effect;
  if (toAll !== undefined) {
    return weaker(toAll);
  }
  const reason = verb ?? `adds ${label}`;
  return direction === 'none'
    ? SAME
    : direction === 'protects'
      ? stronger(reason)
      : isDoubtful(effect)
        ? unproven(reason)
        : weaker(reason);
}

/** Judges an effect that is removed. */
function goes(effect: SecurityEffect | undefined): SecurityImpact {
  if (effect === undefined || effect.direction === 'none') {
    return SAME;
  }
  const reason = effect.verb === undefined ? `removes ${effect.label}` : `no longer ${effect.verb}`;
  return effect.direction === 'permits'
    ? stronger(reason)
    : isDoubtful(effect)
      ? unproven(reason)
      : weaker(reason);
}

/** Whether it is not known if an effect harms. */
function isDoubtful({ direction, isDoubtful: depends = false }: SecurityEffect): boolean {
  return direction === 'both' || depends;
}

/** Whether of all effects that two rules share it is not known if they harm. */
export function isDoubtfulReach(before: SecurityEffects, after: SecurityEffects): boolean {
  return [...before].every(([name, effect]) => {
    const other = after.get(name);
    const matters = effect.direction !== 'none' && other !== undefined && other.direction !== 'none';
    return !matters || (isDoubtful(effect) && isDoubtful(other));
  });
}

function textOf({ value }: SecurityEffect): string {
  return typeof value === 'string' ? oneLine(value) : JSON.stringify(value);
}
