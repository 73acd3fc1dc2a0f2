import type { Diagnostic } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import { didYouMean } from '../schema/suggest.ts';
import type { ValueType, Variable, VariableContent, Variables, VariableValue } from './pack.ts';
import type { Composition } from './composition.ts';

/** Values of variables from the command line, by name, as texts. */
export type GivenVariables = ReadonlyMap<string, string>;

/**
 * Returns the variables of a scope with values from the command line in place of declared ones; each text is read as the type of the value it
 * replaces.
 */
export function withGiven(
  declared: Variables,
  given: GivenVariables,
  { diagnostics }: Composition,
): Variables {
  const all = new Map(declared);
  for (const [name, text] of given) {
    const below = declared.get(name);
    const read = below === undefined ? undefined : readGiven(below, text);
    if (read?.kind === 'value' && below !== undefined) {
      all.set(name, { name, content: read, where: below.where, shadows: below });
    } else if (read?.kind === 'wrong') {
      diagnostics.push(wrongValue(name, read.message));
    }
  }
  return all;
}

function readGiven({ content }: Variable, text: string): ReturnType<typeof readOutside> {
  return content.kind === 'sensitive'
    ? { kind: 'wrong', message: `is sensitive: set the environment variable ${content.env}` }
    : readOutside(typeOf(content), text);
}

/** Returns the type that a text from the command line is read as. */
function typeOf(content: VariableContent): ValueType {
  if (content.kind !== 'value') {
    return 'string';
  }
  const kind = typeof content.value;
  return kind === 'number' || kind === 'boolean' || kind === 'string' ? kind : 'list';
}

function wrongValue(name: string, message: string): Diagnostic {
  return finding('variable/wrong-value', {
    message: `the value that --var gives \`${name}\` ${message}`,
    hint: 'it is read as the type that it replaces; separate the items of a list with commas',
  });
}

/** Reports each name from the command line that no file declares. */
export function undeclared(given: GivenVariables, declared: ReadonlySet<string>): readonly Diagnostic[] {
  const known = [...declared];
  return [...given.keys()]
    .filter((name) => !declared.has(name))
    .map((name) =>
      finding('variable/undefined', {
        message: `no file declares the variable \`${name}\`, which --var gives`,
        hint: didYouMean(name, known) ?? 'declare it under `vars` of the project file, with its usual value',
      }),
    );
}

/** A value, or the problem with its text as the end of a sentence. The problem does not quote the text, which may be a secret. */
type ReadOutside =
  | { readonly kind: 'value'; readonly value: VariableValue }
  | { readonly kind: 'wrong'; readonly message: string };

/** Reads a value from the environment or the command line as the wanted type; a list has commas between its items. */
export function readOutside(type: ValueType, text: string): ReadOutside {
  switch (type) {
    case 'integer':
    case 'number':
      return readNumber(type, text);
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { kind: 'value', value: text === 'true' }
        : { kind: 'wrong', message: 'is not `true` or `false`' };
    case 'list':
      return readList(text);
    default:
      return { kind: 'value', value: text };
  }
}

/** An empty text is an empty list. An empty item, as an extra comma makes one, is refused, since nobody would see that value. */
function readList(text: string): ReadOutside {
  const items = text.trim() === '' ? [] : text.split(',').map((item) => item.trim());
  return items.includes('')
    ? { kind: 'wrong', message: 'has a comma with nothing before or after it' }
    : { kind: 'value', value: items.map((item) => itemOf(item)) };
}

function readNumber(type: 'integer' | 'number', text: string): ReadOutside {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  const right = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return right
    ? { kind: 'value', value: number }
    : { kind: 'wrong', message: type === 'integer' ? 'is not a whole number' : 'is not a number' };
}

const NUMBER = /^-?\d+(?:\.\d+)?$/u;

/** Reads an item as a number where it is a plain integer, else as text. */
function itemOf(text: string): string | number {
  return /^-?(?:0|[1-9]\d*)$/u.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
