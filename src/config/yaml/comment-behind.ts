import type { SourceSpan } from '../../model/source.ts';
import { spanAt } from '../source/source-text.ts';
import { scalarAt, settle, throughUses } from './yaml-document.ts';
import type { ValuePath, YamlDocument } from './yaml-document.ts';

/** A comment in the line in which a text without quotes ends. */
export interface CommentBehind {
  /** With its `#`. */
  readonly text: string;
  readonly where: SourceSpan;
}

/** The comment by which YAML may have cut a text short: without quotes around it, ` #` ends a text. */
export function commentBehind(document: YamlDocument, path: ValuePath): CommentBehind | undefined {
  const scalar = scalarAt(document, path);
  if (scalar?.type !== 'PLAIN' || scalar.range === null || scalar.range === undefined) {
    return undefined;
  }
  const { document: own, via } = settle(document, path);
  const [, end] = scalar.range;
  const lineEnd = own.source.text.indexOf('\n', end);
  const rest = own.source.text.slice(end, lineEnd === -1 ? undefined : lineEnd);
  const [, blank = '', text] = /^([ \t]+)(#.*)$/u.exec(rest.trimEnd()) ?? [];
  if (text === undefined) {
    return undefined;
  }
  const start = end + blank.length;
  return { text, where: throughUses(spanAt(own.source, start, start + text.length), via) };
}
