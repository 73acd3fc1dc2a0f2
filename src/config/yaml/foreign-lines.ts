import type { LineSlip } from './line-slips.ts';

/**
 * Lines that are of no YAML: what is said of those around them only follows from them. All but conflicts may stand in a text, so that they count only
 * where its reader has stumbled; `stumbled` are these lines, from 1.
 */
export function foreignLines(lines: readonly string[], stumbled: ReadonlySet<number>): readonly LineSlip[] {
  const conflicts = conflictMarkers(lines);
  return conflicts.length > 0
    ? conflicts
    : lines.flatMap((text, line): readonly LineSlip[] => {
        const says = stumbled.has(line + 1)
          ? FOREIGN.find(([pattern]) => pattern.test(text))?.[1]
          : undefined;
        return says === undefined ? [] : [{ line, from: text.search(/\S/u), until: text.length, ...says }];
      });
}

const FOREIGN: readonly (readonly [RegExp, Pick<LineSlip, 'message' | 'hint'>])[] = [
  [/^```/u, { message: 'this is a fence of Markdown', hint: 'delete it' }],
  [
    /^ +(?:\.{3}|…)$/u,
    { message: '`...` is a placeholder, not YAML', hint: 'write what it stands for, or delete it' },
  ],
];

/** Conflicts of a merge that a file still holds, each by its first marker: all between its markers is two texts in one. */
function conflictMarkers(lines: readonly string[]): readonly LineSlip[] {
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
