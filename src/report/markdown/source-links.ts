import type { Cause, FileCause } from '../../model/source.ts';
import { causeText, isVersion } from '../../model/source.ts';
import { code } from './escape-markdown.ts';

/** Where the files can be looked at, as they were when the result was made; null where nobody knows. */
export type SourceLinks = {
  /** Up to the path of a file, with `/` at its end: `https://forge.example/team/rules/blob/4f2c…/zones/`. */
  readonly base: string;
} | null;

/** `file:line` of a cause as a link, a version by its number; for a rule of a pack also where the pack is used. */
export function causeLink(cause: Cause, links: SourceLinks): string {
  if (isVersion(cause)) {
    return code(causeText(cause));
  }
  const uses = (cause.via ?? []).map((use) => placeLink(use, links));
  return `${placeLink(cause, links)}${uses.length === 0 ? '' : ` (used at ${uses.join(', ')})`}`;
}

/** `file:line` as a link. */
export function placeLink({ file, line }: Pick<FileCause, 'file' | 'line'>, links: SourceLinks): string {
  const shown = code(`${file}:${line}`);
  return links === null ? shown : `[${shown}](<${links.base}${pathOf(file)}#L${line}>)`;
}

/** A path as part of an address in which no character means anything to Markdown. */
function pathOf(file: string): string {
  return file
    .replaceAll(/\p{Cs}/gu, '\u{fffd}')
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}
