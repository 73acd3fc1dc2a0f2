import type { Bare, Combination, Comparison, Condition, Quantifier } from '../language/ast.ts';
import type { Value, Values } from '../values/value.ts';
import { isList } from '../values/value.ts';
import { compileTest, compileMany, compileSingle } from './evaluate-operand.ts';
import type { Compiler, CompiledTest, Tests } from './compiler.ts';

/** Compiles a condition of type Bool. Logic is two-valued: a comparison of a missing value is false (rules-language.md 2.3). */
export function compileCondition(compiler: Compiler, condition: Condition): CompiledTest {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and':
      return combine(
        condition.kind,
        condition.items.map((item) => compileCondition(compiler, item)),
      );
    case 'not': {
      const item = compileCondition(compiler, condition.item);
      return (values) => !item(values);
    }
    case 'group':
      return compileCondition(compiler, condition.item);
    case 'quantifier':
      return compileQuantifier(compiler, condition);
    case 'comparison':
      return compileTest(compiler, condition, compileSingle(compiler, condition.left));
    case 'bare': {
      const operand = compileSingle(compiler, condition.operand);
      return (values) => operand(values) === true;
    }
    default:
      return condition satisfies never;
  }
}

/** Compiles a condition of type Array<Bool>. Operators work element by element, up to the length of the shortest operand. */
export function compileConditionArray(compiler: Compiler, condition: Condition): Tests {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and':
      return combineArrays(
        condition.kind,
        condition.items.map((item) => compileConditionArray(compiler, item)),
      );
    case 'not': {
      const item = compileConditionArray(compiler, condition.item);
      return (values) => item(values).map((element) => !element);
    }
    case 'group':
      return compileConditionArray(compiler, condition.item);
    case 'comparison':
      return compileComparisonArray(compiler, condition);
    case 'bare':
      return compileBareArray(compiler, condition);
    case 'quantifier':
      return () => [];
    default:
      return condition satisfies never;
  }
}

function combine(kind: Combination['kind'], items: readonly CompiledTest[]): CompiledTest {
  const [first, second] = items;
  if (first !== undefined && second !== undefined && items.length === 2) {
    return {
      and: (values: Values) => first(values) && second(values),
      or: (values: Values) => first(values) || second(values),
      xor: (values: Values) => first(values) !== second(values),
    }[kind];
  }
  return {
    and: (values: Values) => {
      for (const item of items) {
        if (!item(values)) {
          return false;
        }
      }
      return true;
    },
    or: (values: Values) => {
      for (const item of items) {
        if (item(values)) {
          return true;
        }
      }
      return false;
    },
    xor: (values: Values) => items.reduce((parity, item) => parity !== item(values), false),
  }[kind];
}

const COMBINERS: Readonly<Record<Combination['kind'], (left: boolean, right: boolean) => boolean>> = {
  and: (left, right) => left && right,
  or: (left, right) => left || right,
  xor: (left, right) => left !== right,
};

function combineArrays(kind: Combination['kind'], items: readonly Tests[]): Tests {
  const combineTwo = COMBINERS[kind];
  return (values) =>
    items
      .map((item) => item(values))
      .reduce((left, right) =>
        left.slice(0, right.length).map((element, index) => combineTwo(element, right[index] === true)),
      );
}

/**
 * Compiles `any` or `all`. Both are false for a missing array as the direct argument; in a comparison under `[*]` it is empty, and `all` is
 * true (rules-language.md 2.3).
 */
function compileQuantifier(compiler: Compiler, { quantifier, argument }: Quantifier): CompiledTest {
  const reduce = quantifier === 'any' ? someTrue : everyTrue;
  if (argument.kind === 'condition') {
    const elements = compileConditionArray(compiler, argument.condition);
    return (values) => reduce(elements(values));
  }
  const array = argument.each > 0 ? compileMany(compiler, argument) : compileSingle(compiler, argument);
  return (values) => {
    const elements = array(values);
    return isList(elements) && reduce(elements);
  };
}

function someTrue(elements: readonly Value[]): boolean {
  return elements.includes(true);
}

function everyTrue(elements: readonly Value[]): boolean {
  return !elements.includes(false);
}

function compileBareArray(compiler: Compiler, { operand }: Bare): Tests {
  const elements = operand.each > 0 ? compileMany(compiler, operand) : compileSingle(compiler, operand);
  return (values) => {
    const found = elements(values);
    return isList(found) ? found.map((element) => element === true) : [];
  };
}

/** Compiles a comparison with `[*]`. Its test is compiled once, over a cell that holds the current element. */
function compileComparisonArray(compiler: Compiler, comparison: Comparison): Tests {
  const elements = compileMany(compiler, comparison.left);
  const cell: { element: Value | undefined } = { element: undefined };
  const test = compileTest(compiler, comparison, () => cell.element);
  return (values) =>
    (elements(values) ?? []).map((element) => {
      cell.element = element;
      return test(values);
    });
}
