import { describe, expect, test } from 'vitest';
import type { SourceSpan } from '../../src/model/source.ts';
import { codeFrame } from '../../src/report/code-frame.ts';
import { widthOf } from '../../src/report/layout.ts';

function at(line: number, column: number, until = column + 1): SourceSpan {
  return { file: 'a.yaml', start: { line, column }, end: { line, column: until } };
}

/** The characters that stand above the marks, by columns of a terminal. */
function marked(frame: string): string {
  const rows = frame.split('\n');
  const at = rows.findIndex((row) => /^ *\| *\^+$/u.test(row));
  const [row = '', marks = ''] = [rows[at - 1], rows[at]];
  let column = 0;
  let found = '';
  for (const { segment } of new Intl.Segmenter().segment(row)) {
    if (marks[column] === '^') {
      found += segment;
    }
    column += widthOf(segment);
  }
  return found;
}

describe('a code frame', () => {
  test('shows two lines around the place, aligns the line numbers, and marks the place', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
    expect(codeFrame(lines, at(10, 6, 8), 80)).toBe(
      [
        '   8 | line 8',
        '   9 | line 9',
        '> 10 | line 10',
        '     |      ^^',
        '  11 | line 11',
        '  12 | line 12',
      ].join('\n'),
    );
  });

  test('shows where a long line is cut, on either side, and its neighbours from their beginning', () => {
    const long = `${'a'.repeat(100)}HERE${'b'.repeat(100)}`;
    const frame = codeFrame(['short', long, ''], at(2, 101, 105), 50);
    expect(frame.split('\n')).toEqual([
      '  1 | short',
      `> 2 | …${'a'.repeat(21)}HERE${'b'.repeat(17)}…`,
      `    | ${' '.repeat(22)}^^^^`,
      '  3 |',
    ]);
  });

  test('cuts a long line on one side only if the place is near the other end', () => {
    const long = `BEGIN${'x'.repeat(100)}END`;
    expect(codeFrame([long], at(1, 1, 6), 40).split('\n')[0]).toBe(`> 1 | BEGIN${'x'.repeat(28)}…`);
    expect(codeFrame([long], at(1, 106, 109), 40).split('\n')[0]).toMatch(/^> 1 \| …x+END$/u);
  });

  test('does not cut a line that fits exactly', () => {
    const line = `${'x'.repeat(72)}END`;
    const frame = codeFrame([line], at(1, 73, 76), 6 + 75);
    expect(frame.split('\n')[0]).toBe(`> 1 | ${line}`);
    expect(marked(frame)).toBe('END');
  });

  test.each([
    ['wide characters', `描述: "${'東京'.repeat(8)}HERE"`],
    ['wide characters, cut', `描述: "${'東京'.repeat(60)}HERE${'大阪'.repeat(60)}"`],
    ['pictures of two code units', `a: "${'😀'.repeat(70)}HERE${'😀'.repeat(70)}"`],
    ['joined accents', `a: "${'e\u0301'.repeat(120)}HERE"`],
    ['tabs', `\t\ta: \t HERE # ${'y'.repeat(100)}`],
  ])('marks the right columns behind %s', (_title, line) => {
    const column = line.indexOf('HERE') + 1;
    const frame = codeFrame([line], at(1, column, column + 4), 60);
    expect(marked(frame)).toBe('HERE');
    for (const row of frame.split('\n')) {
      expect(widthOf(row)).toBeLessThanOrEqual(60);
    }
  });

  test('marks a place behind the last character, and is empty for a place outside of the file', () => {
    expect(codeFrame(['ab'], at(1, 3), 80)).toBe('> 1 | ab\n    |   ^');
    expect(codeFrame(['ab'], at(7, 1), 80)).toBe('');
  });
});
