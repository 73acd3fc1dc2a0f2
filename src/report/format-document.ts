import { createTwoFilesPatch } from 'diff';
import type { Diagnostic } from '../model/index.ts';
import { counted } from '../text/index.ts';
import type { Block, Document } from './tree.ts';
import { entry, span } from './tree.ts';

/** Returns the changes of a file as a block. */
export function diffBlock(path: string, before: string, after: string): Block {
  return { kind: 'verbatim', language: 'diff', lines: diffOf(path, before, after).trimEnd().split('\n') };
}

/** Returns the changes of a file as the hunks of a unified diff. */
export function diffOf(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 2 });
  return patch.slice(patch.indexOf('@@'));
}

/** The result of formatting, or of checking the format. */
export interface FormatSummary {
  readonly mode: 'write' | 'check';
  readonly diff: boolean;
  readonly files: number;
  readonly changed: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  readonly unsafe: readonly string[];
}

/** Documents which files are not in the canonical style, with the diff if asked for. */
export function formatDocument({ mode, diff, files, changed, unsafe }: FormatSummary): Document {
  const what = mode === 'write' ? 'formatted' : 'not formatted';
  const result = changed.length === 0 ? 'all formatted' : `${changed.length} ${what}`;
  return {
    title: 'Rulewright fmt',
    body: [
      ...changed.map(({ path, before, after }) =>
        entry(undefined, [span('changed', what), '  ', span('code', path)], {
          parts: true,
          body: diff ? [diffBlock(path, before, after)] : [],
        }),
      ),
      ...unsafe.map((path) =>
        entry(undefined, [
          span('warning', 'left alone'),
          '  ',
          span('code', path),
          ': formatting it would lose a comment or change what it says',
        ]),
      ),
    ],
    summary: files === 0 ? [] : [[`${counted(files, 'file')}: ${result}.`]],
  };
}

/** Returns the result of formatting as one JSON value. */
export function formatJson(summary: FormatSummary & { readonly diagnostics: readonly Diagnostic[] }) {
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
