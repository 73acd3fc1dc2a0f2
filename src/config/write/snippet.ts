import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { FileNote } from './scope-text.ts';
import { documentLines } from './scope-text.ts';
import { under } from './ruleset-yaml.ts';

/** Where rules stand in a file, so that lines are broken as they are there. */
const BEFORE = ['entrypoints', 'phase', 'rules'] as const;
const DEPTH = 6;

/** Returns a rule as an item of a list, from the column of its dash on; the first line is not indented. */
export function itemText(value: JsonObject, notes: readonly FileNote[], column: number): string {
  return text({ entrypoints: { phase: { rules: [value] } } }, under([...BEFORE, 0], notes), column - DEPTH);
}

/** Returns a key with its value and the comments inside the value, from the key's column on; the first line is not indented. */
export function pairText(key: string, value: JsonValue, notes: readonly FileNote[], column: number): string {
  const document = { entrypoints: { phase: { rules: [{ [key]: value }] } } };
  // A comment before the key itself would separate it from its dash.
  const inside = notes.filter(({ path }) => path[0] === key && path.length > 1);
  const dashed = text(document, under([...BEFORE, 0], inside), column - DEPTH - 2);
  return dashed.replace(/^- /u, '');
}

/** Returns a phase, or another part of a file, from its column on; the first line is not indented. */
export function partText(value: JsonObject, notes: readonly FileNote[], column: number): string {
  return documentLines(value, notes)
    .map((line, index) => (line === '' || index === 0 ? line : ' '.repeat(column) + line))
    .join('\n');
}

function text(value: JsonObject, notes: readonly FileNote[], shift: number): string {
  const lines = documentLines(value, notes).slice(BEFORE.length);
  return lines
    .map((line) => (line === '' ? line : shift < 0 ? line.slice(-shift) : ' '.repeat(shift) + line))
    .join('\n')
    .trimStart();
}
