import { code, escapeText, fitPieces, htmlCode, piecesText } from '../report/index.ts';
import type { MarkdownPiece } from '../report/index.ts';
import type { Marker } from './marker.ts';
import type { ForgeRun } from './port.ts';
import { markerText } from './marker.ts';

/** A message to post, before it is split to fit the forge's limit. Title and footer are finished Markdown. */
interface Message {
  readonly marker: Marker;
  readonly title: string;
  /** Shown at the top of the first part; null for nothing. */
  readonly notice: string | null;
  readonly blocks: readonly MarkdownPiece[];
  readonly footer: string;
}

/** The characters reserved for title, notice, footer and marker. */
const RESERVED = 4000;

/** The maximum number of comments: nobody reads more, and each one notifies people. */
const MOST_PARTS = 5;

/** Splits a message into comment bodies within the limit, numbered if there are several. The first and the last say what was left out. */
export function commentParts(message: Message, limit: number): readonly string[] {
  const { marker, title, notice, blocks, footer } = message;
  const { parts, rest } = fitPieces(blocks, { limit: limit - RESERVED, most: MOST_PARTS });
  const count = Math.max(1, parts.length);
  return Array.from({ length: count }, (_, index) => {
    const number = count === 1 ? '' : ` (part ${index + 1} of ${count})`;
    const left = rest === null ? [] : [piecesText([rest])];
    return [
      `${markerText(marker)}\n### ${title}${number}`,
      ...(index === 0 && notice !== null ? [notice] : []),
      ...(index === 0 ? left : []),
      piecesText(parts[index] ?? []),
      ...(index > 0 && index === count - 1 ? left : []),
      footer,
    ].join('\n\n');
  });
}

const NOTICE = /<!-- rulewright:notice -->[\s\S]*?<!-- rulewright:notice-end -->/;

/** Returns a notice that can be found and replaced in a posted text. */
export function noticeText(markdown: string): string {
  return `<!-- rulewright:notice -->\n> [!IMPORTANT]\n> ${markdown}\n<!-- rulewright:notice-end -->`;
}

/** Replaces the notice of a posted text, or adds one below its title. */
export function withNotice(body: string, notice: string): string {
  if (NOTICE.test(body)) {
    return body.replace(NOTICE, () => notice);
  }
  const [marker = '', title = '', ...rest] = body.split('\n');
  return [marker, title, '', notice, ...rest].join('\n');
}

/** A result as Markdown blocks, with the digest of its plan. */
export interface RenderedReport {
  /** Such as `Rulewright plan`, without the project's name. */
  readonly title: string;
  readonly blocks: readonly MarkdownPiece[];
  /** Digest of the plan; null where there is none. */
  readonly digest: string | null;
}

/** Returns a title with the project's name, if it has one. */
export function titleOf(title: string, name: string): string {
  return name === '' ? title : `${title} · ${code(name)}`;
}

/** GitLab allows titles of 255 characters, GitHub of 256. */
const MAX_TITLE_LENGTH = 255;

/** Returns the title of an issue as plain text; a long name is cut here, but complete in the body of the issue. */
export function issueTitle(title: string, name: string): string {
  const text = escapeText(name === '' ? title : `${title} (${name})`);
  const characters = Array.from(text);
  return characters.length <= MAX_TITLE_LENGTH
    ? text
    : `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…`;
}

/** Returns the whole result as one Markdown document. */
export function wholeText({ title, blocks }: RenderedReport, name: string): string {
  return `${piecesText([{ kind: 'text', text: `### ${titleOf(title, name)}` }, ...blocks])}\n`;
}

/** Returns the message for a result, with a notice when the pull request has a newer commit. */
export function messageOf(
  report: RenderedReport,
  run: ForgeRun,
  { marker, headSha }: MessageContext,
): Message {
  const outdated = headSha !== null && headSha !== marker.sha;
  return {
    marker,
    title: titleOf(report.title, marker.name),
    notice: outdated
      ? noticeText(
          `**Outdated.** This was made for ${commit(marker.sha)}; the pull request is at ${commit(headSha)}.`,
        )
      : null,
    blocks: report.blocks,
    footer: footer(report.digest, run, marker.sha),
  };
}

/** The marker of the message, and the current head commit of the pull request. */
interface MessageContext {
  readonly marker: Marker;
  readonly headSha: string | null;
}

/** Returns the notice that a posted result is outdated, for the time until the new one is posted. */
export function pendingNotice(made: string, now: string): string {
  return noticeText(
    `**Outdated.** This was made for ${commit(made)}; a result for ${commit(now)} is on its way.`,
  );
}

/** Returns the footer that links a text to its plan, commit and run. */
export function footer(digest: string | null, run: ForgeRun, sha: string): string {
  const shown =
    sha === ''
      ? []
      : [
          `commit ${linked(shortSha(sha), run.webUrl === '' ? null : `${run.webUrl}/${run.kind === 'gitlab' ? '-/' : ''}commit/${sha}`)}`,
        ];
  const parts = [
    ...(digest === null ? [] : [`plan ${htmlCode(digest.slice(0, 12))}`]),
    ...shown,
    ...(run.runUrl === null ? [] : [linked('run', run.runUrl)]),
  ];
  return `<sub>${parts.join(' · ')}</sub>`;
}

function linked(text: string, url: string | null): string {
  return url === null || !/^https?:\/\/[^\s"'<>]+$/.test(url)
    ? htmlCode(text)
    : `<a href="${url.replaceAll('&', '&amp;')}">${htmlCode(text)}</a>`;
}

function commit(sha: string): string {
  return code(shortSha(sha));
}

function shortSha(sha: string): string {
  return sha.slice(0, 10);
}
