import { isJsonObject, objectOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { composeWindow, intersectWindows, splitWindow } from '../../expression/index.ts';
import type { ActiveWindow } from '../../expression/index.ts';
import { dayAfter, instantOf, readTime } from '../../text/index.ts';
import type { ZonedInstant } from '../../text/index.ts';
import { phaseFacts } from '../../model/index.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import type { DeclaredRule, DeclaredRuleset } from './scope-file.ts';

/** A side of a window as a file has it. */
export interface WrittenTime {
  readonly path: ValuePath;
  readonly side: 'from' | 'until';
  readonly text: string;
}

/** Returns the times that limit a rule: those of its ruleset, and its own. Others than the schema accepts are left out. */
export function writtenTimes(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly WrittenTime[] {
  return [...timesIn(ruleset.path, ruleset.value), ...timesIn(rule.path, rule.value)];
}

function timesIn(path: ValuePath, { active }: JsonObject): readonly WrittenTime[] {
  const { from, until } = objectOf(active);
  const time = (side: WrittenTime['side'], text: JsonValue | undefined): readonly WrittenTime[] =>
    typeof text === 'string' && readTime(text, 'UTC') !== undefined
      ? [{ path: [...path, 'active', side], side, text }]
      : [];
  return [...time('from', from), ...time('until', until)];
}

/** Returns the instant that a time means; a day ends a window with its last second. */
export function instantOfTime({ text, side }: WrittenTime, timeZone: string): ZonedInstant | undefined {
  const read = readTime(text, timeZone);
  return read?.kind === 'one' && side === 'until' && !text.includes('T')
    ? instantOf(dayAfter(text), timeZone)
    : read;
}

/** Returns when a rule is active, by its ruleset and itself. Times that mean no instant are left out. */
export function windowOf(ruleset: DeclaredRuleset, rule: DeclaredRule, timeZone: string): ActiveWindow {
  return writtenTimes(ruleset, rule).reduce<ActiveWindow>((window, time) => {
    const read = instantOfTime(time, timeZone);
    return read?.kind === 'one' ? intersectWindows(window, { [time.side]: read.seconds }) : window;
  }, {});
}

/** Returns the rule with its window composed into its expression, as the service gets it. */
export function withWindow(ruleset: DeclaredRuleset, rule: DeclaredRule, timeZone: string): DeclaredRule {
  const { expression, active } = rule.value;
  if (typeof expression !== 'string' || !(isJsonObject(active) || isJsonObject(ruleset.value['active']))) {
    return rule;
  }
  const window = windowOf(ruleset, rule, timeZone);
  return { ...rule, value: { ...rule.value, expression: composeWindow(expression, window) } };
}

/** Returns why rules of a phase cannot be limited in time; undefined where they can. */
export function whyUnlimited(phase: string): string | undefined {
  const facts = phaseFacts(phase);
  if (facts?.stage === 'network') {
    return 'their expressions are about packets, which have no time';
  }
  if (facts?.isAlwaysOn === true) {
    return 'they only adjust managed rules that always run, for every request';
  }
  return facts?.isOneRule === true ? 'the service supports only the expression `true` there' : undefined;
}

/** The instants that a file can write: of the years 2000 to 2999. */
const FIRST = Date.UTC(2000, 0) / 1000;
const LAST = Date.UTC(3000, 0) / 1000 - 1;

/** Returns an expression as a file says it, with its window apart where it has one that a file can say. */
export function apartFromWindow(
  expression: string,
  phase: string,
): { readonly expression: string; readonly active?: JsonObject } {
  const split = splitWindow(expression);
  const { from, until } = split?.window ?? {};
  const isWritable =
    [from, until].every((one) => one === undefined || (one >= FIRST && one <= LAST)) &&
    (from === undefined || until === undefined || from < until);
  return split === undefined || !isWritable || whyUnlimited(phase) !== undefined
    ? { expression }
    : {
        expression: split.expression,
        active: {
          ...(from === undefined ? {} : { from: writtenInstant(from) }),
          ...(until === undefined ? {} : { until: writtenInstant(until) }),
        },
      };
}

function writtenInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/(?::00)?\.000Z$/u, 'Z');
}

/** Returns the first second of a day, `YYYY-MM-DD`, in UTC. */
export function firstSecond(day: string): number {
  return new Date(`${day}T00:00:00Z`).getTime() / 1000;
}

/** Whether a window had ended before a day began. */
export function hasEnded({ until }: ActiveWindow, today: string): boolean {
  return until !== undefined && until <= firstSecond(today);
}
