import { isJsonArray, isJsonObject } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { roleAt } from '../../model/index.ts';
import type { ValuePath, FilledText, FilledPiece } from '../yaml/yaml-document.ts';
import { isCollection, FIELDS, quoteText, rawText } from '../../expression/index.ts';
import type { Type } from '../../expression/index.ts';
import { mayHaveVariables, parseTemplate, literalPlaces, expectsPattern } from './template.ts';
import type { LiteralPlace, TemplatePart } from './template.ts';
import type { Variable, VariableContent, VariableValue } from './pack.ts';

/** A value as an expression spells it, or why the value cannot stand at its place. */
type Quoted =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'closes-quote' | 'in-escape' | 'list-in-text' | KindMismatch };

/** A value of another kind than its place in the code of an expression accepts. */
type KindMismatch = 'list-as-value' | 'value-as-list' | 'text-as-number' | 'number-as-text';

/**
 * Spells a value for a place of an expression so that it is read as exactly that value: a text as a literal, or as part of the literal around it;
 * a list as a set, or as items of the set around it. Where an address is compared, a text that looks like an address is not quoted.
 */
function quoteValue(value: VariableValue, place: LiteralPlace): Quoted {
  if (place.kind !== 'code') {
    return inLiteral(value, place);
  }
  const mismatch = mismatchOf(value, place);
  return mismatch === undefined ? textOf(inCode(value, place)) : { kind: mismatch };
}

/** Half of a surrogate pair, which no UTF-8 text can hold. */
const LONE_SURROGATE = /\p{Cs}/u;

type CodePlace = Extract<LiteralPlace, { kind: 'code' }>;

/** Returns how a value misfits its place, as far as the text before it tells; the parser would only say which character it expects. */
function mismatchOf(value: VariableValue, { before, inSet }: CodePlace): KindMismatch | undefined {
  const isList = typeof value === 'object';
  if (!inSet && isList !== /\bin\s*$/u.test(before)) {
    return isList ? 'list-as-value' : 'value-as-list';
  }
  const items = isList ? value : [value];
  switch (comparedKind(before)) {
    case 'Int':
      return items.every((item) => typeof item === 'number') ? undefined : 'text-as-number';
    case 'Bytes':
      return items.every((item) => typeof item === 'string') ? undefined : 'number-as-text';
    default:
      return undefined;
  }
}

function inCode(value: VariableValue, { before, inSet }: CodePlace): string | undefined {
  // Determined once for all items, of which there may be many.
  const spell = spellingOf(before);
  if (typeof value === 'object') {
    const items = value.map((item) => scalarInCode(item, spell));
    const joined = items.includes(undefined) ? undefined : items.join(' ');
    return joined === undefined || inSet ? joined : `{${joined}}`;
  }
  return scalarInCode(value, spell);
}

type Spelling = (text: string) => string | undefined;

/** Returns how a text is spelled behind `before`. */
function spellingOf(before: string): Spelling {
  if (expectsPattern(before)) {
    return rawText;
  }
  return comparedKind(before) === 'Ip'
    ? (text) => (/^[0-9A-Fa-f:./]+$/u.test(text) ? text : quoteText(text))
    : quoteText;
}

function scalarInCode(value: string | number | boolean, spell: Spelling): string | undefined {
  if (typeof value !== 'string') {
    return String(value);
  }
  return LONE_SURROGATE.test(value) ? undefined : spell(value);
}

/** The last field before a comparison; keys in brackets behind the field are skipped. */
const COMPARED =
  /([a-z_][a-z0-9_.]*)(?:\[[^\]]*\])*\s*(?:\b(?:in|eq|ne|lt|le|gt|ge|contains|matches|wildcard|strict\s+wildcard)|[=!<>]=|[<>~])\s*$/iu;

/** Returns the type of value that is compared right before a place; undefined where no known field stands there. */
function comparedKind(before: string): Type['kind'] | undefined {
  const name = COMPARED.exec(before)?.[1];
  let type: Type | undefined = name === undefined ? undefined : FIELDS.get(name)?.type;
  while (type !== undefined && isCollection(type)) {
    type = type.of;
  }
  return type?.kind;
}

