import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE, FIELDS, schemeOf } from '../../src/expression/language/catalogue.ts';
import type { Scheme } from '../../src/expression/language/catalogue.ts';
import { BOOL, parseType } from '../../src/expression/values/type.ts';
import type { Type } from '../../src/expression/values/type.ts';

const folder = process.env['RULEWRIGHT_CORPUS'];

/** Whether the corpus can be read, and a note for the titles of the tests that are skipped otherwise. */
export const corpus: { readonly present: boolean; readonly note: string } = {
  present: folder !== undefined,
  note: folder === undefined ? ' (skipped: RULEWRIGHT_CORPUS is not set)' : '',
};

/** A file of the corpus. */
export function corpusFile(name: string): string {
  return readFileSync(join(folder ?? '', 'corpus', name), 'utf8');
}

/** The lines of a file of the corpus that are not empty. */
export function corpusLines(name: string): readonly string[] {
  return corpusFile(name)
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** The scheme with which the corpus was made: the fields of the catalogue, without `true` and `false`. */
export const corpusScheme: Scheme = schemeOf(
  [...FIELDS.values()].map((field): [string, Type] => [field.name, field.type]),
);

/** A scheme from type names, as the corpus writes them. */
export function schemeFrom(types: Readonly<Record<string, string>>, constants = false): Scheme {
  const fields = Object.entries(types).map(([name, type]): [string, Type] => [name, parseType(type) ?? BOOL]);
  const extra: [string, Type][] = constants
    ? [
        ['true', BOOL],
        ['false', BOOL],
      ]
    : [];
  return { ...CATALOGUE, fields: new Map([...fields, ...extra]) };
}
