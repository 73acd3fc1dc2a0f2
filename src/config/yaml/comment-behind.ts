import type { SourceSpan } from '../../model/source.ts';
import { spanAt } from '../source/source-text.ts';
import { scalarAt, settle, throughUses } from './yaml-document.ts';
import type { ValuePath, YamlDocument } from './yaml-document.ts';

/** A comment on the line on which a text without quotes ends. */
export interface CommentBehind {
  /** The comment with its `#`. */
  readonly text: string;
  readonly where: SourceSpan;
}

/** Returns the comment by which YAML may have cut a text short: without quotes, ` #` ends a text. */
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
