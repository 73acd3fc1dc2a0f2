import type { JsonValue } from '../../model/json.ts';
import type { FilledPiece, FilledText } from '../yaml/yaml-document.ts';
import { literalPlaces } from './literal-places.ts';
import type { LiteralPlace } from './literal-places.ts';
import { quoteValue } from './quote.ts';
import type { Quoted } from './quote.ts';
import { parseTemplate } from './template.ts';
import type { TemplatePart } from './template.ts';
import type { Variable, VariableContent, VariableValue } from './variable.ts';

/** Why a variable cannot be put into a text. */
export type FillProblemKind =
  | 'undefined'
  | 'malformed'
  | 'in-key'
  | 'unset'
  | 'expression-in-text'
  | Exclude<Quoted['kind'], 'text'>;

/** A variable that could not be put in, and the stretch of the text where it stands. */
export interface FillProblem {
  readonly kind: FillProblemKind;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly variable?: Variable | undefined;
}

/** How filling looks variables up, and what it calls back. */
export interface TextFilling {
  readonly find: (name: string) => Variable | undefined;
  /** Called for each variable that was put in, with the number of characters it brought. */
  readonly use: (variable: Variable, length: number) => void;
  readonly report: (problem: FillProblem) => void;
}

/** The result of filling a text, and the origin of each stretch of it. */
export interface Filled<Value> {
  readonly value: Value;
  readonly pieces: FilledText;
}

/** Fills the variables of a text; a text that is nothing but a variable becomes its value. Undefined where a variable cannot be put in. */
export function fillPlainText(text: string, filling: TextFilling): Filled<JsonValue> | undefined {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'variable') {
    const found = plainValue(only, filling);
    const pieces = [{ start: 0, end: 0, from: 0, to: text.length, same: false, variable: found?.variable }];
    return found === undefined ? undefined : { value: found.value, pieces };
  }
  const spelledParts = parts.map((part) => {
    if (part.kind === 'text') {
      return part.text;
    }
    const found = plainValue(part, filling);
    if (found !== undefined && typeof found.value === 'object') {
      return refuse(filling, part, 'list-in-text', found.variable);
    }
    return found === undefined ? undefined : String(found.value);
  });
  return filledOf(parts, spelledParts, filling);
}

/** Joins the parts of a text; undefined where one of them could not be filled. */
function filledOf(
  parts: readonly TemplatePart[],
  spelledParts: readonly (string | undefined)[],
  { find }: TextFilling,
): Filled<string> | undefined {
  const pieces: FilledPiece[] = [];
  let value = '';
  for (const [at, part] of parts.entries()) {
    const piece = spelledParts[at];
    if (piece === undefined) {
      return undefined;
    }
    const start = value.length;
    value += piece;
    const same = part.kind === 'text' && part.text.length === part.end - part.start;
    const variable = part.kind === 'variable' ? find(part.name) : undefined;
    pieces.push({ start, end: value.length, from: part.start, to: part.end, same, variable });
  }
  return { value, pieces };
}

/** Fills the variables of an expression, and returns the origin of each stretch. Undefined where a variable cannot be put in. */
export function fillExpression(template: string, filling: TextFilling): Filled<string> | undefined {
  const parts = parseTemplate(template);
  const places = literalPlaces(template, parts);
  const spelledParts = parts.map((part) =>
    part.kind === 'text' ? part.text : spelled(part, places.get(part.start) ?? { kind: 'escape' }, filling),
  );
  return filledOf(parts, spelledParts, filling);
}

type Mark = Exclude<TemplatePart, { kind: 'text' }>;

/** Looks up the variable that a part names; reports a malformed or undeclared one. */
function variableOf(part: Mark, filling: TextFilling): Variable | undefined {
  if (part.kind === 'malformed') {
    return refuse(filling, part, 'malformed');
  }
  const variable = filling.find(part.name);
  if (variable === undefined) {
    return refuse(filling, part, 'undefined');
  }
  return variable;
}

function plainValue(
  part: Mark,
  filling: TextFilling,
): { readonly value: VariableValue; readonly variable: Variable } | undefined {
  const variable = variableOf(part, filling);
  if (variable === undefined) {
    return undefined;
  }
  const value = valueOf(variable.content);
  filling.use(variable, lengthOf(value));
  if (variable.content.kind === 'broken') {
    return undefined;
  }
  if (value === undefined) {
    const kind = variable.content.kind === 'unset' ? 'unset' : 'expression-in-text';
    return refuse(filling, part, kind, variable);
  }
  return { value, variable };
}

function spelled(part: Mark, place: LiteralPlace, filling: TextFilling): string | undefined {
  const variable = variableOf(part, filling);
  if (variable === undefined) {
    return undefined;
  }
  if (variable.content.kind === 'expression' && place.kind === 'code') {
    filling.use(variable, variable.content.text.length);
    return place.whole ? variable.content.text : `(${variable.content.text})`;
  }
  const found = plainValue(part, filling);
  if (found === undefined) {
    return undefined;
  }
  const quoted = quoteValue(found.value, place);
  return quoted.kind === 'text' ? quoted.text : refuse(filling, part, quoted.kind, variable);
}

function valueOf(content: VariableContent): VariableValue | undefined {
  switch (content.kind) {
    case 'value':
      return content.value;
    case 'sensitive':
      return content.reference;
    default:
      return undefined;
  }
}

function lengthOf(value: VariableValue | undefined): number {
  return typeof value === 'object'
    ? value.reduce<number>((sum, item) => sum + String(item).length + 1, 0)
    : String(value ?? '').length;
}

function refuse(
  { report }: TextFilling,
  part: Mark,
  kind: FillProblemKind,
  ...[variable]: readonly [variable?: Variable]
): undefined {
  const name = part.kind === 'variable' ? part.name : '';
  report({ kind, start: part.start, end: part.end, name, variable });
}
