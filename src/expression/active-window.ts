import { flatten } from './language/field-tests.ts';
import type { Condition } from './language/ast.ts';
import { parseExpression } from './parse/parse-expression.ts';

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
const ENTERPRISE = 'cf.zone.plan eq "ENT"';

/** The closing clause that limits an account's rule to Enterprise zones, in any spelling, and what stands in front of it. */
const CLOSING =
  /^(?:(?<conditions>.*\S)\s*(?:\band\b|&&)\s*)?\(?\s*cf\.zone\.plan\s+(?:eq|==)\s+"ENT"\s*\)?$/su;

const TIMES =
  /^(?:\((?<conditions>.*)\) and )?(?<times>(?:http\.request\.timestamp\.sec ge (?<from>\d{1,11}))?(?: and )?(?:http\.request\.timestamp\.sec lt (?<until>\d{1,11}))?)$/su;

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

/** Returns what `composeWindow` made an expression of; undefined where it made none of this text. */
export function splitWindow(text: string): WindowedExpression | undefined {
  // Most expressions name no time, and most that do do not end like this: neither is worth a parse.
  if (!text.includes(FIELD)) {
    return undefined;
  }
  const closed = text.endsWith(`) and ${ENTERPRISE}`) && text.startsWith('(');
  const inner = closed ? text.slice(1, -`) and ${ENTERPRISE}`.length) : text;
  const { conditions, times = '', from, until } = TIMES.exec(inner)?.groups ?? {};
  if (times === '' || (conditions === undefined && !closed)) {
    return undefined;
  }
  const expression = closed
    ? conditions === undefined
      ? ENTERPRISE
      : `(${conditions}) and ${ENTERPRISE}`
    : (conditions ?? '');
  const window: ActiveWindow = {
    ...(from === undefined ? {} : { from: Number(from) }),
    ...(until === undefined ? {} : { until: Number(until) }),
  };
  return isFilter(expression) && composeWindow(expression, window) === text
    ? { expression, window }
    : undefined;
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
  const bare = written.startsWith('(') && written.endsWith(')') ? written.slice(1, -1) : written;
  return isFilter(bare) ? bare.trim() : written;
}

function isFilter(text: string): boolean {
  return filterOf(text) !== undefined;
}

function filterOf(text: string): Condition | undefined {
  const parsed = parseExpression(text);
  return parsed.ok && parsed.tree.mode === 'filter' ? parsed.tree.root : undefined;
}
