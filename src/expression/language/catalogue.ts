import fieldData from '../data/fields.json' with { type: 'json' };
import functionData from '../data/functions.json' with { type: 'json' };
import { BOOL, parseType } from '../values/type.ts';
import type { Type } from '../values/type.ts';
import { isPlace } from './expression-place.ts';
import type { ExpressionPlace } from './expression-place.ts';
import type { Constraint, SignatureParameter, FunctionSignature } from './signature.ts';
import type { Condition } from './ast.ts';

/**
 * What names mean to a parser: fields with their types, functions with their signatures (one name space,
 * `rules-language.md` 1.2), and the types for which lists exist.
 */
export interface Scheme {
  readonly fields: ReadonlyMap<string, Type>;
  readonly functions: ReadonlyMap<string, FunctionSignature>;
  /** Types of left sides that take `in $list`. */
  readonly lists: ReadonlySet<string>;
}

/** The types of left sides that have lists at the service: ASN, hostname and IP lists (`rules-language.md` 1.4). */
export const LISTED_TYPES: ReadonlySet<string> = new Set(['Int', 'Bytes', 'Ip']);

/** The lowest plan that has a field or function; an `add-on` is bought on top of Enterprise. */
export type PlanNeed = 'pro' | 'business' | 'enterprise' | 'add-on';

/** What is known of a field (`rules-language.md` 4.1, 4.2, 5). */
export interface FieldFacts {
  readonly name: string;
  readonly type: Type;
  /** One short line for people. */
  readonly summary: string;
  /** Where it may stand, when not everywhere. */
  readonly place: ExpressionPlace | undefined;
  readonly plan: PlanNeed | undefined;
  readonly product: string | undefined;
  /** The name to use instead, when the field is deprecated. */
  readonly replacement: string | undefined;
  /** The least and the largest value of a number. */
  readonly between: readonly [number, number] | undefined;
  /** All values of a text, when they are few and known. */
  readonly oneOf: readonly string[] | undefined;
}

/** A rule for the value of an argument, beyond what the parser enforces. */
export type ValueRule =
  | { readonly kind: 'letters'; readonly letters: string }
  | { readonly kind: 'fields'; readonly fields: readonly string[] }
  | { readonly kind: 'regex' | 'wildcard' | 'references' };

/** What is known of a function (`rules-language.md` 4, 4.1, 9). */
export interface FunctionFacts {
  readonly name: string;
  readonly summary: string;
  readonly signature: FunctionSignature;
  readonly place: ExpressionPlace | undefined;
  readonly plan: PlanNeed | undefined;
  /** The maximum number of arguments, where the service limits it and the engine does not. */
  readonly most: number | undefined;
  /** Rules for the values of arguments, by the argument's index; undefined where there is no rule. */
  readonly values: readonly (ValueRule | undefined)[];
}

const PLANS: readonly PlanNeed[] = ['pro', 'business', 'enterprise', 'add-on'];

/** Every field, by name; `true` and `false`, which the service accepts like fields, are not among them. */
export const FIELDS: ReadonlyMap<string, FieldFacts> = new Map(
  fieldData.map((entry: FieldEntry) => [entry.name, readField(entry)]),
);

/** Every function, by name; `any` and `all` are quantifiers and not among them. */
export const FUNCTIONS: ReadonlyMap<string, FunctionFacts> = new Map(
  functionData.map((entry: FunctionEntry) => [entry.name, readFunction(entry)]),
);

/** The scheme of the service: all fields and functions, and `true` and `false` as fields of type Bool (`rules-language.md` 3). */
export const CATALOGUE: Scheme = {
  fields: new Map([
    ...[...FIELDS.values()].map((field): [string, Type] => [field.name, field.type]),
    ['true', BOOL],
    ['false', BOOL],
  ]),
  functions: new Map([...FUNCTIONS.values()].map(({ name, signature }) => [name, signature])),
  lists: LISTED_TYPES,
};

