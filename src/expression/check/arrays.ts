import { isCollection } from '../values/type.ts';
import type { Argument, Operand, Quantifier } from '../language/ast.ts';
import { meaningOfOperand } from '../equal/meaning.ts';
import { newNumbering } from '../equal/numbering.ts';
import { printOperand } from '../print/print.ts';
import { leavesOf } from '../language/ungroup.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

/** Reports `[*]` over different arrays, and results that depend on the order of a map (`rules-language.md` 2.4). */
export function checkArrays({ quantifiers, operands }: Subject, report: Report): void {
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
