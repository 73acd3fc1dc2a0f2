import { isWritten } from '../../model/change.ts';
import type { Concealed } from '../../model/conceal.ts';
import { conceal } from '../../model/conceal.ts';
import type { Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { HIDDEN, textsAround } from '../../model/sensitive.ts';

/** Values that are not shown, wherever something is told of live. */
export interface HiddenValues {
  /** For texts that rules say. */
  readonly concealed: Concealed;
  /** For what was made of them: it may tell a part of a value, and in small letters. */
  readonly prose: (text: string) => string;
}

/** No sensitive value is shorter; of what is, rules say it for other reasons. */
const SHORTEST = 8;

/** A part of a value that is shorter tells nothing of it. */
const SHORTEST_PART = 4;

/** A mark stays, whatever values say. */
const WORDS = new RegExp(`<sensitive[^>]*>|<looks like [^>]*>|[\\p{L}\\p{N}._-]{${SHORTEST_PART},}`, 'gu');

/** `said` is what files say in clear: that is no secret, in whatever value it is. */
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

/** What steps say in clear, as files do, and how they call things. */
export function saidIn(steps: readonly Step[]): string {
  return JSON.stringify(
    steps.map(({ id, target, changes }) => [
      id,
      target,
      changes.map((change) => [change.ref, isWritten(change) ? contentToWire(change.content) : null]),
    ]),
  );
}
