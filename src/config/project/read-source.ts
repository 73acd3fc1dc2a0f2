import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceSpan } from '../../model/source.ts';
import { finding } from '../finding.ts';
import type { SourceText } from '../source-text.ts';
import { sourceText } from '../source-text.ts';
import { YAML_LIMITS } from '../yaml/yaml-limits.ts';

/** A file's text, or why there is none. */
export type ReadSource =
  | { readonly kind: 'read'; readonly source: SourceText }
  | { readonly kind: 'unread'; readonly path: string; readonly diagnostic: Diagnostic };

/** Reads a file of the project as UTF-8 text; a byte order mark is taken off. */
export async function readSource(root: string, path: string): Promise<ReadSource> {
  const unread = (diagnostic: Diagnostic): ReadSource => ({ kind: 'unread', path, diagnostic });
  const where = topOf(path);
  try {
    const { size } = await stat(join(root, path));
    if (size > YAML_LIMITS.fileBytes) {
      const most = YAML_LIMITS.fileBytes / 1024 / 1024;
      return unread(
        finding('yaml/too-large', {
          message: `the file has ${size} bytes, more than ${most} MiB are not read`,
          hint: 'split it: a scope may stand in several files, each of its phases in one',
          where,
        }),
      );
    }
    const bytes = await readFile(join(root, path));
    return {
      kind: 'read',
      source: sourceText(path, new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
    };
  } catch (error) {
    return unread(
      error instanceof TypeError
        ? finding('yaml/not-utf8', {
            message: 'the file is not UTF-8 text',
            hint: 'save it as UTF-8',
            where,
          })
        : finding('config/file-unreadable', {
            message: `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
            hint: 'check that it is a file and that you may read it',
            where,
          }),
    );
  }
}

function topOf(file: string): SourceSpan {
  const top = { line: 1, column: 1 };
  return { file, start: top, end: top };
}
