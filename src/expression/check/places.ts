import type { Call, Span } from '../language/ast.ts';
import { FIELDS, FUNCTIONS } from '../language/catalogue.ts';
import { PLACES } from '../language/place.ts';
import type { Place, PlaceFacts } from '../language/place.ts';
import type { Report } from './finding.ts';
import type { CheckContext, Subject } from './subject.ts';

/**
 * Reports fields and functions outside their places (`rules-language.md` 4.1). Fields of the response and of packets are errors elsewhere.
 * The other places are documented by product, and changelogs show some of them used more widely: those are warnings.
 */
export function checkPlaces(subject: Subject, report: Report): void {
  const { fields, calls, context } = subject;
  for (const { name, span } of fields) {
    const place = FIELDS.get(name)?.place;
    if (place !== undefined) {
      checkPlace(context, { name, span, place }, report);
    }
  }
  checkNestedConcat(subject, report);
  for (const { name, span } of calls) {
    checkCall(subject, { name, span }, report);
    const place = FUNCTIONS.get(name)?.place;
    if (place !== undefined) {
      const named = { start: span.start, end: span.start + name.length };
      checkPlace(context, { name: `${name}()`, span: named, place }, report);
    }
  }
}

/** Checks a call where only the functions in `context.functions` are allowed, and none inside another. */
function checkCall(
  { calls, context: { functions } }: Subject,
  { name, span }: Pick<Call, 'name' | 'span'>,
  report: Report,
): void {
  if (functions === undefined) {
    return;
  }
  const hint = `allowed here: ${[...functions].map((one) => `${one}()`).join(', ')}, each of a field`;
  if (!functions.has(name)) {
    report('expression/place', { message: `${name}() cannot be used here`, span, severity: 'error', hint });
  } else if (
    calls.some((call) => call.span !== span && call.span.start <= span.start && call.span.end >= span.end)
  ) {
    const message = `${name}() cannot be used inside of another function here`;
    report('expression/place', { message, span, severity: 'error', hint });
  }
}

interface Placed {
  readonly name: string;
  readonly span: Span;
  readonly place: Place;
}

function checkPlace(context: CheckContext, { name, span, place }: Placed, report: Report): void {
  const facts = PLACES[place];
  const { where, valueOnly = false, isCertain = false, conditionsIn = [], level } = facts;
  const use = context.use ?? 'filter';
  const severity = isCertain ? 'error' : 'warning';
  if (level === 'account' ? context.level === 'zone' : isElsewhere(context, facts)) {
    const here = level === 'account' ? 'a zone' : context.phase;
    report('expression/place', {
      message: `${name} does not belong in ${here}`,
      span,
      severity,
      hint: `it belongs in ${where}`,
    });
  } else if (valueOnly && use !== 'value' && !conditionsIn.includes(context.phase ?? '')) {
    const message = `${name} belongs in computed values, not in conditions`;
    report('expression/place', { message, span, severity, hint: `it belongs in ${where}` });
  }
}

function isElsewhere(
  { phase, use }: CheckContext,
  { phases, notIn = [], counting = false }: PlaceFacts,
): boolean {
  if (phase === undefined || (counting && use === 'counting')) {
    return false;
  }
  return phases?.includes(phase) === false || notIn.includes(phase);
}

/** Reports `concat` within `concat` in values of URL rewrites, of which the service's documentation knows only the outermost. */
function checkNestedConcat({ calls, context }: Subject, report: Report): void {
  if (context.phase !== 'http_request_transform' || context.use !== 'value') {
    return;
  }
  const joins = calls.filter(({ name }) => name === 'concat');
  for (const { span } of joins) {
    if (joins.some((outer) => outer.span.start < span.start && span.end < outer.span.end)) {
      report('expression/place', {
        message: 'concat() inside another concat() is not documented for URL rewrites',
        span: { start: span.start, end: span.start + 'concat'.length },
        hint: 'join all parts in one concat(...)',
      });
    }
  }
}
