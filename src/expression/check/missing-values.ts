import type { Comparison, Condition, Operand } from '../language/ast.ts';
import { printOperand } from '../print/print.ts';
import { ungroup } from '../language/ungroup.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

/**
 * Reports negative tests of values that may be missing (`rules-language.md` 2.3): for a missing x, `x ne "a"` is false and `not x eq "a"`
 * is true. Both are legal and they differ, so there is no fix.
 */
export function checkMissingValues({ comparisons, negations }: Subject, report: Report): void {
  for (const comparison of comparisons) {
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
