import type { Cause, FileCause, SourceSpan } from '../model/index.ts';
import { causeText, formatPlace, isVersion } from '../model/index.ts';
import type { Inline, StyledSpan } from './tree.ts';

/** Returns where something comes from, with links: a place in a file and where that is used, or a version. */
export function causeSpans(cause: Cause): Inline {
  if (isVersion(cause)) {
    return [{ text: causeText(cause), style: 'dim' }];
  }
  return [cause, ...(cause.via ?? [])].flatMap((place, index) => [
    ...(index === 0 ? [] : [' via ']),
    lineSpan(place),
  ]);
}

function lineSpan({ file, line }: Pick<FileCause, 'file' | 'line'>): StyledSpan {
  return { text: `${file}:${line}`, style: 'dim', to: { kind: 'file', file, line } };
}

/** Returns a place in a file with its column, as editors know it. */
export function placeSpan(where: SourceSpan, style: 'strong' | 'dim'): StyledSpan {
  const { file, start } = where;
  return { text: formatPlace({ ...where, via: [] }), style, to: { kind: 'file', file, line: start.line } };
}
