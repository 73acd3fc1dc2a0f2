import { ODD_BLANKS } from '../language/odd-blanks.ts';
import type { ParseError } from '../language/parse-error.ts';
import { utf16Offsets } from '../language/source-bytes.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { FindingText } from './check-finding.ts';

/**
 * Returns a remark on the bracket or string that nothing closes, at its start. The missing quotation mark may belong to an earlier string
 * than the one the parser complains about.
 */
export function unclosedPart({ message, span }: ParseError, text: string): FindingText | undefined {
  const at = utf16Offsets(text)(span.start);
  const swallowing = swallowingText(text, at);
  if (swallowing !== undefined) {
    return {
      message: 'a text ends right before this',
      hint: `close the text ${beginning(swallowing, 0)} where it is meant to end; a quotation mark inside of a text is written \\"`,
      span,
    };
  }
  const open =
    message === UNCLOSED_TEXT
      ? { at: Math.max(at - 1, 0), hint: textHint(text, at) }
      : openBracket(text, message, at);
  if (open === undefined) {
    return undefined;
  }
  const start = encodeBytes(text.slice(0, open.at)).length;
  const [sign = ''] = /^(?:r#*"|.)/su.exec(text.slice(open.at)) ?? [];
  return {
    message: `nothing closes this \`${sign}\``,
    hint: open.hint,
    kind: 'unclosed',
    span: { start, end: start + sign.length },
  };
}

/** The service's message for a string without an end. */
const UNCLOSED_TEXT = 'could not find an ending quote';

function textHint(text: string, at: number): string {
  const [inBrackets] = /\[[^\]]*$/u.exec(text.slice(at)) ?? [];
  return inBrackets !== undefined && /(?:matches|~)\s*"$/u.test(text.slice(0, at))
    ? `nothing closes ${beginning(inBrackets, 0)}: in brackets of a regular expression a quotation mark stands for itself`
    : 'write `"` where the text ends; a quotation mark inside of a text is written \\"';
}

interface OpenPart {
  readonly at: number;
  readonly hint: string;
}

function openBracket(text: string, message: string, at: number): OpenPart | undefined {
  const isAtEnd = text.slice(at).trim() === '';
  const open = lastOpen(text, isAtEnd ? text.length : at);
  const isNeverClosed = open?.bracket === '{' && !text.includes('}', at);
  if (open === undefined || !(isAtEnd || isNeverClosed || message === EXPECTED[open.bracket])) {
    return undefined;
  }
  const closing = `write \`${CLOSING[open.bracket]}\``;
  return {
    at: open.at,
    hint: isAtEnd ? `${closing} where it ends` : `${closing} before ${beginning(text.trimEnd(), at)}`,
  };
}

/** Returns a hint at what is missing where an expression ends too early, or between arguments; undefined when the text does not show it. */
export function unfinishedHint(text: string, message: string, at: number): string | undefined {
  const open = lastOpen(text, at);
  if (open?.bracket === '(' && message === EXPECTED_COMMA) {
    const [name = ''] = /\w*$/u.exec(text.slice(0, open.at)) ?? [];
    return `in ${beginning(text, open.at - name.length)}, \`,\` comes before another argument, and \`)\` after the last`;
  }
  if (text.slice(at).trim() !== '') {
    return undefined;
  }
  const [, last = ''] = /(?:^|[\s()])([a-z]+|[^\w\s"(){}]+)$/u.exec(text.slice(0, at).trimEnd()) ?? [];
  const missing = EXPECTS.find(([words]) => words.includes(last));
  return missing === undefined ? undefined : `the expression ends after \`${last}\`: ${missing[1]}`;
}

/**
 * Returns the string that ends at a place where text directly follows: its closing quotation mark was meant to begin another string, or to
 * stand inside the string.
 */
function swallowingText(text: string, at: number): string | undefined {
  const goesOn = /^[^\s(){}[\],]/u.test(text.slice(at, at + 1)) && text.includes('"', at);
  const swallowing = goesOn ? [...text.slice(0, at).matchAll(TEXTS)].at(-1) : undefined;
  return swallowing !== undefined && swallowing.index + swallowing[0].length === at
    ? swallowing[0]
    : undefined;
}

/** Complete quoted strings. */
const TEXTS = /"(?:\\.|[^"\\])*"/gsu;
const TEXTS_AND_BRACKETS = new RegExp(`${TEXTS.source}|[(){}]`, 'gsu');

/** The service's message between two arguments, and where nothing closes a call. */
const EXPECTED_COMMA = 'expected literal ","';

const EXPECTED = { '(': 'expected literal ")"', '{': 'expected literal "}"' } as const;

const CLOSING = { '(': ')', '{': '}' } as const;

/** What has to follow a word. */
const EXPECTS: readonly (readonly [words: readonly string[], says: string])[] = [
  [['and', 'or', 'xor', '&&', '||', '^^'], 'a condition has to follow'],
  [['not', '!'], 'the condition that it negates has to follow'],
  [['in'], 'a set has to follow, as in `in {"a" "b"}`, or the name of a list, as in `in $office`'],
  [
    [
      'eq',
      'ne',
      'lt',
      'le',
      'gt',
      'ge',
      '==',
      '!=',
      '<',
      '<=',
      '>',
      '>=',
      'contains',
      'matches',
      '~',
      'wildcard',
      'strict',
    ],
    'a value has to follow',
  ],
];

interface UnclosedBracket {
  readonly bracket: keyof typeof CLOSING;
  readonly at: number;
}

/** Returns the innermost bracket before a place that nothing closes; brackets in strings do not count. */
function lastOpen(text: string, until: number): UnclosedBracket | undefined {
  const open: UnclosedBracket[] = [];
  for (const found of text.slice(0, until).matchAll(TEXTS_AND_BRACKETS)) {
    const [bracket] = found;
    if (bracket === '(' || bracket === '{') {
      open.push({ bracket, at: found.index });
    } else if (bracket === ')' || bracket === '}') {
      open.pop();
    }
  }
  return open.at(-1);
}

/** How many characters of a text a message quotes. */
const SHOWN = 20;

function beginning(text: string, at: number): string {
  const shown = text.slice(at).trimStart().slice(0, SHOWN).trimEnd();
  return `\`${shown.replaceAll(/\s+/gu, ' ')}${text.slice(at).trim().length > SHOWN ? '…' : ''}\``;
}

/** Look-alike characters that word processors and chats put into texts, with hints. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*[“”„«»]/u,
    'that is a typographic quotation mark: texts are written with straight ones, as in "text"',
  ],
  [/^\s*['‘’`]/u, 'texts are written in double quotes, as in "text"'],
  [
    new RegExp(String.raw`^[ \t\r\n]*[${ODD_BLANKS}]`, 'u'),
    'there is an invisible character or an unusual space here: delete it, and write a plain space',
  ],
  [/^\s*[\u2010-\u2015\u2212]/u, 'that is a dash and not a minus sign'],
];

/** Returns a hint for a character that looks like another. */
export function lookAlikeHint(text: string, at: number): string | undefined {
  const rest = text.slice(at, at + SHOWN);
  return LOOK_ALIKES.find(([pattern]) => pattern.test(rest))?.[1];
}
