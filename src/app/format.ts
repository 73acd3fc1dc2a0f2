import { join } from 'node:path';
import {
  dropEnded,
  formatText,
  findProject,
  readHead,
  selectFiles,
  readSource,
  sourceText,
} from '../config/index.ts';
import type { EndedEntry, ProjectQuery } from '../config/index.ts';
import { writeText } from '../files/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { filesOfProject } from './project/project-files.ts';
import type { FileFindings } from './run/results.ts';
import type { Selection } from './project/selection.ts';

/** A file that is not formatted, with its text before and after. */
export interface Reformatted {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** What has ended and is removed. */
  readonly ended: readonly EndedEntry[];
}

/** Answer of `fmt`. */
export interface FormatResult extends FileFindings {
  readonly changed: readonly Reformatted[];
  /** Number of files checked. */
  readonly files: number;
  /** Files left alone because formatting would change what they say. */
  readonly unsafe: readonly string[];
}

/** How files are formatted. */
export interface FormatMode {
  readonly mode: 'write' | 'check';
  /** Rules that ended before this day, `YYYY-MM-DD`, are removed; without it, none are. */
  readonly endedBefore?: string | undefined;
}

/**
 * Formats the project file and the selected zone, account, pack and test files, or only reports which are not formatted. An abort
 * takes effect only before the first write.
 */
export async function formatFiles(
  query: ProjectQuery & Pick<Selection, 'heads' | 'signal'>,
  { mode, endedBefore }: FormatMode,
): Promise<FormatResult> {
  const found = await findProject(query);
  if (found.kind === 'not-found') {
    return { changed: [], files: 0, unsafe: [], diagnostics: found.diagnostics, sources: new Map() };
  }
  const { root, file } = found;
  const files = await filesOfProject(found);
  const { timeZone } = (await readHead(query, found)).file.settings;
  const { isSelected } = selectFiles(files, found);
  const wanted = [...(found.selected.length === 0 ? [file] : []), ...files.filter((one) => isSelected(one))];
  const changed: Reformatted[] = [];
  const diagnostics: Diagnostic[] = [];
  const unsafe: string[] = [];
  const sources = new Map<string, string>();
  for (const path of wanted) {
    const read = await readSource(root, path);
    query.signal?.throwIfAborted();
    if (read.kind === 'unread') {
      diagnostics.push(read.diagnostic);
      continue;
    }
    const before = read.source.text;
    sources.set(path, before);
    const { text, ended } =
      endedBefore === undefined
        ? { text: before, ended: [] }
        : dropEnded(read.source, { timeZone, today: endedBefore });
    const made = formatText(ended.length === 0 ? read.source : sourceText(path, text));
    if (made.kind === 'invalid') {
      diagnostics.push(...made.diagnostics);
    } else if (made.kind === 'unsafe') {
      unsafe.push(path);
    } else if (made.text !== before) {
      changed.push({ path, before, after: made.text, ended });
    }
  }
  for (const { path, after } of mode === 'write' ? changed : []) {
    await writeText(join(root, path), after);
  }
  return { changed, files: wanted.length, unsafe, diagnostics, sources };
}

/** A formatted text, or why it cannot be read. */
export type FormattedFile =
  | { readonly kind: 'formatted'; readonly text: string }
  | ({ readonly kind: 'invalid' } & FileFindings);

/**
 * Formats one text, for editors; returns its findings if it cannot be read. A text that formatting would change in meaning is
 * returned as it is.
 */
export function formatOne(text: string): FormattedFile {
  const made = formatText(sourceText('<stdin>', text));
  if (made.kind === 'invalid') {
    return { kind: 'invalid', diagnostics: made.diagnostics, sources: new Map([['<stdin>', text]]) };
  }
  return { kind: 'formatted', text: made.kind === 'formatted' ? made.text : text };
}
