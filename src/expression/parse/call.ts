import type { Argument, Call } from '../language/ast.ts';
import { argumentType } from '../language/condition-type.ts';
import { checkArgument, mostArguments, returnType } from '../language/signature.ts';
import type { Signature } from '../language/signature.ts';
import { arrayOf } from '../values/type.ts';
import type { Type } from '../values/type.ts';
import { at, descend, fail, failedIn, readLiteral, skipSpace, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';

/** Reads the arguments of a call; the reader stands behind the function's name (1.5). */
export function readCall(
  reader: Reader,
  { signature, start }: { readonly signature: Signature; readonly start: number },
): Call | undefined {
  skipSpace(reader);
  if (!descend(reader, reader.position) || !readLiteral(reader, '(')) {
    return undefined;
  }
  skipSpace(reader);
  const given = readArguments(reader, signature);
  if (given === undefined || !readLiteral(reader, ')')) {
    return undefined;
  }
  reader.depth -= 1;
  const [first] = given;
  const elementwise = first?.kind === 'operand' && first.each > 0;
  const type = returnType(signature, first === undefined ? undefined : argumentType(first));
  return {
    kind: 'call',
    name: signature.name,
    arguments: given,
    type: elementwise ? arrayOf(type) : type,
    elementwise,
    span: spanFrom(reader, start),
  };
}

function readArguments(reader: Reader, signature: Signature): readonly Argument[] | undefined {
  const given: Argument[] = [];
  let first: Type | undefined;
  while (reader.position < reader.bytes.length && !at(reader, ')')) {
    if (given.length > 0 && !readLiteral(reader, ',')) {
      return undefined;
    }
    skipSpace(reader);
    const start = reader.position;
    const argument = reader.readArgument(reader);
    if (argument === undefined) {
      return failedIn(reader, { kind: 'argument', signature, index: given.length });
    }
    const type = argumentType(argument);
    first ??= type;
    if (!fits(reader, signature, { argument, type, first, index: given.length, start })) {
      return failedIn(reader, { kind: 'argument', signature, index: given.length });
    }
    given.push(argument);
    skipSpace(reader);
  }
  if (given.length >= signature.mandatory.length) {
    return given;
  }
  wrongCount(reader, reader.position);
  return failedIn(reader, { kind: 'argument', signature, index: given.length });
}

interface Candidate {
  readonly argument: Argument;
  readonly type: Type;
  readonly first: Type;
  readonly index: number;
  readonly start: number;
}

/** Checks an argument in the engine's order: `[*]`, count, kind, type, constant value. */
function fits(reader: Reader, signature: Signature, candidate: Candidate): boolean {
  const { argument, type, first, index, start } = candidate;
  const end = reader.position;
  if (index > 0 && argument.kind === 'operand' && argument.each > 0) {
    fail(reader, {
      kind: 'InvalidMapEachAccess',
      message: 'invalid use of map each access operator',
      start,
      end,
    });
    return false;
  }
  const most = mostArguments(signature);
  if (most !== undefined && index >= most) {
    wrongCount(reader, start);
    return false;
  }
  const refusal = checkArgument(signature, { index, given: { argument, type }, first });
  if (refusal !== undefined) {
    fail(reader, { ...refusal, start, end });
    return false;
  }
  return true;
}

function wrongCount(reader: Reader, start: number): undefined {
  return fail(reader, { kind: 'InvalidArgumentsCount', message: 'invalid number of arguments', start });
}
