import type { Condition, Operand } from '../language/ast.ts';
import type { Value, Values } from '../values/value.ts';
import type { EvaluationContext, EvaluationProblem } from '../functions/function.ts';

/** Returns one value, or undefined for a missing one. */
export type Single = (values: Values) => Value | undefined;

/** Returns the elements that `[*]` stands for, or undefined when the array or map is missing. */
export type Many = (values: Values) => readonly Value[] | undefined;

/** Whether a condition holds. */
export type CompiledTest = (values: Values) => boolean;

/** For each element, whether a condition holds; a missing array counts as empty. */
export type Tests = (values: Values) => readonly boolean[];

/** The state of a compilation; problems are collected. */
export interface Compiler {
  readonly nilNotEqual: boolean;
  readonly context: EvaluationContext;
  readonly problems: EvaluationProblem[];
  /** The compilers for the arguments of a call, passed here because operands contain calls, and calls contain operands and conditions. */
  readonly parts: {
    readonly single: (compiler: Compiler, operand: Operand) => Single;
    readonly many: (compiler: Compiler, operand: Operand) => Many;
    readonly condition: (compiler: Compiler, condition: Condition) => CompiledTest;
    readonly conditionArray: (compiler: Compiler, condition: Condition) => Tests;
  };
}
