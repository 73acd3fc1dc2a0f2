import type { Condition, Operand } from '../language/ast.ts';
import type { Value, Values } from '../values/value.ts';
import type { EvaluationContext, EvaluationProblem } from '../functions/options.ts';

/** Gives one value, or undefined for a missing one. */
export type Single = (values: Values) => Value | undefined;

/** Gives the elements that `[*]` stands for, or undefined when what it is applied to is missing. */
export type Many = (values: Values) => readonly Value[] | undefined;

/** Says whether a condition holds. */
export type Test = (values: Values) => boolean;

/** Says for which elements a condition holds; nothing is missing here, a missing array is empty. */
export type Tests = (values: Values) => readonly boolean[];

/** What the parts of an expression are compiled with; problems are collected. */
export interface Compiler {
  readonly nilNotEqual: boolean;
  readonly context: EvaluationContext;
  readonly problems: EvaluationProblem[];
  /** The compilers of the parts that arguments of a call can have: operands hold calls, calls hold both. */
  readonly parts: {
    readonly single: (compiler: Compiler, operand: Operand) => Single;
    readonly many: (compiler: Compiler, operand: Operand) => Many;
    readonly condition: (compiler: Compiler, condition: Condition) => Test;
    readonly conditionArray: (compiler: Compiler, condition: Condition) => Tests;
  };
}
