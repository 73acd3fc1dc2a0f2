/** A path of a request in a text: its segments, and what stands before it. */
export interface FoundPath {
  /** Offset of its first segment. */
  readonly start: number;
  readonly end: number;
  /** `null` where the text has a variable instead of a word. */
  readonly segments: readonly (string | null)[];
  /** `service`: behind the service's base path or a variable; `relative`: nothing, or only a slash, stands before it. */
  readonly base: 'service' | 'relative';
}

/** Forms of a variable inside of a text: `${x}`, `{{x}}`, `#{x}`, `{x}`, `$(x)`, `<x>`, `:x`, `%s`, `$x`, `*`. */
const VARIABLE = String.raw`\$?\{\{[^{}]{1,80}\}\}|[$#]?\{[^{}/]{1,80}\}|\$\([^()]{1,80}\)|<[\w -]{1,60}>|:\w+|%[sdv]|\$\w+|\*`;

/**
 * A concatenation: `GLUE` is its operator, `JOINED` the end of a text, a value, and the start of the next text if there is one, as in `" + zone +
 * "`.
 */
const GLUE = String.raw`\s{0,4}(?:\+|\.\.|\.|&)\s{0,4}`;
const JOINED = `["'\`]${GLUE}[\\w$.()\\[\\]>-]{1,80}?(?:${GLUE}["'\`]|(?=[\\s,;)]|$))`;

const SEGMENT = `(?:(?:${VARIABLE}|[\\w.~%@-])+|${JOINED})`;
const PATH = new RegExp(
  `(?<![\\w.-])(?:zones|accounts|organizations|user|radar)(?:/${SEGMENT})*(?![\\w-])`,
  'gu',
);
const PARTS = new RegExp(`/(${SEGMENT})`, 'gu');
const WORD = /^[\w.~@-]+$/u;

/** The text before a path, back to a blank, a quote, a bracket or another separator. */
const BEFORE = /[^\s"'`(<>,=|]*$/u;

/** Returns paths that could be requests to the service, from left to right, without those of other hosts and other bases. */
export function findPaths(text: string): readonly FoundPath[] {
  return [...text.matchAll(PATH)].flatMap((match): FoundPath[] => {
    const [whole] = match;
    const before = BEFORE.exec(text.slice(Math.max(0, match.index - 200), match.index))?.[0] ?? '';
    const base = baseOf(before);
    if (base === null || (before === '' && !whole.includes('/'))) {
      return [];
    }
    const [root = ''] = whole.split('/', 1);
    const segments = [...whole.slice(root.length).matchAll(PARTS)].map(([, part = '']) =>
      WORD.test(part) ? part : null,
    );
    return [{ start: match.index, end: match.index + whole.length, segments: [root, ...segments], base }];
  });
}

/** The variable at the end of a base, with the slash behind it. */
const VARIABLE_BASE = /(?:\}|\)|\$\w+|%s)\/$/u;

function baseOf(before: string): FoundPath['base'] | null {
  if (before === '' || before === '/') {
    return 'relative';
  }
  if (/(?:^|\/)client\/v4\/$/u.test(before) || VARIABLE_BASE.test(before)) {
    return 'service';
  }
  return null;
}
