import { assertNever } from '../data/index.ts';
import { compileValue, leavesOf, printCondition, printOperand, valueToJson } from '../expression/index.ts';
import type { Argument, Condition, Operand, Values } from '../expression/index.ts';
import type { JsonValue } from '../data/index.ts';
import type { Clause, Observation } from '../model/index.ts';
import type { Evaluation } from './evaluation.ts';
import { parseCondition } from './new-fields.ts';
import { compileDecision } from './decision.ts';

/** What an explanation is based on. */
export interface ExplainedRequest {
  /** The values of all fields, including those that were not given. */
  readonly values: Values;
  /** The values of fields that are given or follow from what is given. */
  readonly known: Values;
  readonly evaluation: Evaluation;
}

/** An explanation of one expression, with its fields that this version does not know. */
interface ExplainedText extends ExplainedRequest {
  readonly newFields: ReadonlySet<string>;
}

/** Explains which clauses of a condition hold for a request, with the values that they test; null for a text that is not a condition. */
export function explainCondition(text: string, explained: ExplainedRequest): Clause | null {
  const { parsed, newFields } = parseCondition(text, explained.evaluation.newFields);
  return parsed.ok && parsed.tree.mode === 'filter'
    ? clauseOf(parsed.tree.root, { ...explained, newFields })
    : null;
}

function clauseOf(condition: Condition, explained: ExplainedText): Clause {
  const { kind } = condition;
  if (kind === 'group') {
    return clauseOf(condition.item, explained);
  }
  const said = { text: printCondition(condition), holds: holds(condition, explained) };
  switch (kind) {
    case 'and':
    case 'or':
    case 'xor':
      return {
        kind,
        ...said,
        clauses: condition.items.map((item) => clauseOf(item, explained)),
        observed: [],
      };
    case 'not':
      return { kind, ...said, clauses: [clauseOf(condition.item, explained)], observed: [] };
    case 'quantifier':
    case 'comparison':
    case 'bare':
      return { kind: 'test', ...said, clauses: [], observed: observe(condition, explained) };
    default:
      return assertNever(condition);
  }
}

function holds(condition: Condition, { values, evaluation, newFields }: ExplainedText): boolean | null {
  const compiled = compileDecision(condition, evaluation.context, newFields);
  return compiled.ok ? (compiled.evaluate(values) ?? null) : false;
}

function observe(condition: Condition, explained: ExplainedText): readonly Observation[] {
  const seen = new Map<string, Observation>();
  for (const operand of operandsOf(condition)) {
    const name = printOperand(operand);
    if (name !== 'true' && name !== 'false') {
      seen.set(name, { name, value: valueOf(operand, explained), assumed: isAssumed(operand, explained) });
    }
  }
  return [...seen.values()];
}

function valueOf(operand: Operand, { values, evaluation }: ExplainedRequest): JsonValue {
  const compiled = compileValue(operand, evaluation);
  return valueToJson(compiled.ok ? compiled.evaluate(values) : undefined);
}

/** Whether all fields of an operand have assumed values, those of a plain request. */
function isAssumed({ source, indexes }: Operand, explained: ExplainedText): boolean {
  if (source.kind === 'field') {
    const [first] = indexes;
    const isAgent =
      source.name === 'http.request.headers' && first?.kind === 'key' && first.key === 'user-agent';
    return !explained.known.has(isAgent ? 'http.user_agent' : source.name);
  }
  const operands = source.arguments.flatMap(partsOf);
  return operands.length > 0 && operands.every((operand) => isAssumed(operand, explained));
}

/** Returns the operands whose values show why a condition holds or not. */
function operandsOf(condition: Condition): readonly Operand[] {
  return leavesOf(condition).flatMap((leaf) => {
    switch (leaf.kind) {
      case 'quantifier':
        return partsOf(leaf.argument);
      case 'comparison':
        return [...whole(leaf.left), ...(leaf.right.kind === 'operand' ? whole(leaf.right) : [])];
      case 'bare': {
        const { operand } = leaf;
        // The result of a call such as starts_with() is that of the condition; its arguments show why.
        return operand.source.kind === 'call' && operand.indexes.length === 0
          ? operand.source.arguments.flatMap(partsOf)
          : whole(operand);
      }
      default:
        return assertNever(leaf);
    }
  });
}

function partsOf(argument: Argument): readonly Operand[] {
  if (argument.kind === 'operand') {
    return whole(argument);
  }
  return argument.kind === 'condition' ? operandsOf(argument.condition) : [];
}

/** Returns an operand in a form that has one value: without its indexes from `[*]` on, and for an element-wise call its arguments. */
function whole(operand: Operand): readonly Operand[] {
  const each = operand.indexes.findIndex((index) => index.kind === 'each');
  const { source } = operand;
  if (source.kind === 'call' && source.elementwise) {
    return source.arguments.flatMap(partsOf);
  }
  return [each === -1 ? operand : { ...operand, indexes: operand.indexes.slice(0, each), each: 0 }];
}
