import type { Comparison, Condition, Operand } from '../language/ast.ts';
import { printOperand } from '../print/print.ts';
import { ungroup } from '../language/ungroup.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

/**
 * Reports negative tests of values that may be missing (`rules-language.md` 2.3): for a missing x, `x ne "a"` is false and `not x eq "a"`
 * is true. Both are legal and they differ, so there is no fix.
 */
export function checkMissingValues(subject: Subject, report: Report): void {
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
function checkEmptyTest(comparison: Comparison, { calls }: Subject, report: Report): void {
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
