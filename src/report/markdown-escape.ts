import { shortened } from '../text/index.ts';
import { escapeText } from './escape.ts';

/** Characters with a meaning in Markdown, in HTML or for a forge; written as character references they lose it. */
const MEANINGFUL = /[\\`*_{}[\]<>#+!|~@&$%^="]/g;

/** The places where forges see a reference because a word follows: mentions, issues, merge requests, labels, milestones. */
const REFERENCE = /(?<=[@#!$%^&~])(?=\w)/g;

/** The places where forges see a link or an emoji without markup: URLs, and `:names:` of emoji. */
const SELF_LINKING = /(?<=\w:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=\bG[HL])(?=-\d)|(?<=:)(?=[\w+-]+:)/gi;

/** Breaks a reference invisibly. */
const INVISIBLE = '\u{200b}';

/** The maximum number of characters shown of a message and of a name; honest texts are shorter. */
const LONGEST_PROSE = 2000;
const LONGEST_CODE = 500;

/** Escapes untrusted text as prose: it cannot contain markup, mentions, links, fences, comments or commands. */
export function prose(text: string): string {
  return proseWithin(text)
    .replace(/^[-:/ ]/, reference)
    .replace(/^(\d+)([.)])/, (_match, digits: string, mark: string) => digits + reference(mark));
}

/** Escapes as `prose` does, for text that is not at the beginning of a line, where lists and commands begin. */
export function proseWithin(text: string): string {
  return escapeText(shortened(text, LONGEST_PROSE))
    .replaceAll(REFERENCE, INVISIBLE)
    .replaceAll(SELF_LINKING, INVISIBLE)
    .replaceAll(MEANINGFUL, reference);
}

/** Formats the lines of an untrusted message as one paragraph. */
export function proseLines(text: string): string {
  return shortened(text, LONGEST_PROSE)
    .split(/\r?\n/)
    .map((line) => prose(line.trim()))
    .join('<br>');
}

/**
 * Formats untrusted text as code on one line of Markdown, also in tables. The backticks around it are more than any run in it. A vertical
 * bar would end a table cell, and a backslash before it means something else in a cell than elsewhere: such text is written as HTML.
 */
export function code(text: string): string {
  const shown = escapeText(shortened(text, LONGEST_CODE));
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

/** Formats untrusted text as code inside HTML, such as the summary of a fold. */
export function htmlCode(text: string): string {
  return `<code>${html(shortened(text, LONGEST_CODE))}</code>`;
}

/** Escapes text for HTML. */
export function html(text: string): string {
  return escapeText(text).replaceAll(/[<>&"'`]/g, reference);
}

/** Returns the length of the longest run of backticks. */
export function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function reference(char: string): string {
  return `&#${char.codePointAt(0) ?? 0};`;
}

/** Formats a web address part as a path in which no character has a meaning in Markdown. */
export function urlPath(file: string): string {
  return file
    .replaceAll(/\p{Cs}/gu, '\u{fffd}')
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}
