import {
  compileFilter,
  compileValue,
  FIELDS,
  parseExpression,
  printCondition,
  printOperand,
} from '../expression/index.ts';
import type { Argument, Compiled, Condition, Operand, Value, Values } from '../expression/index.ts';
import { memoise, memoiseWeakly } from '../data/index.ts';
import { referencesIn } from '../model/index.ts';
import type { Evaluation } from './evaluation.ts';
import { redirectListsIn } from './decision.ts';

/**
 * A map of which only the values of some keys are known: a log that keeps three headers says nothing of the others. A key whose value is an
 * empty list is known to be absent.
 */
export class PartialMap extends Map<string, Value> {}

/** What a test has to know: a field, or the value of one key of it; or something that is never known here, such as the items of a list. */
interface Need {
  /** How people call it: `ip.src.country`, `http.request.headers["x-key"]`, `$office`. */
  readonly name: string;
  /** Null where it is never known. */
  readonly field: string | null;
  readonly key: string | undefined;
}

/** A condition of a rule, for requests of which not everything is known. */
export interface ThreeValuedCondition {
  /** Undefined where the answer depends on something that is not known. */
  readonly evaluate: (values: Values) => boolean | undefined;
  /** What the answer depends on, where it is undefined. */
  readonly missing: (values: Values) => readonly string[];
  /** Why the text cannot be evaluated at all. */
  readonly problem: string | undefined;
}

/** The mark at the beginning of a computed text that depends on something which is not known; the expression follows. */
export const UNKNOWN_TEXT = '\0';

/** Functions whose result only the service knows. */
const OF_SERVICE: ReadonlySet<string> = new Set([
  'hash_in_range',
  'uuidv4',
  'is_jwt_present',
  'is_jwt_valid',
]);

/**
 * Compiles the condition of a rule to a test with three answers (Kleene's logic): a comparison of a field that is not known has none, and
 * `false and …` is false whatever follows. The last answer is kept, since the same text is asked for live and for desired.
 */
export function compileKnownCondition(text: string, evaluation: Evaluation): ThreeValuedCondition {
  return compilerFor(evaluation)(text);
}

/** Each text is compiled once, so that equal ones share their last answer. */
const compilerFor = memoiseWeakly((evaluation: Evaluation) =>
  memoise((text: string) => compileOnce(text, evaluation)),
);

function compileOnce(text: string, evaluation: Evaluation): ThreeValuedCondition {
  const parsed = parseExpression(text);
  if (!parsed.ok || parsed.tree.mode !== 'filter') {
    return never(parsed.ok ? 'it is not a condition' : parsed.error.message);
  }
  const compiler: KnownCompiler = {
    evaluation,
    redirects: redirectListsIn(parsed.tree),
    hasSecret: referencesIn(text).length > 0,
    problems: [],
  };
  const node = compileNode(parsed.tree.root, compiler);
  if (compiler.problems.length > 0) {
    return never(compiler.problems.join('; '));
  }
  let lastValues: Values | undefined;
  let last: boolean | undefined;
  return {
    evaluate: (values) => {
      if (values !== lastValues) {
        lastValues = values;
        last = node.test(values);
      }
      return last;
    },
    missing: (values) => [...new Set(missingIn(node, values))],
    problem: undefined,
  };
}

function never(problem: string): ThreeValuedCondition {
  return { evaluate: () => false, missing: () => [], problem };
}

/** Compiles a text that a rule computes; one that depends on something which is not known gives `UNKNOWN_TEXT` and the expression. */
export function compileKnownValue(
  text: string,
  root: Operand,
  evaluation: Evaluation,
): Compiled<Value | undefined> {
  const compiled = compileValue(root, evaluation);
  const needs = needsOfOperand(root);
  const unknown = `${UNKNOWN_TEXT}${text}`;
  return compiled.ok && needs.length > 0
    ? { ok: true, evaluate: (values) => (isKnown(needs, values) ? compiled.evaluate(values) : unknown) }
    : compiled;
}

type KnownTest = (values: Values) => boolean | undefined;

/** A condition with three answers, and its parts. */
interface KnownNode {
  readonly test: KnownTest;
  readonly needs: readonly Need[];
  readonly parts: readonly KnownNode[];
}

interface KnownCompiler {
  readonly evaluation: Evaluation;
  readonly redirects: ReadonlySet<string>;
  /** Whether the text names a sensitive value, which nobody here has. */
  readonly hasSecret: boolean;
  readonly problems: string[];
}

function compileNode(condition: Condition, compiler: KnownCompiler): KnownNode {
  switch (condition.kind) {
    case 'and':
    case 'or':
    case 'xor': {
      const parts = condition.items.map((item) => compileNode(item, compiler));
      return { test: JOINED[condition.kind](parts.map(({ test }) => test)), needs: [], parts };
    }
    case 'not': {
      const part = compileNode(condition.item, compiler);
      const { test } = part;
      return { test: (values) => opposite(test(values)), needs: [], parts: [part] };
    }
    case 'group':
      return compileNode(condition.item, compiler);
    default:
      return compileLeaf(condition, compiler);
  }
}

