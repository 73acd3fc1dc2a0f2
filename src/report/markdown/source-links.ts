import type { Cause, FileCause } from '../../model/source.ts';
import { causeText, isVersion } from '../../model/source.ts';
import { code } from './escape-markdown.ts';

/** The web address of the files as they were when the result was made; null when it is not known. */
export type SourceLinks = {
  /** The part before the path of a file, with a `/` at its end: `https://forge.example/team/rules/blob/4f2c…/zones/`. */
  readonly base: string;
} | null;

/** Formats a cause: `file:line` as a link, a version by its number; for a rule of a pack also where the pack is used. */
export function causeLink(cause: Cause, links: SourceLinks): string {
  if (isVersion(cause)) {
    return code(causeText(cause));
  }
  const uses = (cause.via ?? []).map((use) => placeLink(use, links));
  return `${placeLink(cause, links)}${uses.length === 0 ? '' : ` (used at ${uses.join(', ')})`}`;
}

/** Formats `file:line` as a link. */
export function placeLink({ file, line }: Pick<FileCause, 'file' | 'line'>, links: SourceLinks): string {
  const shown = code(`${file}:${line}`);
  return links === null ? shown : `[${shown}](<${links.base}${pathOf(file)}#L${line}>)`;
}

/** Encodes a path for a URL in which no character has a meaning in Markdown. */
function pathOf(file: string): string {
  return file
    .replaceAll(/\p{Cs}/gu, '\u{fffd}')
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}
