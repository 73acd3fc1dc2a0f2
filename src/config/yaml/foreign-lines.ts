import type { LineSlip } from './line-slips.ts';

/**
 * Reports lines that are not YAML; errors around them only follow from them. All but conflict markers may stand in a text, and count only where
 * the parser has stumbled: `stumbled` are the numbers of those lines, from 1.
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

/** Reports merge conflicts that a file still holds, each at its first marker: everything between the markers is two texts in one. */
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
