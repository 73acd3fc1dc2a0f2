import { isWritten } from '../../model/change.ts';
import type { Concealed } from '../../model/conceal.ts';
import { conceal } from '../../model/conceal.ts';
import type { Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { HIDDEN, textsAround } from '../../model/sensitive.ts';

/** Functions that hide values wherever something is told about live. */
export interface HiddenValues {
  /** For texts of rules. */
  readonly concealed: Concealed;
  /** For texts derived from rules, which may contain part of a value, or the value in lower case. */
  readonly prose: (text: string) => string;
}

/** The least length of a sensitive value; shorter texts appear in rules for other reasons. */
const SHORTEST = 8;

/** The least length of a part of a value that reveals anything about it. */
const SHORTEST_PART = 4;

/** Matches words; marks of hidden texts are matched as a whole, so that they are kept. */
const WORDS = new RegExp(`<sensitive[^>]*>|<looks like [^>]*>|[\\p{L}\\p{N}._-]{${SHORTEST_PART},}`, 'gu');

/** Prepares hiding `values`. `said` is what files say in clear: texts in it are no secret, even if they are part of a value. */
export function hiddenValues(values: Iterable<string>, said: string): HiddenValues {
  const clear = said.toLowerCase();
  const all = [...new Set([...values].flatMap(textsAround))]
    .filter((value) => value.length >= SHORTEST_PART && !clear.includes(value.toLowerCase()))
    .sort((a, b) => b.length - a.length);
  const concealed = new Map(
    all.filter((value) => value.length >= SHORTEST).map((value) => [value, HIDDEN] as const),
  );
  const lower = all.map((value) => value.toLowerCase());
  const tells = (word: string): boolean =>
    lower.some((value) => word.includes(value) || (value.includes(word) && !clear.includes(word)));
  return {
    concealed,
    prose: (text) =>
      conceal(text, concealed).replace(WORDS, (word) =>
        !word.startsWith('<') && tells(word.toLowerCase()) ? HIDDEN : word,
      ),
  };
}

/** Returns what steps say in clear, as files do: the contents they write, and their names of things. */
export function saidIn(steps: readonly Step[]): string {
  return JSON.stringify(
    steps.map(({ id, target, changes }) => [
      id,
      target,
      changes.map((change) => [change.ref, isWritten(change) ? contentToWire(change.content) : null]),
    ]),
  );
}
