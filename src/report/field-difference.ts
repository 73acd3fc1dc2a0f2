import { diffArrays } from 'diff';
import type { JsonValue } from '../data/index.ts';
import { isJsonArray } from '../data/index.ts';
import { foldBlanks, textDifference } from './expression-difference.ts';
import type { TextDifference } from './expression-difference.ts';
import { inlineValue } from './value.ts';

/** How two values of a field differ, in the form that shows it best: by words, by items, or as two values. */
export type FieldDifference =
  | ({ readonly kind: 'words' } & TextDifference)
  | { readonly kind: 'items'; readonly entries: readonly ListEntry[] }
  | { readonly kind: 'values' };

/** An item that one of two lists has, or a run of items that both have. */
export type ListEntry =
  | { readonly kind: 'before' | 'after'; readonly text: string }
  | { readonly kind: 'same'; readonly count: number };

/** Compares two values of a field; undefined means that the field is not set. */
export function fieldDifference(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): FieldDifference {
  // If only blanks differ, the values are shown in quotes, where the blanks can be seen.
  if (typeof before === 'string' && typeof after === 'string' && foldBlanks(before) !== foldBlanks(after)) {
    return { kind: 'words', ...textDifference(before, after) };
  }
  return isList(before) && isList(after)
    ? { kind: 'items', entries: listDifference(before ?? [], after ?? []) }
    : { kind: 'values' };
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] | undefined {
  return value === undefined || isJsonArray(value);
}

/** Beyond this many differing items the two lists are shown one after the other. */
const MAXIMUM_EDITS = 500;

function listDifference(before: readonly JsonValue[], after: readonly JsonValue[]): readonly ListEntry[] {
  const left = before.map(inlineValue);
  const right = after.map(inlineValue);
  const chunks = diffArrays(left, right, { maxEditLength: MAXIMUM_EDITS }) ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  return chunks.flatMap(({ added, removed, value }): readonly ListEntry[] =>
    added || removed
      ? value.map((text) => ({ kind: removed ? 'before' : 'after', text }))
      : [{ kind: 'same', count: value.length }],
  );
}
