import type { LineSlip } from './line-slips.ts';

/** Conflicts of a merge that a file still holds, each by its first marker: all between its markers is two texts in one. */
export function conflictMarkers(lines: readonly string[]): readonly LineSlip[] {
  let isInside = false;
  return lines.flatMap((text, line): readonly LineSlip[] => {
    const [, marker = ''] = /^([<=>|])\1{6}(?: |$)/u.exec(text) ?? [];
    const isFirst = marker === '<' || (marker !== '' && !isInside);
    if (marker !== '') {
      isInside = marker !== '>';
    }
    return isFirst ? [{ line, from: 0, until: text.length, ...CONFLICT }] : [];
  });
}

const CONFLICT = {
  message: 'this is a merge conflict marker',
  hint: 'keep what is right of the two sides, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`',
};
