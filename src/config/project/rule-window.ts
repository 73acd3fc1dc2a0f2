import { objectOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { composeWindow, intersectWindows, splitWindow } from '../../expression/index.ts';
import type { ActiveWindow } from '../../expression/index.ts';
import { dayAfter, localTime, offsetTime, readTime, startOfDay } from '../../text/index.ts';
import type { ZonedInstant } from '../../text/index.ts';
import { phaseFacts } from '../../model/index.ts';
import type { SourceSpan } from '../../model/index.ts';
import { locateValue, throughUses } from '../yaml/yaml-document.ts';
import type { Graft, WrittenWindow } from '../yaml/yaml-document.ts';
import { windowIn } from './scope-file.ts';
import type { DeclaredRule, DeclaredRuleset } from './scope-file.ts';

/** A side of a window as a file has it. */
export interface WrittenTime {
  readonly side: 'from' | 'until';
  readonly text: string;
  /** Where the window is written. */
  readonly place: Graft;
}

/** Returns where a side of a window is written. */
export function spanOfTime({ side, place: { document, path, via } }: WrittenTime): SourceSpan {
  return throughUses(locateValue(document, [...path, side]), via);
}

/** Returns the windows that limit a rule, outermost first: those of its file, its ruleset, the uses of packs that brought it, and its own. */
export function windowsOf(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly WrittenWindow[] {
  return [...ruleset.windows, ...rule.windows, ...windowIn(ruleset.document, rule.path, rule.value)];
}

/** Returns the times that limit a rule, outermost first. Others than the schema accepts are left out. */
export function writtenTimes(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly WrittenTime[] {
  return windowsOf(ruleset, rule).flatMap(({ place, value }) =>
    SIDES.flatMap((side): readonly WrittenTime[] => {
      const text = value[side];
      return typeof text === 'string' && readTime(text, 'UTC') !== undefined ? [{ side, text, place }] : [];
    }),
  );
}

const SIDES = ['from', 'until'] as const;

/** Whether a window of a file has the form that the schema accepts. */
export function isWindow(value: JsonValue): boolean {
  const sides = Object.entries(objectOf(value));
  return (
    sides.length > 0 &&
    sides.every(
      ([side, text]) =>
        SIDES.some((one) => one === side) && typeof text === 'string' && readTime(text, 'UTC') !== undefined,
    )
  );
}

/** Returns the instant that a time means; a day ends a window with its last second. */
export function instantOfTime(
  { text, side }: Pick<WrittenTime, 'text' | 'side'>,
  timeZone: string,
): ZonedInstant | undefined {
  const read = readTime(text, timeZone);
  return read?.kind === 'one' && side === 'until' && !text.includes('T')
    ? startOfDay(dayAfter(text), timeZone)
    : read;
}

/** Returns when a rule is active: in all windows that limit it. Times that mean no instant are left out. */
export function windowOf(ruleset: DeclaredRuleset, rule: DeclaredRule, timeZone: string): ActiveWindow {
  return writtenTimes(ruleset, rule).reduce<ActiveWindow>((window, time) => {
    const read = instantOfTime(time, timeZone);
    return read?.kind === 'one' ? intersectWindows(window, { [time.side]: read.seconds }) : window;
  }, {});
}

/** Returns the rule with its window composed into its expression, as the service gets it. */
export function withWindow(ruleset: DeclaredRuleset, rule: DeclaredRule, timeZone: string): DeclaredRule {
  const { expression } = rule.value;
  if (typeof expression !== 'string' || windowsOf(ruleset, rule).length === 0) {
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

/** How a file writes times: by the clock of its project, or with the offset, so that they mean the same in any project. */
export interface WrittenClock {
  readonly timeZone: string;
  readonly offsets: 'left out' | 'written';
}

/** Returns an expression as a file says it, with its window apart where it has one that a file can say. */
export function apartFromWindow(
  expression: string,
  phase: string,
  clock: WrittenClock,
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
          ...(from === undefined ? {} : { from: written(from, 'from', clock) }),
          ...(until === undefined ? {} : { until: written(until, 'until', clock) }),
        },
      };
}

function written(seconds: number, side: WrittenTime['side'], { timeZone, offsets }: WrittenClock): string {
  if (offsets === 'written') {
    return offsetTime(seconds, timeZone);
  }
  const day = localTime(side === 'until' ? seconds - 1 : seconds, timeZone).slice(0, 10);
  const read = instantOfTime({ side, text: day }, timeZone);
  return read?.kind === 'one' && read.seconds === seconds ? day : localTime(seconds, timeZone);
}

/** Returns the first second of a day, `YYYY-MM-DD`, in UTC. */
export function firstSecond(day: string): number {
  return new Date(`${day}T00:00:00Z`).getTime() / 1000;
}

/** Whether a window had ended before a day began. */
export function hasEnded({ until }: ActiveWindow, today: string): boolean {
  return until !== undefined && until <= firstSecond(today);
}
