import { nearName } from '../../text/index.ts';
import { MARKER } from '../yaml/suppression-comments.ts';

/** Returns "did you mean `x`?" for a mistyped word, or for the part or the long form of exactly one candidate; undefined where nothing fits. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  return asQuestion(nearName(word, candidates) ?? wholeName(word, candidates));
}

/** Returns the only name that contains a word, or that is short for it, as `params` is for `parameters`. */
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

/** Returns the word that a hint suggests; undefined where it suggests none. */
export function suggestedWord(hint: string): string | undefined {
  const [, quoted, plain] = /^did you mean (?:`([^`]+)`|([^\s`?]+))\?/u.exec(hint) ?? [];
  return quoted ?? plain;
}

/** Returns the question that suggests a word. */
export function asQuestion(found: string | undefined): string | undefined {
  return found === undefined ? undefined : `did you mean \`${found}\`?`;
}

/** A list of words for a message: "`a`, `b` or `c`". */
export function oneOfThese(words: readonly unknown[], last: 'or' | 'and' = 'or'): string {
  const quoted = words.map((word) => `\`${String(word)}\``);
  const end = quoted.at(-1) ?? '';
  return quoted.length < 2 ? end : `${quoted.slice(0, -1).join(', ')} ${last} ${end}`;
}

/** Whether the service may name an action or phase like this, now or later; about anything else no comment can say that it exists. */
export function isName(text: string): boolean {
  return /^[a-z][a-z0-9_]*$/u.test(text);
}

/** Adds to a hint how to use a name that is newer at the service than this version. */
export function addNewNameHint(hint: string, code: string): string {
  return `${hint}${hint.endsWith('?') ? '' : ';'} if the service has it, write above its line: # ${MARKER} ${code}: new in the service`;
}
