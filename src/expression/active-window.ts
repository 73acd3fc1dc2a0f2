import { flatten, plainField, ungroup } from './language/field-tests.ts';
import type { RuleContent } from '../model/index.ts';
import type { Condition } from './language/ast.ts';
import { parseExpression } from './parse/parse-expression.ts';
import { sameMeaning } from './same-meaning.ts';

/** When a rule is active: from the first instant on, and before the second. Seconds since 1970; an absent side is open. */
export interface ActiveWindow {
  readonly from?: number;
  readonly until?: number;
}

/** An expression, and the window that it was composed with. */
export interface WindowedExpression {
  readonly expression: string;
  readonly window: ActiveWindow;
}

const FIELD = 'http.request.timestamp.sec';
/** The last second that the comparisons have, as they have at most eleven digits. */
const LAST = 99_999_999_998;
const ENTERPRISE = 'cf.zone.plan eq "ENT"';

/** The closing clause that limits an account's rule to Enterprise zones, in any spelling, and what stands in front of it. */
const CLOSING =
  /^(?:(?<conditions>.*\S)\s*(?:\band\b|&&)\s*)?\(?\s*cf\.zone\.plan\s+(?:eq|==)\s+"ENT"\s*\)?$/su;

/**
 * Returns the expression that holds only within a window: `(EXPRESSION) and http.request.timestamp.sec ge N and http.request.timestamp.sec lt M`,
 * or one of both comparisons. One that ends with the clause for Enterprise zones still does. `splitWindow` is the inverse.
 */
export function composeWindow(text: string, window: ActiveWindow): string {
  const expression = text.trim();
  const times = timesOf(window);
  if (times === '') {
    return expression;
  }
  const conditions = enterpriseConditions(expression);
  return conditions === undefined
    ? `(${expression}) and ${times}`
    : `(${conditions === '' ? times : `(${conditions}) and ${times}`}) and ${ENTERPRISE}`;
}

/**
 * Returns an expression without the comparisons that limit all of it in time, and its window: what `composeWindow` makes this text of, or one that
 * provably means the same, since other people write `ssl && http.request.timestamp.sec <= 8`. Undefined where it has no window.
 */
export function splitWindow(text: string): WindowedExpression | undefined {
  // Most expressions name no time: they are not worth a parse.
  const root = text.includes(FIELD) ? filterOf(text) : undefined;
  const found = root === undefined ? undefined : withoutTimes(root, Buffer.from(text, 'utf8'));
  const split = found === undefined ? undefined : { ...found, expression: bare(found.expression) };
  const again = split === undefined ? undefined : filterOf(composeWindow(split.expression, split.window));
  return root !== undefined && again !== undefined && meansTheSame(root, again) ? split : undefined;
}

/** Returns the end of a rule's window, in seconds since 1970, if its deletion does nothing from then on. */
export function neutralFrom({
  expression,
  ratelimit,
}: Pick<RuleContent, 'expression' | 'ratelimit'>): number | undefined {
  // Whom a rate limit has begun to stop, it stops until its timeout is over.
  return ratelimit === undefined ? splitWindow(expression)?.window.until : undefined;
}

/** Takes each side of a window from the outermost comparison that has it, the last of several. `taken` are the sides that are known from further out. */
function withoutTimes(
  condition: Condition,
  bytes: Buffer,
  taken: ActiveWindow = {},
): WindowedExpression | undefined {
  const inner = ungroup(condition);
  if (inner.kind !== 'and') {
    return undefined;
  }
  let window = taken;
  const times = new Set<Condition>();
  for (const item of inner.items.toReversed()) {
    const time = timeOf(item);
    if (time !== undefined && !overlap(window, time)) {
      window = intersectWindows(window, time);
      times.add(item);
    }
  }
  const others = inner.items
    .filter((item) => !times.has(item))
    .map((item) => {
      const within = timeOf(item) === undefined ? withoutTimes(item, bytes, window) : undefined;
      window = within?.window ?? window;
      return within?.expression ?? bytes.toString('utf8', item.span.start, item.span.end);
    });
  return others.length === 0 || timesOf(window) === timesOf(taken)
    ? undefined
    : { expression: others.join(' and '), window };
}

/** Whether two windows have the same side. */
function overlap(one: ActiveWindow, other: ActiveWindow): boolean {
  return Object.keys(one).some((side) => Object.hasOwn(other, side));
}

/** Returns the window of a condition that only compares the time, each side once; undefined for any other. */
function timeOf(condition: Condition): ActiveWindow | undefined {
  const inner = ungroup(condition);
  if (inner.kind === 'and') {
    let window: ActiveWindow = {};
    for (const item of inner.items) {
      const time = timeOf(item);
      if (time === undefined || overlap(window, time)) {
        return undefined;
      }
      window = intersectWindows(window, time);
    }
    return window;
  }
  if (inner.kind !== 'comparison' || plainField(inner.left) !== FIELD || inner.right.kind !== 'int') {
    return undefined;
  }
  const second = Number(inner.right.value);
  if (second < 0 || second > LAST) {
    return undefined;
  }
  switch (inner.operator) {
    case 'ge':
      return { from: second };
    case 'gt':
      return { from: second + 1 };
    case 'lt':
      return { until: second };
    case 'le':
      return { until: second + 1 };
    default:
      return undefined;
  }
}

/** Returns the window in which both hold. */
export function intersectWindows(a: ActiveWindow, b: ActiveWindow): ActiveWindow {
  const from = [a.from, b.from].filter((one) => one !== undefined);
  const until = [a.until, b.until].filter((one) => one !== undefined);
  return {
    ...(from.length === 0 ? {} : { from: Math.max(...from) }),
    ...(until.length === 0 ? {} : { until: Math.min(...until) }),
  };
}

function timesOf({ from, until }: ActiveWindow): string {
  return [
    ...(from === undefined ? [] : [`${FIELD} ge ${from}`]),
    ...(until === undefined ? [] : [`${FIELD} lt ${until}`]),
  ].join(' and ');
}

/** Returns the conditions in front of a clause that limits all of an expression; undefined where there is no such clause. */
function enterpriseConditions(expression: string): string | undefined {
  const match = CLOSING.exec(expression);
  const root = match === null ? undefined : filterOf(expression);
  if (match === null || root === undefined) {
    return undefined;
  }
  const written = match.groups?.['conditions'];
  if (written === undefined) {
    return '';
  }
  // `and` binds tighter than `or`: behind an alternative the clause limits only that.
  if (flatten(root, 'and').length < 2 || !isFilter(written)) {
    return undefined;
  }
  return bare(written);
}

/** Returns a condition without the parentheses around all of it. */
function bare(text: string): string {
  const inner = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  return isFilter(inner) ? inner.trim() : text;
}

function meansTheSame(one: Condition, other: Condition): boolean {
  return sameMeaning({ mode: 'filter', root: one }, { mode: 'filter', root: other });
}

function isFilter(text: string): boolean {
  return filterOf(text) !== undefined;
}

function filterOf(text: string): Condition | undefined {
  const parsed = parseExpression(text);
  return parsed.ok && parsed.tree.mode === 'filter' ? parsed.tree.root : undefined;
}
