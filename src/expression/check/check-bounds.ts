import type { Comparison, Operand } from '../language/ast.ts';
import { FIELDS } from '../language/catalogue.ts';
import { fieldOf, integersOf, plainField } from '../language/field-tests.ts';
import { printOperand } from '../print/print-expression.ts';
import type { Report, CheckSubject } from './check-finding.ts';

/** The least and the largest value of a number; without `most` there is no largest. */
interface NumberBounds {
  readonly least: bigint;
  readonly most?: bigint | undefined;
}

/** What numbers are in practice, beyond what proofs may assume of all requests. */
const PLAUSIBLE: ReadonlyMap<string, NumberBounds> = new Map([
  ['http.response.code', { least: 100n, most: 599n }],
  // From 2017 on, and in seconds rather than milliseconds.
  ['http.request.timestamp.sec', { least: 1_500_000_000n, most: 9_999_999_999n }],
  ['http.request.timestamp.msec', { least: 0n, most: 999n }],
]);

const TIME = /timestamp\.sec$/u;

/** Reports comparisons of numbers that are never, or always, true, because the number is never out of its bounds. */
export function checkBounds({ comparisons }: CheckSubject, report: Report): void {
  for (const comparison of comparisons) {
    const bounds = boundsOf(comparison.left);
    if (bounds !== undefined) {
      checkComparison(comparison, bounds, { comparisons, report });
    }
  }
}

function boundsOf(operand: Operand): NumberBounds | undefined {
  const { source, indexes } = operand;
  if (source.kind === 'call') {
    return source.name === 'len' && !source.elementwise && indexes.length === 0 ? { least: 0n } : undefined;
  }
  const field = plainField(operand);
  const facts = FIELDS.get(field ?? '');
  if (field === undefined || facts?.type.kind !== 'Int') {
    return undefined;
  }
  const [least, most] = facts.between ?? [];
  return (
    PLAUSIBLE.get(field) ??
    (least === undefined || most === undefined ? { least: 0n } : { least: BigInt(least), most: BigInt(most) })
  );
}

function checkComparison(
  comparison: Comparison,
  { least, most }: NumberBounds,
  { comparisons, report }: { readonly comparisons: readonly Comparison[]; readonly report: Report },
): void {
  const { left, operator } = comparison;
  const name = printOperand(left);
  const is = most === undefined ? `${name} is at least ${least}` : `${name} is between ${least} and ${most}`;
  for (const literal of integersOf(comparison)) {
    const { first, last } = literal.kind === 'int' ? { first: literal.value, last: literal.value } : literal;
    const outcome = outcomeOf(operator, { first, last }, { least, most });
    const { span } = literal;
    const hint = TIME.test(name) ? { hint: 'times are seconds since 1970, as in 1767225600' } : {};
    if (outcome === 'never' || outcome === 'out') {
      const says = outcome === 'out' ? `never ${literal.text}` : 'so this is never true';
      report('expression/impossible-value', { message: `${is}, ${says}`, span, ...hint });
    } else if (outcome === 'always' && !isHalf(comparison, comparisons) && !mayBeAbsent(left)) {
      report('expression/impossible-value', { message: `${is}, so this is always true`, span, ...hint });
    }
  }
}

function outcomeOf(
  operator: Comparison['operator'],
  { first, last }: { readonly first: bigint; readonly last: bigint },
  { least, most }: NumberBounds,
): 'never' | 'always' | 'out' | undefined {
  const isBelow = most !== undefined && most < first;
  switch (operator) {
    case 'lt':
      return first <= least ? 'never' : isBelow ? 'always' : undefined;
    case 'le':
      return first < least ? 'never' : most !== undefined && most <= first ? 'always' : undefined;
    case 'gt':
      return first < least ? 'always' : most !== undefined && most <= first ? 'never' : undefined;
    case 'ge':
      return first <= least ? 'always' : isBelow ? 'never' : undefined;
    case 'in':
      // A negative number in a set is more likely a range with a hyphen.
      return most !== undefined && (last < least || isBelow) ? 'out' : undefined;
    case 'eq':
    case 'ne':
      return last < least || isBelow ? 'out' : undefined;
    default:
      return undefined;
  }
}

/** Whether a comparison is one half of a range, as in `x ge 500 and x lt 600`: there a bound that always holds does no harm. */
function isHalf({ left, span }: Comparison, comparisons: readonly Comparison[]): boolean {
  const name = printOperand(left);
  return comparisons.some((other) => other.span.start !== span.start && printOperand(other.left) === name);
}

/** Whether the number may be missing: `len(x) ge 0` is how expressions ask whether x is there (`rules-language.md` 2.3). */
function mayBeAbsent({ source }: Operand): boolean {
  const [first] = source.kind === 'call' ? source.arguments : [];
  return (
    first !== undefined &&
    (first.kind !== 'operand' ||
      first.source.kind === 'call' ||
      first.indexes.length > 0 ||
      fieldOf(first) === undefined)
  );
}