function inLiteral(value: VariableValue, place: Exclude<LiteralPlace, CodePlace>): Quoted {
  if (typeof value === 'object') {
    return { kind: 'list-in-text' };
  }
  const text = String(value);
  switch (place.kind) {
    case 'escape':
      return { kind: 'in-escape' };
    case 'quoted':
      return textOf(LONE_SURROGATE.test(text) ? undefined : quoteText(text).slice(1, -1));
    case 'raw':
      return textOf((place.hashes === 0 ? /["\p{Cs}]/u : /["#\p{Cs}]/u).test(text) ? undefined : text);
    default:
      return textOf(/["\\[\]\p{Cs}]/u.test(text) ? undefined : text);
  }
}

function textOf(text: string | undefined): Quoted {
  return text === undefined ? { kind: 'closes-quote' } : { kind: 'text', text };
}

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

type Placeholder = Exclude<TemplatePart, { kind: 'text' }>;

/** Looks up the variable that a part names; reports a malformed or undeclared one. */
function variableOf(part: Placeholder, filling: TextFilling): Variable | undefined {
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
  part: Placeholder,
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

function spelled(part: Placeholder, place: LiteralPlace, filling: TextFilling): string | undefined {
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
  part: Placeholder,
  kind: FillProblemKind,
  ...[variable]: readonly [variable?: Variable]
): undefined {
  const name = part.kind === 'variable' ? part.name : '';
  report({ kind, start: part.start, end: part.end, name, variable });
}

/** How filling looks variables up, and what it calls back; paths are relative to the filled value. */
export interface Filling extends Omit<TextFilling, 'report'> {
  readonly report: (path: ValuePath, problem: FillProblem) => void;
  /** Called for each text with variables: with its pieces, or with `broken` where a variable cannot be put in. */
  readonly filled: (path: ValuePath, text: FilledText | 'broken') => void;
}

/** Fills the variables of a rule: quoted in expressions, as values elsewhere. Returns the rule itself where nothing changes. */
export function fillRule(rule: JsonObject, filling: Filling): JsonObject {
  return fillObject(rule, { isExpression, ...filling }, []);
}

/** Fills the variables of a value that holds no expressions. */
export function fillValue(value: JsonValue, filling: Filling): JsonValue {
  return fill(value, { isExpression: () => false, ...filling }, []);
}

/** Whether the text at a path is filled as an expression. Characteristics are names of fields, where variables stand for plain text. */
function isExpression(path: ValuePath): boolean {
  const role = roleAt(path);
  return role !== undefined && role !== 'characteristic';
}

interface Job extends Filling {
  readonly isExpression: (path: ValuePath) => boolean;
}

function fill(value: JsonValue, job: Job, path: ValuePath): JsonValue {
  if (typeof value === 'string') {
    return mayHaveVariables(value) ? fillText(value, job, path) : value;
  }
  if (isJsonArray(value)) {
    const items = value.map((item, index) => fill(item, job, [...path, index]));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return isJsonObject(value) ? fillObject(value, job, path) : value;
}

function fillObject(value: JsonObject, job: Job, path: ValuePath): JsonObject {
  let changed = false;
  const entries = Object.entries(value).map(([key, member]) => {
    if (mayHaveVariables(key)) {
      checkKey(key, job, path);
    }
    const filled = fill(member, job, [...path, key]);
    changed ||= filled !== member;
    return [key, filled] as const;
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Reports a variable in a key: keys stay as written. */
function checkKey(key: string, job: Job, path: ValuePath): void {
  const variable = parseTemplate(key).find(({ kind }) => kind === 'variable');
  if (variable?.kind === 'variable') {
    job.report([...path, key], { kind: 'in-key', start: 0, end: 0, name: variable.name });
  }
}

function fillText(text: string, job: Job, path: ValuePath): JsonValue {
  const filling: TextFilling = { ...job, report: (problem) => job.report(path, problem) };
  const done = job.isExpression(path) ? fillExpression(text, filling) : fillPlainText(text, filling);
  job.filled(path, done?.pieces ?? 'broken');
  return done?.value ?? text;
}
