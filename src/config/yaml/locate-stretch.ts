import type { SourceSpan } from '../../model/index.ts';
import { spanAt } from '../source/source-text.ts';
import { scalarOffsets } from './scalar-offsets.ts';
import type { ValuePath, YamlDocument, FilledText, FilledPiece, FilledVariable } from './yaml-document.ts';
import { locateValue, pathKey, scalarAt, settle, throughUses } from './yaml-document.ts';

/** Returns the stretch of the file's text that a stretch of the filled text comes from. */
function stretchInFile(
  filled: FilledText,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } {
  const first = pieceAt(filled, start);
  const last = end > start ? pieceAt(filled, end - 1) : first;
  const from = first === undefined ? 0 : first.same ? first.from + (start - first.start) : first.from;
  const to = last === undefined ? from : last.same ? last.from + (end - last.start) : last.to;
  return { start: from, end: Math.max(from, to) };
}

/** Returns the piece of the one variable that a stretch lies in; undefined where it lies in none. */
export function variableAround(
  filled: FilledText,
  { start, end }: { readonly start: number; readonly end: number },
): (FilledPiece & { readonly variable: FilledVariable }) | undefined {
  const piece = pieceAt(filled, start);
  return piece?.variable !== undefined && piece.start <= start && end <= piece.end
    ? { ...piece, variable: piece.variable }
    : undefined;
}

/** Returns the piece at an offset; behind the last piece, the last one. */
function pieceAt(filled: FilledText, offset: number): FilledPiece | undefined {
  return filled.find(({ end }) => offset < end) ?? filled.at(-1);
}

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
