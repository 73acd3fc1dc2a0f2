import type { SourceSpan } from '../../model/source.ts';
import { spanAt } from '../source/source-text.ts';
import { stretchInFile } from './filled-text.ts';
import { scalarOffsets } from './scalar-offsets.ts';
import type { ValuePath, YamlDocument } from './yaml-document.ts';
import { locateValue, pathKey, scalarAt, settle, throughUses } from './yaml-document.ts';

/** Where a stretch of a text stands in the file. */
export interface LocatedStretch {
  readonly where: SourceSpan;
  /** Whether the span is exact; else the characters cannot be made out, and the span covers the whole text. */
  readonly exact: boolean;
}

/** Locates a stretch of the text at a path: through packs, variables, and any YAML style. */
export function locateStretch(
  document: YamlDocument,
  path: ValuePath,
  { start, end }: { readonly start: number; readonly end: number },
): LocatedStretch {
  const scalar = scalarAt(document, path);
  const { document: own, via } = settle(document, path);
  const offsets = scalar === undefined ? undefined : scalarOffsets(own.source.text, scalar);
  if (offsets === undefined) {
    return { where: locateValue(document, path), exact: false };
  }
  const filled = document.filled?.get(pathKey(path));
  const from =
    filled === undefined || filled === 'broken' ? { start, end } : stretchInFile(filled, start, end);
  const where = spanAt(own.source, offsets.start(from.start), offsets.end(from.start, from.end));
  return { where: throughUses(where, via), exact: true };
}
