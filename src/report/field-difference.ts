import { diffArrays } from 'diff';
import { isJsonArray } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import type { StyledSpan } from './tree.ts';
import { inlineValue } from './print-value.ts';

/** Two texts in which the words that differ are marked. */
export interface TextDifference {
  readonly before: readonly StyledSpan[];
  readonly after: readonly StyledSpan[];
  /** Whether long unchanged stretches are cut in the middle. */
  readonly cut: boolean;
}

/** The maximum number of differing words: beyond it a comparison says no more than the two texts. */
const MAXIMUM_EDITS = 400;

/** Unchanged stretches longer than this many words are cut in the middle. */
const LONGEST_STRETCH = 60;

/** The number of words kept on either side of a cut. */
const KEPT = 20;

interface WordRun {
  readonly kind: 'same' | 'removed' | 'added';
  readonly tokens: readonly string[];
}

/**
 * Compares two expressions, or other texts, word by word. Runs of blanks count as one blank. `stretches` says whether unchanged stretches
 * are shown whole or cut.
 */
export function textDifference(
  before: string,
  after: string,
  stretches: 'whole' | 'cut' = 'cut',
): TextDifference {
  const left = tokensOf(before);
  const right = tokensOf(after);
  const chunks = diffArrays([...left], [...right], { maxEditLength: MAXIMUM_EDITS });
  const runs: readonly WordRun[] =
    chunks === undefined
      ? [
          { kind: 'removed', tokens: left },
          { kind: 'added', tokens: right },
        ]
      : joinAcrossBlanks(
          chunks.map(({ added, removed, value }) => ({
            kind: added ? 'added' : removed ? 'removed' : 'same',
            tokens: value,
          })),
        );
  const whole = runs.every((run) => run.kind !== 'same');
  const cut = stretches === 'cut' && runs.some(isLong);
  return {
    before: sideOf(runs, { kind: 'removed', whole, cut }),
    after: sideOf(runs, { kind: 'added', whole, cut }),
    cut,
  };
}

/** Splits a text into words, including quoted text, so that a long list in quotes does not differ as a whole. */
function tokensOf(text: string): readonly string[] {
  return foldBlanks(text).match(/ +|[\p{L}\p{N}_./:-]+|[^ \p{L}\p{N}_./:-]/gu) ?? [];
}

/** Matches a quoted or raw string, or white space. */
const QUOTED_OR_BLANKS = /(\br(#*)"[^]*?"\2|"(?:[^"\\]|\\[^])*")|\s+/g;

/** Replaces each run of white space outside of quotes by one blank. */
export function foldBlanks(text: string): string {
  return text.trim().replaceAll(QUOTED_OR_BLANKS, (_match, quoted: string | undefined) => quoted ?? ' ');
}

/** Makes a blank between two changes part of both: changed words are easier to read in one piece. */
function joinAcrossBlanks(runs: readonly WordRun[]): readonly WordRun[] {
  return runs.flatMap((run, index): readonly WordRun[] => {
    const inner = index > 0 && index < runs.length - 1;
    return run.kind === 'same' && inner && run.tokens.every((token) => token.trim() === '')
      ? [
          { kind: 'removed', tokens: run.tokens },
          { kind: 'added', tokens: run.tokens },
        ]
      : [run];
  });
}

function sideOf(
  runs: readonly WordRun[],
  side: { readonly kind: 'removed' | 'added'; readonly whole: boolean; readonly cut: boolean },
): readonly StyledSpan[] {
  const style = side.kind === 'removed' ? 'removed-words' : 'added-words';
  return runs.flatMap((run): readonly StyledSpan[] => {
    if (run.kind === 'same') {
      return [{ text: side.cut && isLong(run) ? shorten(run) : run.tokens.join('') }];
    }
    const text = run.tokens.join('');
    // Marking every word of a text would only be noise.
    return run.kind === side.kind ? [side.whole ? { text } : { text, style }] : [];
  });
}

function isLong({ kind, tokens }: WordRun): boolean {
  return kind === 'same' && tokens.length > LONGEST_STRETCH;
}

function shorten({ tokens }: WordRun): string {
  return `${tokens.slice(0, KEPT).join('').trimEnd()} … ${tokens.slice(-KEPT).join('').trimStart()}`;
}

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
const MAXIMUM_ITEM_EDITS = 500;

function listDifference(before: readonly JsonValue[], after: readonly JsonValue[]): readonly ListEntry[] {
  const left = before.map(inlineValue);
  const right = after.map(inlineValue);
  const chunks = diffArrays(left, right, { maxEditLength: MAXIMUM_ITEM_EDITS }) ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  return chunks.flatMap(({ added, removed, value }): readonly ListEntry[] =>
    added || removed
      ? value.map((text) => ({ kind: removed ? 'before' : 'after', text }))
      : [{ kind: 'same', count: value.length }],
  );
}
