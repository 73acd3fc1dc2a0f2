import { escapeText } from '../escape.ts';

/** Characters that mean something to Markdown, to HTML or to a forge; spelled as references they are only themselves. */
const MEANINGFUL = /[\\`*_{}[\]<>#+!|~@&$%^="]/g;

/** What forges make references of when a word follows: mentions, issues, merge requests, labels, milestones. */
const REFERENCE = /(?<=[@#!$%^&~])(?=\w)/g;

/** What is made a link or a picture without any mark: addresses, and `:names:` of pictures. */
const SELF_LINKING = /(?<=\w:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=\bG[HL])(?=-\d)|(?<=:)(?=[\w+-]+:)/gi;

/** Breaks a reference without being seen. */
const INVISIBLE = '\u{200b}';

/** Characters of a message and of a name that are shown; nothing that means well has more. */
const LONGEST_PROSE = 2000;
const LONGEST_CODE = 500;

/** Untrusted text as prose: it cannot mark up, mention, link, fence, comment or command. */
export function prose(text: string): string {
  const told = escapeText(cut(text, LONGEST_PROSE))
    .replaceAll(REFERENCE, INVISIBLE)
    .replaceAll(SELF_LINKING, INVISIBLE);
  return told
    .replaceAll(MEANINGFUL, reference)
    .replace(/^[-:/ ]/, reference)
    .replace(/^(\d+)([.)])/, (_match, digits: string, mark: string) => digits + reference(mark));
}

/** The lines of an untrusted message as one paragraph. */
export function proseLines(text: string): string {
  return cut(text, LONGEST_PROSE)
    .split(/\r?\n/)
    .map((line) => prose(line.trim()))
    .join('<br>');
}

/**
 * Untrusted text as code on one line of Markdown, in tables as well. A run of backticks around it is longer
 * than any in it. A bar would end a cell, and a backslash before it has another meaning in a cell than
 * elsewhere: such text is written as HTML.
 */
export function code(text: string): string {
  const shown = escapeText(cut(text, LONGEST_CODE));
  if (shown === '') {
    return '` `';
  }
  if (shown.includes('|')) {
    return `<code>${shown.replaceAll(/[^\w ,]/gu, reference).replaceAll('&#64;', '<b></b>&#64;')}</code>`;
  }
  const marks = '`'.repeat(longestRun(shown) + 1);
  const padding = shown.startsWith('`') || shown.endsWith('`') || /^ .* $/.test(shown) ? ' ' : '';
  return `${marks}${padding}${shown}${padding}${marks}`;
}

/** Untrusted text as code inside of HTML, such as the head of a fold. */
export function htmlCode(text: string): string {
  return `<code>${html(cut(text, LONGEST_CODE))}</code>`;
}

/** Text inside of HTML. */
export function html(text: string): string {
  return escapeText(text).replaceAll(/[<>&"']/g, reference);
}

/** The longest run of backticks. */
export function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function reference(char: string): string {
  return `&#${char.codePointAt(0) ?? 0};`;
}
