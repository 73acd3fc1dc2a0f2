import { BYTES, isCollection, parseType, typeName } from '../values/type.ts';
import type { Type } from '../values/type.ts';
import type { Argument } from './ast.ts';
import type { ParseErrorKind } from './parse-error-kind.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\0', '\\0'],
]);

/** Characters that the engine's messages escape: control and unassigned characters, blanks other than the space, combining marks. */
const UNPRINTED = /[\p{C}\p{Zl}\p{Zp}\p{Grapheme_Extend}]|(?! )\p{Zs}/u;

/** Quotes a text as the engine's messages do: in double quotes, with escapes. */
export function debugText(text: string): string {
  let shown = '"';
  for (const character of text) {
    const escape = ESCAPES.get(character);
    if (escape !== undefined) {
      shown += escape;
    } else if (UNPRINTED.test(character)) {
      shown += `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    } else {
      shown += character;
    }
  }
  return `${shown}"`;
}

/**
 * Formats a type as the engine's UnsupportedOp and InvalidIndexAccess messages do (`rules-language.md` 3): the layers of a compound type
 * are bits, the outermost lowest, 0 for an array and 1 for a map; the layer named in front is not counted.
 */
export function debugType(type: Type): string {
  if (!isCollection(type)) {
    return type.kind;
  }
  let layers = 0;
  let length = 0;
  let inner = type.of;
  while (isCollection(inner)) {
    layers += inner.kind === 'Map' ? 2 ** length : 0;
    length += 1;
    inner = inner.of;
  }
  return `${type.kind}(CompoundType { layers: ${layers}, len: ${length}, primitive: ${inner.kind} })`;
}

/**
 * What a parameter takes, in the order in which messages list it: a type by name, any array or map (`Array<_>`, `Map<_>`), the
 * type of the first argument (`first`), the type of its elements (`element`), or anything (`_`).
 */
export type Accepts = string;

/** A limit that the parser itself enforces: a number within bounds, or a string that is not empty. */
export type Constraint =
  | { readonly kind: 'between'; readonly least: number; readonly most: number }
  | { readonly kind: 'separator' };

/** One parameter of a function. */
export interface SignatureParameter {
  readonly name: string;
  readonly accepts: readonly Accepts[];
  /** Whether the argument must be a literal, must not be one, or may be either. */
  readonly takes: 'literal' | 'field' | 'any';
  readonly constraint?: Constraint;
}

/** What a call of a function must look like (`rules-language.md` 1.5). */
export interface FunctionSignature {
  readonly name: string;
  readonly mandatory: readonly SignatureParameter[];
  readonly optional: readonly SignatureParameter[];
  /** The parameter for every further argument, when any number of them is allowed. */
  readonly rest?: SignatureParameter;
  /** The type of a call, or `first` for the type of the first argument. */
  readonly returns: string;
}

/** Returns the maximum number of arguments of a call; undefined when there is no limit. */
export function mostArguments(signature: FunctionSignature): number | undefined {
  return signature.rest === undefined ? signature.mandatory.length + signature.optional.length : undefined;
}

/** An argument as a signature sees it; `type` is that of one element when the argument has `[*]`. */
export interface GivenArgument {
  readonly argument: Argument;
  readonly type: Type;
}

/** Why an argument is refused, in the engine's words. */
export interface SignatureRefusal {
  readonly kind: ParseErrorKind;
  readonly message: string;
}

/**
 * Checks the argument at `index`: kind, type, constant value, in the engine's order. `first` is the type of the first argument, on which
 * parameters may depend.
 */
export function checkArgument(
  signature: FunctionSignature,
  { index, given, first }: { readonly index: number; readonly given: GivenArgument; readonly first: Type },
): SignatureRefusal | undefined {
  const parameter = parameterAt(signature, index);
  if (parameter === undefined) {
    return undefined;
  }
  const actual = isLiteral(given.argument) ? 'Literal' : 'Field';
  if (parameter.takes !== 'any' && parameter.takes !== actual.toLowerCase()) {
    const expected = parameter.takes === 'literal' ? 'Literal' : 'Field';
    const message = `invalid kind of argument #${index}: expected argument of kind ${expected}, but got ${actual}`;
    return { kind: 'InvalidArgumentKind', message };
  }
  const expected = parameter.accepts.map((accepts) => resolve(accepts, first));
  if (!expected.some((accepts) => matches(accepts, given.type))) {
    const message = `invalid type of argument #${index}: ${mismatch(expected, given.type)}`;
    return { kind: 'InvalidArgumentType', message };
  }
  const problem =
    parameter.constraint === undefined ? undefined : violates(parameter.constraint, given.argument);
  if (problem === undefined) {
    return undefined;
  }
  const message = `invalid value of argument #${index}: invalid argument: ${debugText(problem)}`;
  return { kind: 'InvalidArgumentValue', message };
}

/** Returns the type of a call, given the type of its first argument (of one element, when the argument has `[*]`). */
export function returnType(signature: FunctionSignature, first: Type | undefined): Type {
  return parseType(signature.returns) ?? first ?? BYTES;
}

/** Returns the engine's message for a value of another type than expected. */
export function mismatch(expected: readonly string[], actual: Type): string {
  const [one = '', two = ''] = expected;
  const listed =
    expected.length > 2 ? `{${expected.join(', ')}}` : expected.length === 2 ? `${one} or ${two}` : one;
  return `expected value of type ${listed}, but got ${typeName(actual)}`;
}

/** Returns the parameter for the argument at an index; undefined after the last parameter. */
export function parameterAt(signature: FunctionSignature, index: number): SignatureParameter | undefined {
  return (
    signature.mandatory[index] ?? signature.optional[index - signature.mandatory.length] ?? signature.rest
  );
}

function isLiteral(argument: Argument): boolean {
  return argument.kind !== 'operand' && argument.kind !== 'condition';
}

function resolve(accepts: Accepts, first: Type): string {
  if (accepts === 'first') {
    return typeName(first);
  }
  return accepts === 'element' && isCollection(first) ? typeName(first.of) : accepts;
}

function matches(accepts: string, type: Type): boolean {
  return accepts === '_' || accepts === `${type.kind}<_>` || accepts === typeName(type);
}

function violates(constraint: Constraint, argument: Argument): string | undefined {
  if (constraint.kind === 'between') {
    const { least, most } = constraint;
    const inside = argument.kind === 'int' && argument.value >= least && argument.value <= most;
    return inside ? undefined : `must be between ${least} and ${most}`;
  }
  return argument.kind === 'bytes' && argument.value === '' ? 'separator cannot be empty' : undefined;
}
