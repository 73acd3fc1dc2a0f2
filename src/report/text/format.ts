import type { Diagnostic } from '../../model/diagnostic.ts';
import { counted } from '../../model/count.ts';
import { layOut, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';
import { diffLines, diffOf } from './file-diff.ts';

/** The result of formatting, or of checking the format. */
export interface FormatSummary {
  readonly mode: 'write' | 'check';
  readonly diff: boolean;
  readonly files: number;
  readonly changed: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  readonly unsafe: readonly string[];
}

/** Formats which files are not in the canonical style, with the diff if asked for. */
export function formatSummaryText({ mode, diff, files, changed, unsafe }: FormatSummary, look: Look): string {
  const what = mode === 'write' ? 'formatted' : 'not formatted';
  return layOut(
    [
      ...changed.flatMap(({ path, before, after }) => [
        line(0, span('patch', what), `  ${path}`),
        ...(diff ? diffLines(path, before, after) : []),
      ]),
      ...unsafe.map((path) =>
        line(
          0,
          span('warning', 'left alone'),
          `  ${path}: formatting it would lose a comment or change what it says`,
        ),
      ),
      line(
        0,
        `${counted(files, 'file')}: ${changed.length === 0 ? 'all formatted' : `${changed.length} ${what}`}.`,
      ),
    ],
    look,
  );
}

/** Returns the result of formatting as one JSON value. */
export function formatDocument(summary: FormatSummary & { readonly diagnostics: readonly Diagnostic[] }) {
  const { mode, diff, files, changed, unsafe, diagnostics } = summary;
  return {
    kind: 'format',
    formatVersion: 1,
    mode,
    files,
    changed: changed.map(({ path, before, after }) => ({
      path,
      ...(diff ? { diff: diffOf(path, before, after) } : {}),
    })),
    unsafe,
    diagnostics,
  };
}
