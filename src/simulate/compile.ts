import {
  compileFilter,
  compileValue,
  parseExpression,
  takeInventory,
  encodeBytes,
} from '../expression/index.ts';
import type {
  Compiled,
  Condition,
  ParseError,
  ParseResult,
  Tree,
  Value,
  Values,
} from '../expression/index.ts';
import type { JsonValue } from '../data/index.ts';
import { objectOf } from '../data/index.ts';
import { EMPTY_LIST, environmentOf, referencesIn } from '../model/index.ts';
import { parseCondition } from './new-fields.ts';
import { compileDecision, fieldsIn, redirectListsIn } from './decision.ts';
import type { CompiledText, Evaluation } from './evaluation.ts';
import { compileKnownValue } from './known.ts';

/** Compiles the condition of a rule; lists of redirects hold what `evaluation` says. */
export function compileCondition(text: string, evaluation: Evaluation): CompiledText<boolean> {
  return conditionOf(parseExpression(text), { text, evaluation }, (root) => compileFilter(root, evaluation));
}

/** Compiles the condition of a rule; the result is undefined where it depends on a list of redirects, or on a field of a newer service. */
export function compileDecided(text: string, evaluation: Evaluation): CompiledText<boolean | undefined> {
  const { parsed, newFields: names } = parseCondition(text, evaluation.newFields);
  const compiled = conditionOf<boolean | undefined>(parsed, { text, evaluation }, (root) =>
    compileDecision(root, evaluation.context, names),
  );
  return parsed.ok && parsed.tree.mode === 'filter' && names.size > 0
    ? { ...compiled, newFields: fieldsIn(parsed.tree.root, names) }
    : compiled;
}

function conditionOf<Result>(
  parsed: ParseResult,
  { text, evaluation }: { readonly text: string; readonly evaluation: Evaluation },
  compile: (root: Condition) => Compiled<Result>,
): CompiledText<Result | false> {
  if (!parsed.ok || parsed.tree.mode !== 'filter') {
    return unusable(parsed.ok ? 'it is not a condition' : place(parsed.error), false);
  }
  const { tree } = parsed;
  return usable<Result | false>(compile(tree.root), assumptions(text, tree, evaluation), false);
}

/** Compiles a text that a rule computes: `{ value }` is taken literally, `{ expression }` is evaluated. */
export function compileText(
  given: JsonValue | undefined,
  evaluation: Evaluation,
): CompiledText<Value | undefined> {
  const { value, expression } = objectOf(given);
  if (typeof expression === 'string') {
    return compileComputed(expression, evaluation);
  }
  const fixed = typeof value === 'string' ? encodeBytes(value) : undefined;
  return { evaluate: () => fixed, problem: undefined, assumes: [] };
}

function compileComputed(text: string, evaluation: Evaluation): CompiledText<Value | undefined> {
  const parsed = parseExpression(text, { mode: 'value' });
  if (!parsed.ok || parsed.tree.mode !== 'value') {
    return unusable(parsed.ok ? 'it computes no value' : place(parsed.error), undefined);
  }
  const { tree } = parsed;
  return evaluation.recorded === true
    ? usable(compileKnownValue(text, tree.root, evaluation), [], undefined)
    : usable(compileValue(tree.root, evaluation), assumptions(text, tree, evaluation), undefined);
}

function unusable<Result>(problem: string, nothing: Result): CompiledText<Result> {
  return { evaluate: () => nothing, problem, assumes: [] };
}

function usable<Result>(
  compiled: Compiled<Result>,
  assumes: readonly string[],
  nothing: Result,
): CompiledText<Result> {
  return compiled.ok
    ? { evaluate: compiled.evaluate, problem: undefined, assumes }
    : { evaluate: () => nothing, problem: messages(compiled.problems), assumes };
}

/** Returns a computed text as bytes; undefined for a missing value and for a value that is not a string. */
export function textOf(compute: (values: Values) => Value | undefined, values: Values): string | undefined {
  const value = compute(values);
  return typeof value === 'string' ? value : undefined;
}

/** Functions whose result only the service knows, with what a simulation assumes instead. */
const STAND_INS: ReadonlyMap<string, string> = new Map([
  ['hash_in_range', 'hash_in_range() is another hash than that of the service'],
  ['uuidv4', 'uuidv4() is worked out from its argument alone'],
  ['is_jwt_present', 'no request carries a token (is_jwt_present)'],
  ['is_jwt_valid', 'no request carries a valid token (is_jwt_valid)'],
]);

function assumptions(text: string, tree: Tree, { lists }: Evaluation): readonly string[] {
  const { comparisons, calls } = takeInventory(text, tree);
  const redirects = redirectListsIn(tree);
  const found = [
    ...referencesIn(text).map(secretAssumption),
    ...comparisons.flatMap(({ right }) =>
      right.kind === 'list' && !lists.has(right.name) && !redirects.has(right.name)
        ? [`${EMPTY_LIST}$${right.name}`]
        : [],
    ),
    ...calls.flatMap(({ name }) => STAND_INS.get(name) ?? []),
  ];
  return [...new Set(found)];
}

function secretAssumption(reference: string): string {
  const name = environmentOf(reference);
  return `nothing has the sensitive value${name === '' ? ' that stands there' : ` of ${name}`}`;
}

function messages(problems: readonly { readonly message: string }[]): string {
  return problems.map(({ message }) => message).join('; ');
}

function place({ message, line, column }: ParseError): string {
  return `${message} (line ${line}, column ${column})`;
}
