import { createTwoFilesPatch } from 'diff';
import type { Diagnostic, AppliedFix, NotFixed } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { layOut, line, span, BLANK, hanging } from '../layout.ts';
import type { Look, Line } from '../layout.ts';
import { formatPlace } from '../../model/index.ts';

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

/** Formats the changes that fixes made to files, one per line; "" for none. */
export function fixesText(fixes: readonly AppliedFix[], look: Look): string {
  const files = new Set(fixes.map(({ where }) => where.file)).size;
  return fixes.length === 0
    ? ''
    : layOut(
        [
          line(
            0,
            span('strong', `Fixed ${counted(fixes.length, 'place')} in ${counted(files, 'file')}`),
            ':',
          ),
          ...fixes.map(({ code, where, before, after }) =>
            hanging(
              2,
              4,
              formatPlace(where),
              span('dim', `  ${code}`),
              '  ',
              span('removed-words', shown(before)),
              after === '' ? ' removed' : ' → ',
              span('added-words', after === '' ? '' : shown(after)),
            ),
          ),
          BLANK,
        ],
        look,
      );
}

/** Formats which files were not fixed, and why; "" for none. */
export function notFixedText(left: readonly NotFixed[], look: Look): string {
  return left.length === 0
    ? ''
    : layOut(
        [
          line(0, span('strong', 'Not fixed'), ':'),
          ...left.map(({ file, reason, because }) => hanging(2, 4, file, `  ${REASONS[reason](because)}`)),
        ],
        look,
      );
}

const REASONS: Readonly<Record<NotFixed['reason'], (because: readonly string[]) => string>> = {
  unreadable: () => 'it cannot be read: fix its error first',
  'uses-unknown': (because) =>
    `what is right where the pack is used is not known before ${because.join(' and ')} can be read`,
  'not-safe': () => 'the fix would also change something else: fix it by hand',
};

/** Trims a text; one of nothing but blanks is shown in quotes. */
function shown(text: string): string {
  return text.trim() === '' ? JSON.stringify(text) : text.trim();
}
