import type { Condition, Operand, Tree } from '../language/ast.ts';
import type { Value, Values } from '../values/value.ts';
import type { EvaluationOptions, EvaluationProblem } from '../functions/function.ts';
import type { Compiler } from './compiler.ts';
import { compileCondition, compileConditionArray } from './evaluate-condition.ts';
import { compileMany, compileSingle } from './evaluate-operand.ts';

/** A function from the values of fields to a result, or all reasons why the expression cannot be evaluated. */
export type Compiled<Result> =
  | { readonly ok: true; readonly evaluate: (values: Values) => Result }
  | { readonly ok: false; readonly problems: readonly EvaluationProblem[] };

/**
 * Compiles a checked expression to closures: a filter gives a boolean, a value expression a value, or undefined for a missing one
 * (rules-language.md 2). The result is pure, and its time is linear in the values. A checked expression is refused only for a regular
 * expression that we cannot run.
 */
export function compileExpression(tree: Tree, options: EvaluationOptions = {}): Compiled<Value | undefined> {
  return tree.mode === 'filter' ? compileFilter(tree.root, options) : compileValue(tree.root, options);
}

/** Compiles a condition of type Bool; otherwise like `compileExpression`. */
export function compileFilter(root: Condition, options: EvaluationOptions = {}): Compiled<boolean> {
  const compiler = compilerOf(options);
  return finish(compiler, compileCondition(compiler, root));
}

/** Compiles a value expression; otherwise like `compileExpression`. */
export function compileValue(root: Operand, options: EvaluationOptions = {}): Compiled<Value | undefined> {
  const compiler = compilerOf(options);
  return finish(compiler, compileSingle(compiler, root));
}

function compilerOf({ nilNotEqual = false, context = {} }: EvaluationOptions): Compiler {
  const parts = {
    single: compileSingle,
    many: compileMany,
    condition: compileCondition,
    conditionArray: compileConditionArray,
  };
  return { nilNotEqual, context, problems: [], parts };
}

function finish<Result>(compiler: Compiler, evaluate: (values: Values) => Result): Compiled<Result> {
  return compiler.problems.length === 0 ? { ok: true, evaluate } : { ok: false, problems: compiler.problems };
}
