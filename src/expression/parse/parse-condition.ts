import type { Condition, Quantifier } from '../language/ast.ts';
import { argumentType, conditionType } from '../language/condition-type.ts';
import { mismatch } from '../language/signature.ts';
import { arrayOf, BOOL, sameType, typeName } from '../values/type.ts';
import { readComparison } from './comparison.ts';
import { readOperand } from './parse-operand.ts';
import { afterCombiner, COMBINERS, combinerAt } from './operator.ts';
import { afterSpace, at, descend, fail, failedIn, readLiteral, skipSpace, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';
import { HOLE, passClause } from './recover.ts';

/** Reads a condition with its joining operators: `or` binds loosest, then `xor`, then `and` (2.1). */
export function readCondition(reader: Reader): Condition | undefined {
  return readLevel(reader, 0);
}

/** Whether `any` or `all` stands here as a quantifier, that is, before a parenthesis. */
export function atQuantifier(reader: Reader): boolean {
  return (
    (at(reader, 'any') || at(reader, 'all')) &&
    reader.bytes.charAt(afterSpace(reader.bytes, reader.position + 3)) === '('
  );
}

function readLevel(reader: Reader, level: number): Condition | undefined {
  const kind = COMBINERS[level];
  if (kind === undefined) {
    return readClause(reader);
  }
  const first = readLevel(reader, level + 1);
  if (first === undefined) {
    return undefined;
  }
  let start = afterSpace(reader.bytes, reader.position);
  let found = combinerAt(reader.bytes, start);
  if (found?.combiner !== kind) {
    return first;
  }
  const items = [first];
  let last = first;
  while (found?.combiner === kind) {
    reader.position = afterSpace(reader.bytes, start + found.text.length);
    const item = readLevel(reader, level + 1);
    if (item === undefined || !joins(reader, first, item)) {
      return undefined;
    }
    items.push(item);
    last = item;
    start = afterSpace(reader.bytes, reader.position);
    found = combinerAt(reader.bytes, start);
  }
  return { kind, items, span: { start: first.span.start, end: last.span.end } };
}

/**
 * Whether two conditions may be joined: both Bool, or both arrays. Otherwise leaves a failure, which starts after the next joining
 * operator, as in the engine.
 */
function joins(reader: Reader, left: Condition, right: Condition): boolean {
  if (left === HOLE || right === HOLE) {
    return true;
  }
  const expected = conditionType(left);
  const actual = conditionType(right);
  if (expected.kind === actual.kind && expected.kind !== 'Map') {
    return true;
  }
  const start = afterCombiner(reader.bytes, reader.position) ?? reader.position;
  fail(reader, { kind: 'TypeMismatch', message: mismatch([typeName(expected)], actual), start });
  return false;
}

/** Reads one operand of a joining operator. When failures are collected, records its failure and goes on after it. */
function readClause(reader: Reader): Condition | undefined {
  if (reader.collected === undefined) {
    return readSimple(reader);
  }
  const { position, depth } = reader;
  const condition = readSimple(reader);
  if (condition !== undefined) {
    return condition;
  }
  reader.depth = depth;
  return passClause(reader, position) ? HOLE : undefined;
}

function readSimple(reader: Reader): Condition | undefined {
  switch (reader.bytes.charAt(reader.position)) {
    case '(':
      return readGroup(reader);
    case '!':
      return readNot(reader);
    case 'n':
      if (at(reader, 'not')) {
        return readNot(reader);
      }
      break;
    case 'a':
      if (atQuantifier(reader)) {
        return readQuantifier(reader);
      }
      break;
    default:
  }
  const operand = readOperand(reader);
  return operand && readComparison(reader, operand);
}

function readGroup(reader: Reader): Condition | undefined {
  const start = reader.position;
  if (!descend(reader, start)) {
    return undefined;
  }
  reader.position += 1;
  skipSpace(reader);
  const item = readCondition(reader);
  if (item === undefined) {
    return undefined;
  }
  skipSpace(reader);
  if (!readLiteral(reader, ')')) {
    return undefined;
  }
  reader.depth -= 1;
  return { kind: 'group', item, span: spanFrom(reader, start) };
}

function readNot(reader: Reader): Condition | undefined {
  const start = reader.position;
  if (!descend(reader, start)) {
    return undefined;
  }
  const text = at(reader, '!') ? '!' : 'not';
  reader.position += text.length;
  const operator = { text, span: spanFrom(reader, start) };
  skipSpace(reader);
  const item = readSimple(reader);
  if (item === undefined) {
    return undefined;
  }
  reader.depth -= 1;
  return { kind: 'not', item, operator, span: spanFrom(reader, start) };
}

function readQuantifier(reader: Reader): Quantifier | undefined {
  const start = reader.position;
  const quantifier = at(reader, 'any') ? 'any' : 'all';
  reader.position = afterSpace(reader.bytes, start + 3);
  if (!descend(reader, reader.position)) {
    return undefined;
  }
  reader.position += 1;
  skipSpace(reader);
  const from = reader.position;
  const argument = reader.readArgument(reader);
  if (argument === undefined) {
    return undefined;
  }
  const type = argumentType(argument);
  const wanted = arrayOf(BOOL);
  if ((argument.kind !== 'operand' && argument.kind !== 'condition') || !sameType(type, wanted)) {
    const message = mismatch([typeName(wanted)], type);
    fail(reader, { kind: 'TypeMismatch', message, start: from, end: reader.position });
    return failedIn(reader, { kind: 'quantifier', quantifier, type });
  }
  skipSpace(reader);
  if (!readLiteral(reader, ')')) {
    return undefined;
  }
  reader.depth -= 1;
  return { kind: 'quantifier', quantifier, argument, span: spanFrom(reader, start) };
}
