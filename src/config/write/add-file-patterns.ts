import { isScalar, isSeq } from 'yaml';
import { readDocument, writeDocument } from '../format/yaml-style.ts';
import type { SourceText } from '../source/source-text.ts';

/** Returns the project file with more patterns under `files`; undefined when it has no such list. */
export function addFilePatterns(source: SourceText, patterns: readonly string[]): string | undefined {
  const document = readDocument(source.text);
  const files: unknown = document.get('files', true);
  if (!isSeq(files)) {
    return undefined;
  }
  const { range } = files;
  const last: unknown = files.items.at(-1);
  const end = isScalar(last) ? last.range?.[1] : undefined;
  // In a bracketed list the patterns go behind the last item, so that no byte of the rest changes.
  if (files.flow === true && end !== undefined && range !== null && range !== undefined) {
    const { text } = source;
    return `${text.slice(0, end)}${patterns.map((one) => `, ${one}`).join('')}${text.slice(end)}`;
  }
  for (const pattern of patterns) {
    files.add(pattern);
  }
  return writeDocument(document);
}