/** Returns a scheme with the given fields and the functions and lists of the service. */
export function schemeOf(fields: Iterable<readonly [string, Type]>): Scheme {
  return { ...CATALOGUE, fields: new Map(fields) };
}

interface FieldEntry {
  readonly name: string;
  readonly type: string;
  readonly summary: string;
  readonly where?: string;
  readonly plan?: string;
  readonly product?: string;
  readonly replacement?: string;
  readonly between?: readonly number[];
  readonly oneOf?: readonly string[];
}

interface ParameterEntry {
  readonly name: string;
  readonly accepts: readonly string[];
  readonly takes: string;
  readonly presence: string;
  readonly constraint?: { readonly kind: string; readonly least?: number; readonly most?: number };
  readonly value?: { readonly kind: string; readonly letters?: string; readonly fields?: readonly string[] };
}

interface FunctionEntry {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly ParameterEntry[];
  readonly returns: string;
  readonly where?: string;
  readonly plan?: string;
  readonly most?: number;
}

function readField(entry: FieldEntry): FieldFacts {
  const [least, most] = entry.between ?? [];
  return {
    name: entry.name,
    type: parseType(entry.type) ?? BOOL,
    summary: entry.summary,
    place: readPlace(entry.where),
    plan: readPlan(entry.plan),
    product: entry.product,
    replacement: entry.replacement,
    between: least === undefined || most === undefined ? undefined : [least, most],
    oneOf: entry.oneOf,
  };
}

function readFunction(entry: FunctionEntry): FunctionFacts {
  return {
    name: entry.name,
    summary: entry.summary,
    signature: readSignature(entry),
    place: readPlace(entry.where),
    plan: readPlan(entry.plan),
    most: entry.most,
    values: entry.parameters.map(readValueRule),
  };
}

function readSignature(entry: FunctionEntry): FunctionSignature {
  const among = (presence: string): readonly SignatureParameter[] =>
    entry.parameters.filter((parameter) => parameter.presence === presence).map(readParameter);
  const atLeastOne = among('rest-from-one');
  const [rest] = [...atLeastOne, ...among('rest')];
  return {
    name: entry.name,
    mandatory: [...among('mandatory'), ...atLeastOne],
    optional: among('optional'),
    ...(rest === undefined ? {} : { rest }),
    returns: entry.returns,
  };
}

function readParameter(entry: ParameterEntry): SignatureParameter {
  const takes = entry.takes === 'literal' || entry.takes === 'field' ? entry.takes : 'any';
  const constraint = readConstraint(entry.constraint);
  return {
    name: entry.name,
    accepts: entry.accepts,
    takes,
    ...(constraint === undefined ? {} : { constraint }),
  };
}

function readConstraint(entry: ParameterEntry['constraint']): Constraint | undefined {
  if (entry === undefined) {
    return undefined;
  }
  const { least, most } = entry;
  return least === undefined || most === undefined ? { kind: 'separator' } : { kind: 'between', least, most };
}

function readValueRule({ value }: ParameterEntry): ValueRule | undefined {
  if (value?.letters !== undefined) {
    return { kind: 'letters', letters: value.letters };
  }
  if (value?.fields !== undefined) {
    return { kind: 'fields', fields: value.fields };
  }
  const kind = (['regex', 'wildcard', 'references'] as const).find((known) => known === value?.kind);
  return kind === undefined ? undefined : { kind };
}

function readPlace(where: string | undefined): ExpressionPlace | undefined {
  return where !== undefined && isPlace(where) ? where : undefined;
}

function readPlan(plan: string | undefined): PlanNeed | undefined {
  return PLANS.find((known) => known === plan);
}

/** The two words that the service registers like fields, and their values (rules-language.md 3). */
export const CONSTANTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Returns the value of a condition that is the word `true` or `false`; undefined for any other condition. */
export function constantOf(condition: Condition): boolean | undefined {
  const source = condition.kind === 'bare' ? condition.operand.source : undefined;
  return source?.kind === 'field' ? CONSTANTS.get(source.name) : undefined;
}
