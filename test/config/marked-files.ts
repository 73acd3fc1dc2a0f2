import { expect } from 'vitest';

import type { LoadOptions, LoadResult } from '../../src/config/load-project.ts';
import { formatPlace } from '../../src/model/source.ts';
import { loadFiles } from './project-folder.ts';

/** The code of an expected finding, and a part of its message, its hint or the uses that it came through. */
export type Expected = readonly [code: string, text: string];

/**
 * The title, the files, and the findings in order. `▶` marks the places that findings point at; it is removed
 * before the files are written. Files are sorted by path, so marks are counted in that order.
 */
export type Case = readonly [
  what: string,
  files: string | Readonly<Record<string, string>>,
  expected: readonly Expected[],
];

/** Loads files with marks, and expects exactly the given findings at the marks. */
export async function expectFindings(
  input: Case[1],
  expected: readonly Expected[],
  options: Partial<LoadOptions> = {},
): Promise<LoadResult> {
  const { files, places } = takeMarks(typeof input === 'string' ? { 'zones/a.yaml': input } : input);
  const result = await loadFiles(files, options);
  const found = result.diagnostics.map(({ code, where, hint, message }) => ({
    code,
    place: `${where?.file}:${where?.start.line}:${where?.start.column}`,
    text: [message, hint, ...(where?.via ?? []).map((use) => `via ${formatPlace(use)}`)].join('; '),
  }));
  expect(found).toEqual(
    expected.map(([code, text], index) => ({
      code,
      place: places[index],
      text: expect.stringContaining(text),
    })),
  );
  return result;
}

/** Removes the marks, and returns their places. */
function takeMarks(input: Readonly<Record<string, string>>): {
  readonly files: Readonly<Record<string, string>>;
  readonly places: readonly string[];
} {
  const places: string[] = [];
  const files = Object.entries(input).map(([path, text]) => {
    let rest = text;
    for (let at = rest.indexOf('▶'); at !== -1; at = rest.indexOf('▶')) {
      const before = rest.slice(0, at).split('\n');
      places.push(`${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`);
      rest = rest.replace('▶', '');
    }
    return [path, rest] as const;
  });
  return { files: Object.fromEntries(files), places };
}
