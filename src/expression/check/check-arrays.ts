import { isCollection } from '../values/type.ts';
import type { Argument, Operand, Quantifier, Comparison, Condition } from '../language/ast.ts';
import { meaningOfOperand, newNumbering } from '../equal/normal-meaning.ts';
import { printOperand } from '../print/print-expression.ts';
import { leavesOf, ungroup } from '../language/field-tests.ts';
import type { Report, CheckSubject } from './check-finding.ts';

/** Reports `[*]` over different arrays, and results that depend on the order of a map (`rules-language.md` 2.4). */
export function checkArrays({ quantifiers, operands }: CheckSubject, report: Report): void {
  for (const quantifier of quantifiers) {
    checkMixed(quantifier, report);
  }
  for (const operand of operands) {
    const { source, indexes } = operand;
    if (
      source.kind === 'call' &&
      source.elementwise &&
      indexes[0]?.kind === 'element' &&
      runsOverMap(source.arguments[0])
    ) {
      const message = `${printOperand(operand)} takes one result by its place, but maps have no order`;
      report('expression/map-order', { message, span: operand.span });
    }
  }
}

function checkMixed({ argument }: Quantifier, report: Report): void {
  const numbering = newNumbering();
  const arrays = new Map<number, Operand>();
  for (const operand of iteratedIn(argument)) {
    arrays.set(meaningOfOperand(numbering, wholeArray(operand)), operand);
  }
  const [first, second] = arrays.values();
  if (first !== undefined && second !== undefined) {
    const names = [first, second].map((operand) => printOperand(wholeArray(operand)));
    const message = `${names.join(' and ')} are run through side by side, cut to the shorter one`;
    report('expression/mixed-arrays', { message, span: argument.span });
  }
}

/** Returns the operands with `[*]` in an argument, without those inside quantifiers of their own. */
function iteratedIn(argument: Argument): readonly Operand[] {
  if (argument.kind === 'operand') {
    return iterated(argument);
  }
  return argument.kind === 'condition'
    ? leavesOf(argument.condition).flatMap((leaf) => {
        switch (leaf.kind) {
          case 'bare':
            return iterated(leaf.operand);
          case 'comparison':
            return iterated(leaf.left);
          default:
            return [];
        }
      })
    : [];
}

/** Returns the innermost operand with `[*]`: `h[*]` in `lower(h[*])[*]`. */
function iterated(operand: Operand): readonly Operand[] {
  const [first] = operand.source.kind === 'call' ? operand.source.arguments : [];
  if (operand.source.kind === 'call' && operand.source.elementwise && first?.kind === 'operand') {
    return iterated(first);
  }
  return operand.each > 0 ? [operand] : [];
}

/** Returns the array itself: the operand without its indexes from `[*]` on. */
function wholeArray(operand: Operand): Operand {
  const each = operand.indexes.findIndex((index) => index.kind === 'each');
  return { ...operand, indexes: operand.indexes.slice(0, each), each: 0 };
}

function runsOverMap(argument: Argument | undefined): boolean {
  if (argument?.kind !== 'operand') {
    return false;
  }
  let { type } = argument.source;
  for (const index of argument.indexes) {
    if (index.kind === 'each' && type.kind === 'Map') {
      return true;
    }
    type = isCollection(type) ? type.of : type;
  }
  return false;
}

/**
 * Reports negative tests of values that may be missing (`rules-language.md` 2.3): for a missing x, `x ne "a"` is false and `not x eq "a"`
 * is true. Both are legal and they differ, so there is no fix.
 */
export function checkMissingValues(subject: CheckSubject, report: Report): void {
  const { comparisons, negations } = subject;
  for (const comparison of comparisons) {
    checkEmptyTest(comparison, subject, report);
    if (comparison.operator === 'ne' && mayBeMissing(comparison.left)) {
      const name = printOperand(comparison.left);
      const message = `${name} ne ... is false when the value is missing`;
      const hint = `not ${name} eq ... is true then`;
      report('expression/missing-value', { message, span: comparison.span, hint });
    }
  }
  for (const negation of negations) {
    const tested = testOf(negation.item);
    if (tested !== undefined && mayBeMissing(tested.left)) {
      const message = `not ${printOperand(tested.left)} ... is true when the value is missing`;
      const hint = 'test for it as well where that is not meant, as with has_key(...)';
      report('expression/missing-value', { message, span: negation.span, hint });
    }
  }
}

function testOf(condition: Condition): Comparison | undefined {
  const inner = ungroup(condition);
  return inner.kind === 'comparison' && inner.operator !== 'ne' ? inner : undefined;
}

/**
 * Reports tests for an empty text, such as `len(x) eq 0`, that are false where x is missing, which is what they are mostly meant for; not where
 * the expression also asks whether it is there.
 */
function checkEmptyTest(comparison: Comparison, { calls }: CheckSubject, report: Report): void {
  const { left, operator, right, span } = comparison;
  const measured = measuredBy(left);
  const [index] = measured?.indexes ?? [];
  if (measured === undefined || index?.kind !== 'key' || right.kind !== 'int') {
    return;
  }
  const isEmptyTest =
    right.value === 0n ? operator === 'eq' || operator === 'le' : right.value === 1n && operator === 'lt';
  const map = printOperand({ ...measured, indexes: [] });
  const isAsked = calls.some(
    ({ name, arguments: [of] }) => name === 'has_key' && of?.kind === 'operand' && printOperand(of) === map,
  );
  if (isEmptyTest && !isAsked) {
    report('expression/missing-value', {
      message: `this is false when ${printOperand(measured)} is missing, which then has no length`,
      severity: 'warning',
      hint: `to test that it is missing, write not has_key(${map}, ${index.literal.text})`,
      span,
    });
  }
}

/** Returns the operand whose length is tested. */
function measuredBy({ source, indexes }: Operand): Operand | undefined {
  const [first] =
    source.kind === 'call' && source.name === 'len' && indexes.length === 0 ? source.arguments : [];
  return first?.kind === 'operand' && first.source.kind === 'field' && first.each === 0 ? first : undefined;
}

/** Whether an operand may have no value: it, or the operand it is computed from, has an index or looks something up. */
function mayBeMissing({ source, indexes, each }: Operand): boolean {
  if (each > 0 || (source.kind === 'call' && NEVER_MISSING.has(source.name))) {
    return false;
  }
  if (indexes.length > 0 || source.kind === 'field') {
    return indexes.length > 0;
  }
  const [first] = source.arguments;
  return LOOKING_UP.has(source.name) || (first?.kind === 'operand' && mayBeMissing(first));
}

const NEVER_MISSING: ReadonlySet<string> = new Set(['coalesce', 'concat']);
const LOOKING_UP: ReadonlySet<string> = new Set(['lookup_json_integer', 'lookup_json_string']);
