import { isJsonObject, objectOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { composeWindow, intersectWindows } from '../../expression/index.ts';
import type { ActiveWindow } from '../../expression/index.ts';
import { dayAfter, instantOf } from '../../text/index.ts';
import type { ZonedInstant } from '../../text/index.ts';
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
    typeof text === 'string' && FORM.test(text) ? [{ path: [...path, 'active', side], side, text }] : [];
  return [...time('from', from), ...time('until', until)];
}

/** The form that the schema asks for. */
const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/u;
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/u;

/** Returns the instant that a time means; a day ends a window with its last second. */
export function readTime({ text, side }: WrittenTime, timeZone: string): ZonedInstant {
  const isDay = !text.includes('T');
  const offset = isDay ? null : OFFSET.exec(text);
  const local = offset === null ? text : text.slice(0, offset.index);
  const read = instantOf(local, offset === null ? timeZone : 'UTC');
  if (read.kind !== 'one') {
    return read;
  }
  if (offset !== null) {
    return { kind: 'one', seconds: read.seconds - secondsOf(offset[0]) };
  }
  return isDay && side === 'until' ? instantOf(dayAfter(text), timeZone) : read;
}

function secondsOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
}

/** Returns when a rule is active, by its ruleset and itself. Times that mean no instant are left out. */
export function windowOf(ruleset: DeclaredRuleset, rule: DeclaredRule, timeZone: string): ActiveWindow {
  return writtenTimes(ruleset, rule).reduce<ActiveWindow>((window, time) => {
    const read = readTime(time, timeZone);
    return read.kind === 'one' ? intersectWindows(window, { [time.side]: read.seconds }) : window;
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
