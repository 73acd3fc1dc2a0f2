import { isAlways } from '../imply/always.ts';
import { shortened, showBytes } from '../language/source-bytes.ts';
import { flatten, testedField } from '../language/field-tests.ts';
import type { Ungrouped } from '../language/field-tests.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Report, CheckSubject } from './check-finding.ts';

/** What to prove of the tests of one field, and to say of it, by the operator that joins them. */
const SAYS = {
  and: {
    code: 'expression/never-true',
    sense: 'negated',
    message: (other: string) => `no request meets both this and ${other}`,
    hint: 'to mean one or the other, join them with or',
  },
  or: {
    code: 'expression/always-true',
    sense: 'as is',
    message: (other: string) => `every request meets this or ${other}`,
    hint: 'to mean neither one nor the other, join them with and',
  },
} as const;

/** Reports tests of one field that no request meets together, or of which every request meets one: `and` and `or` are easily confused. */
export function checkTogether({ combinations, text }: CheckSubject, report: Report): void {
  const told = new Set<Ungrouped>();
  for (const combination of combinations) {
    const says = combination.kind === 'xor' ? undefined : SAYS[combination.kind];
    for (const tests of says === undefined ? [] : testsOfOneField(flatten(combination, combination.kind))) {
      const found = says === undefined ? undefined : firstProof(tests, says.sense);
      // A nested combination of the same operator is visited again on its own.
      if (says !== undefined && found !== undefined && !told.has(found.last)) {
        told.add(found.last);
        const { code, message, hint } = says;
        report(code, {
          message: message(found.other === undefined ? 'those before it' : quoted(text, found.other)),
          hint,
          span: found.last.span,
        });
      }
    }
  }
}

function quoted(text: string, { span }: Ungrouped): string {
  const shown = showBytes(encodeBytes(text).slice(span.start, span.end));
  return `\`${shortened(shown, MOST_SHOWN)}\``;
}

const MOST_SHOWN = 60;

function testsOfOneField(clauses: readonly Ungrouped[]): readonly (readonly Ungrouped[])[] {
  const groups = new Map<string, Ungrouped[]>();
  for (const clause of clauses) {
    const field = testedField(clause);
    if (field !== undefined) {
      const group = groups.get(field);
      if (group === undefined) {
        groups.set(field, [clause]);
      } else {
        group.push(clause);
      }
    }
  }
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((group) => group.slice(0, MOST_COMPARED));
}

/** The maximum number of tests of one field that are compared; of more, only the first are. */
const MOST_COMPARED = 100;

/** Returns the first test that, with the tests before it, completes the proof, and the one of them that suffices for it, if one does. */
function firstProof(
  tests: readonly Ungrouped[],
  sense: 'as is' | 'negated',
): { readonly last: Ungrouped; readonly other: Ungrouped | undefined } | undefined {
  const prove = (...some: readonly Ungrouped[]): boolean =>
    isAlways(...some.map((condition) => ({ condition, sense })));
  if (!prove(...tests)) {
    return undefined;
  }
  // If some number of tests suffices, so does a larger one: a binary search finds the last test needed.
  let [least, most] = [1, tests.length];
  while (least < most) {
    const half = Math.floor((least + most) / 2);
    if (prove(...tests.slice(0, half))) {
      most = half;
    } else {
      least = half + 1;
    }
  }
  const last = tests[least - 1];
  // A test that is always (or never) true by itself has nothing to do with the operator.
  return last === undefined || least === 1 || prove(last)
    ? undefined
    : { last, other: tests.slice(0, least - 1).find((test) => prove(test, last)) };
}
