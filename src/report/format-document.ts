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

interface FormattedChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Rules, and uses of packs, that have ended and are removed. */
  readonly ended: readonly { readonly name?: string; readonly line: number; readonly owner?: string }[];
}

/** The result of formatting, or of checking the format. */
export interface FormatSummary {
  readonly mode: 'write' | 'check';
  readonly diff: boolean;
  readonly files: number;
  readonly changed: readonly FormattedChange[];
  readonly unsafe: readonly string[];
}

/** Documents which files are not in the canonical style, with the diff if asked for. */
export function formatDocument({ mode, diff, files, changed, unsafe }: FormatSummary): Document {
  const what = mode === 'write' ? 'formatted' : 'not formatted';
  const ended = changed.flatMap((one) => one.ended).length;
  const result = [
    changed.length === 0 ? 'all formatted' : `${changed.length} ${what}`,
    ...(ended === 0 ? [] : [`${counted(ended, 'ended rule')}${mode === 'write' ? ' removed' : ''}`]),
  ].join(', ');
  return {
    title: 'Rulewright fmt',
    body: [
      ...changed.map(({ path, before, after, ended: over }) =>
        entry(undefined, [span('changed', what), '  ', span('code', path)], {
          parts: true,
          body: [
            ...over.map(({ name, line, owner }) =>
              entry(undefined, [
                `${mode === 'write' ? 'removed' : 'ended'}  `,
                name === undefined ? `a rule in line ${line}` : span('code', name),
                ...(name === undefined ? [] : [`, line ${line}`]),
                ...(owner === undefined ? [] : [`, of ${owner}`]),
              ]),
            ),
            ...(diff ? [diffBlock(path, before, after)] : []),
          ],
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
    changed: changed.map(({ path, before, after, ended }) => ({
      path,
      ...(ended.length === 0 ? {} : { ended }),
      ...(diff ? { diff: diffOf(path, before, after) } : {}),
    })),
    unsafe,
    diagnostics,
  };
}
