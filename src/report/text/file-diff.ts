import { createTwoFilesPatch } from 'diff';
import type { Line } from '../layout.ts';
import { line, span } from '../layout.ts';

/** Returns the changes of a file as lines of a diff. */
export function diffLines(path: string, before: string, after: string): readonly Line[] {
  return diffOf(path, before, after)
    .trimEnd()
    .split('\n')
    .map((text) => {
      const style = text.startsWith('+') ? 'add' : text.startsWith('-') ? 'delete' : 'dim';
      return { ...line(2, span(style, text)), verbatim: true };
    });
}

/** Returns the changes of a file as the hunks of a unified diff. */
export function diffOf(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 2 });
  return patch.slice(patch.indexOf('@@'));
}
