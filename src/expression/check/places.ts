import type { Span } from '../ast.ts';
import { FIELDS, FUNCTIONS } from '../catalogue.ts';
import { PLACES } from '../place.ts';
import type { Place } from '../place.ts';
import type { Report } from './finding.ts';
import type { CheckContext, Subject } from './subject.ts';

/**
 * Where fields and functions may stand (`rules-language.md` 4.1). Fields of the response and of packets are refused elsewhere; the other
 * places are stated by product, and changelogs show some of them used more widely: those are warnings.
 */
export function checkPlaces({ fields, calls, context }: Subject, report: Report): void {
  for (const { name, span } of fields) {
    const place = FIELDS.get(name)?.place;
    if (place !== undefined) {
      checkPlace(context, { name, span, place }, report);
    }
  }
  for (const { name, span } of calls) {
    const place = FUNCTIONS.get(name)?.place;
    if (place !== undefined) {
      const named = { start: span.start, end: span.start + name.length };
      checkPlace(context, { name: `${name}()`, span: named, place }, report);
    }
  }
}

interface Placed {
  readonly name: string;
  readonly span: Span;
  readonly place: Place;
}

const CERTAIN: ReadonlySet<Place> = new Set<Place>(['response', 'packet']);

function checkPlace(context: CheckContext, { name, span, place }: Placed, report: Report): void {
  const { where, phases, valueOnly = false, counting = false, level } = PLACES[place];
  const use = context.use ?? 'filter';
  const severity = CERTAIN.has(place) ? 'error' : 'warning';
  if (level === 'account' ? context.level === 'zone' : isElsewhere(context, { phases, counting })) {
    const here = level === 'account' ? 'a zone' : context.phase;
    report('expression/place', {
      message: `${name} does not belong in ${here}`,
      span,
      severity,
      hint: `it belongs in ${where}`,
    });
  } else if (valueOnly && use !== 'value') {
    const message = `${name} belongs in computed values, not in conditions`;
    report('expression/place', { message, span, severity, hint: `it belongs in ${where}` });
  }
}

function isElsewhere(
  { phase, use }: CheckContext,
  { phases, counting }: { readonly phases: readonly string[]; readonly counting: boolean },
): boolean {
  return phase !== undefined && !phases.includes(phase) && !(counting && use === 'counting');
}
