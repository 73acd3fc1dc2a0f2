import type { Line } from '../report/index.ts';
import { BLANK, line, span } from '../report/index.ts';
import { counted } from '../text/index.ts';
import type {
  Conversion,
  ConversionFile,
  Equivalence,
  RequestOutcome,
  WorldDifference,
} from './conversion.ts';

/**
 * Returns lines about how to continue after a conversion: the next command when a file was written, or what to do when the phase is already
 * declared.
 */
export function nextLines(
  { yaml, file, claim }: Conversion & ConversionFile,
  { next, declared }: { readonly next: string; readonly declared: string },
): readonly Line[] {
  if (yaml === null) {
    return [];
  }
  if (file !== null) {
    return [BLANK, line(0, 'Wrote ', span('strong', file), `. Next: rulewright ${next}`)];
  }
  return claim === null
    ? []
    : [BLANK, line(0, span('warning', `${claim} declares the phase already: `), declared)];
}

/** The number of differences shown one by one; the rest is counted. */
const MOST_SHOWN = 5;

/** Returns lines about the comparison of both worlds: every difference with its request, and what was not exercised. */
export function equivalenceLines({ requests, coverage, differences }: Equivalence): readonly Line[] {
  const { clauses, exercised, missed } = coverage;
  const tried = `${exercised} of ${counted(clauses, 'condition')} tried both true and false`;
  const rest = differences.length - MOST_SHOWN;
  return [
    differences.length === 0
      ? line(0, span('good', `Old and new rules agree on ${all(requests)}`), `; ${tried}.`)
      : line(
          0,
          span(
            'error',
            `${differences.length} of ${counted(requests, 'generated request')} would be treated differently`,
          ),
          `; ${tried}:`,
        ),
    ...differences.slice(0, MOST_SHOWN).flatMap(differenceLines),
    ...(rest > 0 ? [line(2, `and ${rest} more`)] : []),
    ...missed.map(({ name, text }) =>
      line(2, span('warning', 'not tried both ways'), `  ${text}`, span('dim', `  in ${name}`)),
    ),
  ];
}

function all(requests: number): string {
  return requests === 1 ? 'the 1 generated request' : `all ${requests} generated requests`;
}

function differenceLines({ kind, request, before, after }: WorldDifference): readonly Line[] {
  const fields = Object.entries(request).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [
    line(2, span('strong', fields.length === 0 ? 'a plain request' : fields.join(', '))),
    line(4, span('removed-words', 'before'), `  ${outcomeText(before, kind)}`),
    line(4, span('added-words', 'after'), `   ${outcomeText(after, kind)}`),
  ];
}

function outcomeText({ end, acted, skipped }: RequestOutcome, kind: WorldDifference['kind']): string {
  const ended = end === null ? 'goes on' : `${end.action} by ${end.rule}`;
  const over = skipped.length === 0 ? '' : `, without ${skipped.join(', ')}`;
  const events = kind === 'events' ? `; events of ${acted.length === 0 ? 'no rule' : acted.join(', ')}` : '';
  return `${ended}${over}${events}`;
}
