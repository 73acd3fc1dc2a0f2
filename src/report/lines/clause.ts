import type { Clause, Observation } from '../../model/simulation.ts';
import { counted } from '../../model/count.ts';
import { shortened } from '../../model/shortened.ts';
import type { Line, Span } from '../layout.ts';
import { hanging, line, span } from '../layout.ts';

/** The maximum number of parts shown of one condition. */
const MOST_PARTS = 6;

/** The number of characters shown of a value. */
const MOST_VALUE = 60;

/** The words before the parts of a joined condition. */
const JOINED = { and: 'all of', or: 'one of', xor: 'an odd number of' } as const;

/**
 * Returns lines that explain why a condition holds or not: its clauses as a tree, each with a mark and the values that it compares. Of many
 * parts only the deciding ones are shown, with a count of the others.
 */
export function clauseLines(clause: Clause, indent: number): readonly Line[] {
  const { kind, clauses } = clause;
  const [negated] = clauses;
  if (kind === 'test' || (kind === 'not' && negated?.kind === 'test')) {
    return [hanging(indent, 4, mark(clause), clause.text, ...observed(clause.text, negated ?? clause))];
  }
  if (kind === 'not') {
    return [
      line(indent, mark(clause), span('dim', 'not')),
      ...(negated === undefined ? [] : clauseLines(negated, indent + 2)),
    ];
  }
  const told = decisive(clause);
  const others = clauses.filter((part) => !told.includes(part));
  return [
    line(indent, mark(clause), span('dim', JOINED[kind])),
    ...told.flatMap((part) => clauseLines(part, indent + 2)),
    ...(others.length === 0 ? [] : [line(indent + 2, span('dim', restText(others)))]),
  ];
}

/** Returns the parts that make a condition what it is; the first few where all do, or none alone. */
function decisive({ kind, clauses, holds }: Clause): readonly Clause[] {
  if (clauses.length <= MOST_PARTS) {
    return clauses;
  }
  const deciding = kind === 'xor' ? [] : clauses.filter((part) => part.holds === holds);
  return (deciding.length > 0 ? deciding : clauses).slice(0, MOST_PARTS);
}

function restText(rest: readonly Clause[]): string {
  const others = counted(rest.length, 'other');
  const hold = rest.filter(({ holds }) => holds === true).length;
  if (rest.every(({ holds }) => holds === false)) {
    return `… ${others} false`;
  }
  return hold === rest.length ? `… ${others} true` : `… ${others}, ${hold} true`;
}

function mark({ holds }: Clause): Span {
  if (holds === null) {
    return span('warning', '? ');
  }
  return holds ? span('good', '✓ ') : span('error', '✗ ');
}

/**
 * Returns the values that a clause compares: `(is "/login")` when the text begins with the name of the only value, else `(name is
 * "/login")`, as after a `not`.
 */
function observed(text: string, { observed: seen }: Clause): readonly Span[] {
  if (seen.length === 0) {
    return [];
  }
  const told = seen.map((one) => {
    const begins = text === one.name || text.startsWith(`${one.name} `);
    const named = seen.length === 1 && begins ? '' : `${one.name} `;
    return `${named}${valueText(one)}`;
  });
  return [span('dim', `  (${told.join(', ')})`)];
}

function valueText({ value, assumed }: Observation): string {
  if (value === null) {
    return 'is missing';
  }
  return `is ${shortened(JSON.stringify(value), MOST_VALUE)}${assumed ? ', assumed' : ''}`;
}