function opposite(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer;
}

const JOINED: Readonly<Record<'and' | 'or' | 'xor', (tests: readonly KnownTest[]) => KnownTest>> = {
  and: (tests) => untilSaid(tests, false),
  or: (tests) => untilSaid(tests, true),
  xor: (tests) => (values) => {
    const answers = tests.map((test) => test(values));
    return answers.includes(undefined) ? undefined : answers.filter(Boolean).length % 2 === 1;
  },
};

/** Asks until one part decides the whole: `false` for an `and`, `true` for an `or`. */
function untilSaid(tests: readonly KnownTest[], decides: boolean): KnownTest {
  return (values) => {
    let open = false;
    for (const test of tests) {
      const answer = test(values);
      if (answer === decides) {
        return decides;
      }
      open ||= answer === undefined;
    }
    return open ? undefined : !decides;
  };
}

function compileLeaf(condition: Condition, compiler: KnownCompiler): KnownNode {
  const { evaluation, redirects } = compiler;
  const compiled = compileFilter(condition, evaluation);
  const needs = needsOf(condition).flatMap((need): readonly Need[] => {
    const list = need.name.startsWith('$') ? need.name.slice(1) : undefined;
    return list !== undefined && evaluation.lists.has(list) && !redirects.has(list) ? [] : [need];
  });
  if (!compiled.ok) {
    compiler.problems.push(...compiled.problems.map(({ message }) => message));
    return { test: () => false, needs: [], parts: [] };
  }
  const secret = compiler.hasSecret && referencesIn(printCondition(condition)).length > 0;
  if (secret || needs.some(({ field }) => field === null)) {
    const named = secret ? [{ name: 'a sensitive value', field: null, key: undefined }] : needs;
    return { test: () => undefined, needs: named, parts: [] };
  }
  const { evaluate } = compiled;
  const [need, ...others] = needs;
  if (need?.field === null || need === undefined) {
    return { test: evaluate, needs, parts: [] };
  }
  const { field, key } = need;
  return {
    // Most comparisons are of one field: its value is looked up without a loop.
    test:
      others.length === 0 && key === undefined
        ? (values) => (isWhole(values.get(field)) ? evaluate(values) : undefined)
        : (values) => (isKnown(needs, values) ? evaluate(values) : undefined),
    needs,
    parts: [],
  };
}

/** Whether a value is known as a whole. */
function isWhole(value: Value | undefined): boolean {
  return value !== undefined && !(value instanceof PartialMap);
}

function isKnown(needs: readonly Need[], values: Values): boolean {
  for (const need of needs) {
    if (!isMet(need, values)) {
      return false;
    }
  }
  return true;
}

function isMet({ field, key }: Need, values: Values): boolean {
  const value = field === null ? undefined : values.get(field);
  return value instanceof PartialMap ? key !== undefined && value.has(key) : value !== undefined;
}

/** Returns what the parts of an undecided condition lack. */
function missingIn(node: KnownNode, values: Values): readonly string[] {
  if (node.test(values) !== undefined) {
    return [];
  }
  return [
    ...node.needs.filter((need) => !isMet(need, values)).map(({ name }) => name),
    ...node.parts.flatMap((part) => missingIn(part, values)),
  ];
}

function needsOf(condition: Condition): readonly Need[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
    case 'xor':
      return condition.items.flatMap(needsOf);
    case 'not':
    case 'group':
      return needsOf(condition.item);
    case 'quantifier':
      return needsOfArgument(condition.argument);
    case 'bare':
      return needsOfOperand(condition.operand);
    case 'comparison': {
      const { left, right } = condition;
      const ofRight =
        right.kind === 'operand'
          ? needsOfOperand(right)
          : right.kind === 'list'
            ? [{ name: `$${right.name}`, field: null, key: undefined }]
            : [];
      return [...needsOfOperand(left), ...ofRight];
    }
    default:
      return condition satisfies never;
  }
}

function needsOfArgument(argument: Argument): readonly Need[] {
  if (argument.kind === 'operand') {
    return needsOfOperand(argument);
  }
  return argument.kind === 'condition' ? needsOf(argument.condition) : [];
}

function needsOfOperand(operand: Operand): readonly Need[] {
  const { source, indexes } = operand;
  if (source.kind === 'call') {
    const own = OF_SERVICE.has(source.name)
      ? [{ name: `${source.name}()`, field: null, key: undefined }]
      : [];
    return [...own, ...source.arguments.flatMap(needsOfArgument)];
  }
  // `true` and `false` are no fields.
  if (!FIELDS.has(source.name)) {
    return [];
  }
  const [first] = indexes;
  return first?.kind === 'key'
    ? [{ name: printOperand({ ...operand, indexes: [first] }), field: source.name, key: first.key }]
    : [{ name: source.name, field: source.name, key: undefined }];
}
