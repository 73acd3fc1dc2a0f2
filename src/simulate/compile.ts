import {
  compileFilter,
  compileValue,
  parseExpression,
  formatParseError,
} from '../expression/index.ts';
import type { Comparison, EvaluationContext, Tree, Value, Values } from '../expression/index.ts';
import { encodeBytes } from '../expression/values/bytes.ts';
import type { JsonValue } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';
import type { Compute } from './prepared.ts';

/** What expressions are compiled with. */
export interface Evaluation {
  readonly context: EvaluationContext;
  /** Names of the lists whose items are known. */
  readonly lists: ReadonlySet<string>;
  readonly nilNotEqual?: boolean;
}

/** A compiled text, or a function that is never right to call and why. */
export interface CompiledText<Result> {
  readonly evaluate: (values: Values) => Result;
  readonly problem: string | undefined;
  readonly tree: Tree | undefined;
}

/** Compiles the condition of a rule. A blank one, as managed rules have, is a problem like any that does not parse. */
export function compileCondition(text: string, evaluation: Evaluation): CompiledText<boolean> {
  const parsed = parseExpression(text);
  if (!parsed.ok) {
    return { evaluate: () => false, problem: firstLine(formatParseError(text, parsed.error)), tree: undefined };
  }
  const { tree } = parsed;
  if (tree.mode !== 'filter') {
    return { evaluate: () => false, problem: 'it is no condition', tree };
  }
  const compiled = compileFilter(tree.root, optionsOf(evaluation));
  return compiled.ok
    ? { evaluate: compiled.evaluate, problem: undefined, tree }
    : { evaluate: () => false, problem: compiled.problems.map(({ message }) => message).join('; '), tree };
}

/** Compiles a text that a rule computes: `{ value }` as it is, `{ expression }` evaluated. */
export function compileText(given: JsonValue | undefined, evaluation: Evaluation): CompiledText<Value | undefined> {
  const { value, expression } = isJsonObject(given) ? given : {};
  if (typeof expression === 'string') {
    return compileComputed(expression, evaluation);
  }
  const fixed = typeof value === 'string' ? encodeBytes(value) : undefined;
  return { evaluate: () => fixed, problem: undefined, tree: undefined };
}

function compileComputed(text: string, evaluation: Evaluation): CompiledText<Value | undefined> {
  const parsed = parseExpression(text, { mode: 'value' });
  if (!parsed.ok) {
    return {
      evaluate: () => undefined,
      problem: firstLine(formatParseError(text, parsed.error)),
      tree: undefined,
    };
  }
  const { tree } = parsed;
  const compiled =
    tree.mode === 'value' ? compileValue(tree.root, optionsOf(evaluation)) : { ok: false as const, problems: [] };
  return compiled.ok
    ? { evaluate: compiled.evaluate, problem: undefined, tree }
    : {
        evaluate: () => undefined,
        problem: compiled.problems.map(({ message }) => message).join('; '),
        tree,
      };
}

/** A computed text as bytes; undefined for anything but a text. */
export function textOf(compute: Compute, values: Values): string | undefined {
  const value = compute(values);
  return typeof value === 'string' ? value : undefined;
}

function optionsOf({ context, nilNotEqual = false }: Evaluation): {
  readonly context: EvaluationContext;
  readonly nilNotEqual: boolean;
} {
  return { context, nilNotEqual };
}

function firstLine(message: string): string {
  const lines = message.split('\n');
  return `${lines[0] ?? ''} ${(lines.at(-1) ?? '').replace(/^[\s^]+/u, '')}`.trim();
}

export type { Comparison };
