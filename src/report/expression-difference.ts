import { diffArrays } from 'diff';
import type { Span } from './layout.ts';

/** Two texts with the words marked in which they differ. */
export interface TextDifference {
  readonly before: readonly Span[];
  readonly after: readonly Span[];
  /** Whether long stretches in which they do not differ are cut in the middle. */
  readonly cut: boolean;
}

/** Beyond this many differing words a comparison says nothing that the two texts do not. */
const MAXIMUM_EDITS = 400;

/** Unchanged stretches longer than this many words are cut in the middle. */
const LONGEST_STRETCH = 60;

/** Words that stay on either side of a cut. */
const KEPT = 20;

interface Run {
  readonly kind: 'same' | 'removed' | 'added';
  readonly tokens: readonly string[];
}

/**
 * Compares two expressions, or other texts, word by word. Blanks between words count as one. `stretches` are those in which
 * they do not differ.
 */
export function textDifference(
  before: string,
  after: string,
  stretches: 'whole' | 'cut' = 'cut',
): TextDifference {
  const left = tokensOf(before);
  const right = tokensOf(after);
  const chunks = diffArrays([...left], [...right], { maxEditLength: MAXIMUM_EDITS });
  const runs: readonly Run[] =
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

/** Quoted text is cut into words as well, so that a long list in quotes does not differ as a whole. */
function tokensOf(text: string): readonly string[] {
  return foldBlanks(text).match(/ +|[\p{L}\p{N}_./:-]+|[^ \p{L}\p{N}_./:-]/gu) ?? [];
}

/** A quoted or raw string, or blanks. */
const QUOTED_OR_BLANKS = /(\br(#*)"[^]*?"\2|"(?:[^"\\]|\\[^])*")|\s+/g;

/** The text with blanks and line breaks outside of quotes as one blank. */
export function foldBlanks(text: string): string {
  return text.trim().replaceAll(QUOTED_OR_BLANKS, (_match, quoted: string | undefined) => quoted ?? ' ');
}

/** A blank alone between two changes belongs to both: changed words are easier to read in one piece. */
function joinAcrossBlanks(runs: readonly Run[]): readonly Run[] {
  return runs.flatMap((run, index): readonly Run[] => {
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
  runs: readonly Run[],
  side: { readonly kind: 'removed' | 'added'; readonly whole: boolean; readonly cut: boolean },
): readonly Span[] {
  const style = side.kind === 'removed' ? 'removed-words' : 'added-words';
  return runs.flatMap((run): readonly Span[] => {
    if (run.kind === 'same') {
      return [{ text: side.cut && isLong(run) ? shorten(run) : run.tokens.join('') }];
    }
    const text = run.tokens.join('');
    // Marks under every word of a text would only be noise.
    return run.kind === side.kind ? [side.whole ? { text } : { text, style }] : [];
  });
}

function isLong({ kind, tokens }: Run): boolean {
  return kind === 'same' && tokens.length > LONGEST_STRETCH;
}

function shorten({ tokens }: Run): string {
  return `${tokens.slice(0, KEPT).join('').trimEnd()} … ${tokens.slice(-KEPT).join('').trimStart()}`;
}
