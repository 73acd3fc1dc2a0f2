import { isScalar, isSeq } from 'yaml';
import { readDocument, writeDocument } from '../format/yaml-style.ts';
import type { SourceText } from '../source/source-text.ts';

/** The project file with more patterns in `files`; undefined when it has no such list. */
export function addFilePatterns(source: SourceText, patterns: readonly string[]): string | undefined {
  const document = readDocument(source.text);
  const files: unknown = document.get('files', true);
  if (!isSeq(files)) {
    return undefined;
  }
  const { range } = files;
  const last: unknown = files.items.at(-1);
  const end = isScalar(last) ? last.range?.[1] : undefined;
  // A list in brackets takes them behind its last item, so that not a byte of the rest changes.
  if (files.flow === true && end !== undefined && range !== null && range !== undefined) {
    const { text } = source;
    return `${text.slice(0, end)}${patterns.map((one) => `, ${one}`).join('')}${text.slice(end)}`;
  }
  for (const pattern of patterns) {
    files.add(pattern);
  }
  return writeDocument(document);
}
