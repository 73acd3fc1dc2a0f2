import type { Condition, Leaf, Value, Values } from '../expression/index.ts';
import { constantOf, parseExpression, compileFilter, leavesOf } from '../expression/index.ts';
import { compareText } from '../text/index.ts';
import { assertNever } from '../data/index.ts';
import { candidateValues, GENERATED_EVALUATION } from './clause-values.ts';
import type { Assignment } from './generated-request.ts';
import { valuesOf } from './generated-request.ts';
import type { ClauseCoverage } from './conversion.ts';

/** Requests made from expressions, and how far they exercise the expressions. */
export interface GeneratedRequests {
  readonly requests: readonly Assignment[];
  readonly coverage: ClauseCoverage;
}

/** An expression, and the name of the rule that has it. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** Most requests that are made for one zone; each of them runs through every rule. */
const MAX_REQUESTS = 4000;

/** Most ways to satisfy a condition that are followed further. */
const MAX_WAYS = 4;

const EMPTY: Assignment = new Map();

/**
 * Makes requests that exercise every clause of every expression: a plain one; for each expression, requests that satisfy it and, from these, one
 * for each value at and around each comparison; and for each two expressions, requests that satisfy both, since order matters only where two
 * rules meet. Deterministic; bounded.
 */
export function generateRequests(expressions: readonly NamedExpression[]): GeneratedRequests {
  const parsed = expressions.flatMap(({ name, expression }) => {
    const result = parseExpression(expression);
    return result.ok && result.tree.mode === 'filter'
      ? [{ name, expression, root: result.tree.root, clauses: clausesOf(result.tree.root) }]
      : [];
  });
  const collected = new Collected();
  collected.add(EMPTY);
  const solved = parsed.map((one) => {
    const ways = waysTo(one.root, true, one.clauses);
    for (const way of ways) {
      collected.add(way);
    }
    return { ...one, ways };
  });
  for (const { clauses, ways } of solved) {
    for (const clause of clauses) {
      for (const candidate of clause.candidates) {
        collected.add(candidate);
        for (const way of ways.slice(0, 2)) {
          collected.add(merge(way, candidate));
        }
      }
    }
  }
  for (const [index, one] of solved.entries()) {
    for (const other of solved.slice(index + 1)) {
      const left = one.ways[0];
      const right = other.ways[0];
      if (left !== undefined && right !== undefined) {
        collected.add(merge(left, right));
        collected.add(merge(right, left));
      }
    }
  }
  const requests = collected.requests();
  return { requests, coverage: coverageOf(solved, requests) };
}

class Collected {
  readonly #requests = new Map<string, Assignment>();

  add(request: Assignment): void {
    if (this.#requests.size < MAX_REQUESTS) {
      this.#requests.set(keyOf(request), request);
    }
  }

  requests(): readonly Assignment[] {
    return [...this.#requests.values()];
  }
}

function keyOf(request: Assignment): string {
  return JSON.stringify(
    [...request].toSorted(([a], [b]) => compareText(a, b)),
    (_key, value: unknown) =>
      value instanceof Map ? [...value] : typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** Returns a few parts of requests that should make a condition true, or false; clauses are tried by evaluation. */
function waysTo(
  condition: Condition,
  wanted: boolean,
  clauses: readonly ConditionClause[],
): readonly Assignment[] {
  switch (condition.kind) {
    case 'group':
      return waysTo(condition.item, wanted, clauses);
    case 'not':
      return waysTo(condition.item, !wanted, clauses);
    case 'and':
    case 'or': {
      const all = (condition.kind === 'and') === wanted;
      const items = condition.items.map((item) => waysTo(item, wanted, clauses));
      return all ? combined(items) : items.flatMap((ways) => ways.slice(0, 1)).slice(0, 2 * MAX_WAYS);
    }
    case 'xor':
      // One item is enough; evaluation then shows what the others say.
      return condition.items.flatMap((item) => waysTo(item, wanted, clauses).slice(0, 1));
    default: {
      const clause = clauses.find((one) => one.condition === condition);
      return clause === undefined
        ? []
        : [EMPTY, ...clause.candidates]
            .filter((candidate) => clause.test(valuesOf(candidate)) === wanted)
            .slice(0, MAX_WAYS);
    }
  }
}

function combined(items: readonly (readonly Assignment[])[]): readonly Assignment[] {
  return items.reduce<readonly Assignment[]>(
    (before, ways) =>
      ways.length === 0
        ? before
        : before.flatMap((one) => ways.map((way) => merge(one, way))).slice(0, MAX_WAYS),
    [EMPTY],
  );
}

function coverageOf(
  expressions: readonly (NamedExpression & { readonly clauses: readonly ConditionClause[] })[],
  requests: readonly Assignment[],
): ClauseCoverage {
  const values = requests.map(valuesOf);
  const missed = expressions.flatMap(({ name, expression, clauses }) =>
    clauses
      .filter(({ condition }) => constantOf(condition) === undefined)
      .filter(({ test }) => !values.some((one) => test(one)) || values.every((one) => test(one)))
      .map(({ condition }) => ({ name, text: textOf(expression, condition) })),
  );
  const clauses = expressions.reduce((sum, one) => sum + one.clauses.length, 0);
  return { clauses, exercised: clauses - missed.length, missed };
}

/** Returns the text of a condition; spans count bytes. */
function textOf(expression: string, { span }: Condition): string {
  return new TextDecoder().decode(new TextEncoder().encode(expression).slice(span.start, span.end));
}

/** One comparison of an expression, with values at and around what it compares with. */
interface ConditionClause {
  readonly condition: Condition;
  readonly test: (values: Values) => boolean;
  readonly candidates: readonly Assignment[];
}

/** Returns the clauses of a condition: what `and`, `or`, `xor` and `not` connect. Clauses that cannot be evaluated are left out. */
function clausesOf(root: Condition): readonly ConditionClause[] {
  return leavesOf(root).flatMap((condition) => {
    const compiled = compileFilter(condition, GENERATED_EVALUATION);
    return compiled.ok ? [{ condition, test: compiled.evaluate, candidates: candidatesOf(condition) }] : [];
  });
}

/** Merges two parts of a request; a map keeps the keys of both, and otherwise the second value wins. */
function merge(one: Assignment, other: Assignment): Assignment {
  const merged = new Map(one);
  for (const [name, value] of other) {
    const before = merged.get(name);
    merged.set(
      name,
      before instanceof Map && value instanceof Map ? new Map<string, Value>([...before, ...value]) : value,
    );
  }
  return merged;
}

function candidatesOf(leaf: Leaf): readonly Assignment[] {
  switch (leaf.kind) {
    case 'comparison':
      return candidateValues(leaf.left, { kind: 'comparison', comparison: leaf });
    case 'bare':
      return constantOf(leaf) === undefined ? candidateValues(leaf.operand, { kind: 'truth' }) : [];
    case 'quantifier': {
      const { argument } = leaf;
      return argument.kind === 'condition'
        ? leavesOf(argument.condition).flatMap(candidatesOf)
        : candidateValues(argument, { kind: 'truth' });
    }
    default:
      return assertNever(leaf);
  }
}
