import { nearName } from '../../model/near-name.ts';
import { MARKER } from '../yaml/suppression-comments.ts';

/** "did you mean `x`?", or nothing: of a word that is mistyped, a part of a single one, or the long form of one. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  return asQuestion(nearName(word, candidates) ?? wholeName(word, candidates));
}

/** The only name of which a word is a part, or that is short for it: `params` for `parameters`. */
export function wholeName(word: string, candidates: readonly string[]): string | undefined {
  const [whole, ...others] =
    word.length < LEAST_PART
      ? []
      : candidates.filter((name) => name.includes(word) || isShortFor(name.replace(/s$/u, ''), word));
  return others.length === 0 ? whole : undefined;
}

function isShortFor(name: string, word: string): boolean {
  return name.length >= LEAST_PART && word.startsWith(name);
}

/** Shorter words are parts of others by chance. */
const LEAST_PART = 5;

/** The question for a word that was found. */
export function asQuestion(found: string | undefined): string | undefined {
  return found === undefined ? undefined : `did you mean \`${found}\`?`;
}

/** A list of words for a message: "`a`, `b` or `c`". */
export function oneOfThese(words: readonly unknown[], last: 'or' | 'and' = 'or'): string {
  const quoted = words.map((word) => `\`${String(word)}\``);
  const end = quoted.at(-1) ?? '';
  return quoted.length < 2 ? end : `${quoted.slice(0, -1).join(', ')} ${last} ${end}`;
}

/** Whether the service may call an action or phase so, now or later: of anything else no comment can say that it exists. */
export function isName(text: string): boolean {
  return /^[a-z][a-z0-9_]*$/u.test(text);
}

/** A hint about a name that the service may have had for a shorter time than this version, and how to use it then. */
export function orNew(hint: string, code: string): string {
  return `${hint}${hint.endsWith('?') ? '' : ';'} if the service has it, write above its line: # ${MARKER} ${code}: since when`;
}
