import type { Argument, ConditionArgument, Literal, Operand } from '../language/ast.ts';
import { readAddress } from './address.ts';
import { HEX_DIGITS, NAME_CHARACTERS, runEnd } from './characters.ts';
import { readComparison } from './comparison.ts';
import { atQuantifier, readCondition } from './condition.ts';
import { readInteger } from './integer.ts';
import { readOperand } from './operand.ts';
import { comparisonAt } from './operator.ts';
import { afterSpace, at, fail, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';
import { readBytes } from './text.ts';

/** Reads an argument of a call or a quantifier; its first characters say what it is (1.5). */
export function readArgument(reader: Reader): Argument | undefined {
  if (at(reader, '"') || at(reader, 'r"') || at(reader, 'r#')) {
    return readBytes(reader);
  }
  if (at(reader, '(') || at(reader, 'not') || at(reader, '!') || atQuantifier(reader)) {
    return readWholeCondition(reader);
  }
  if (isSurelyName(reader)) {
    const operand = readOperand(reader);
    return operand && readAfterOperand(reader, operand);
  }
  return readGuessing(reader);
}

/** Whether one of the first three characters can be in a name, but not in a number or a byte string: the argument is a name. */
function isSurelyName({ bytes, position }: Reader): boolean {
  const hexEnd = runEnd(HEX_DIGITS, bytes, position);
  return hexEnd < position + 3 && runEnd(NAME_CHARACTERS, bytes, hexEnd) > hexEnd;
}

function readWholeCondition(reader: Reader): ConditionArgument | undefined {
  const start = reader.position;
  const { collected } = reader;
  // A parse that collects failures stops at the first failure inside an argument, and goes on after the clause around it.
  reader.collected = undefined;
  const condition = readCondition(reader);
  reader.collected = collected;
  return condition && { kind: 'condition', condition, span: spanFrom(reader, start) };
}

/** Reads an argument that starts with an operand: alone it is a value, with an operator after it a single comparison. */
function readAfterOperand(reader: Reader, operand: Operand): Argument | undefined {
  const { start } = operand.span;
  if (comparisonAt(reader.bytes, afterSpace(reader.bytes, reader.position)) === undefined) {
    return operand;
  }
  const condition = readComparison(reader, operand);
  return condition && { kind: 'condition', condition, span: spanFrom(reader, start) };
}

const LITERALS: readonly ((reader: Reader) => Literal | undefined)[] = [readAddress, readInteger, readBytes];

/** Tries each kind of argument in turn; when none fits, the failure does not say why. */
function readGuessing(reader: Reader): Argument | undefined {
  const start = reader.position;
  const { depth } = reader;
  const operand = readOperand(reader);
  if (operand !== undefined) {
    return readAfterOperand(reader, operand);
  }
  reader.depth = depth;
  for (const readLiteral of LITERALS) {
    reader.position = start;
    const literal = readLiteral(reader);
    if (literal !== undefined) {
      reader.failure = undefined;
      return literal;
    }
  }
  return fail(reader, { kind: 'EOF', message: 'unrecognised input', start });
}
