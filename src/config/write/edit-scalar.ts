import { isScalar, Scalar } from 'yaml';
import type { Node } from 'yaml';

import { foldLines } from '../format/fold-lines.ts';
import { WIDTH } from '../format/yaml-style.ts';
import { textDifference } from '../source/text-difference.ts';
import { applyEdits } from '../source/text-edit.ts';
import type { TextEdit } from '../source/text-edit.ts';
import { readScalar, scalarOffsets } from '../yaml/scalar-offsets.ts';
import { lineStart } from './content-end.ts';

/** A text of one line that is longer is written anew, in lines. */
const LONG = 88;

/**
 * The edit that changes a text where it differs, and leaves its quotes, its lines and its folding; undefined where it is plain and on
 * one line, and where its style cannot say what is wanted.
 */
export function editScalar(
  text: string,
  node: Node,
  { now, next }: { readonly now: string; readonly next: string },
): readonly TextEdit[] | undefined {
  const [start, end] = node.range ?? [0, 0];
  const style = isScalar(node) && node.value === now ? styleOf(node, text.slice(start, end)) : undefined;
  const offsets = isScalar(node) && style !== undefined ? scalarOffsets(text, node) : undefined;
  if (!isScalar(node) || style === undefined || offsets === undefined || UNSEEN.test(next)) {
    return undefined;
  }
  if (style !== 'folded' && style !== 'literal' && next.length > Math.max(LONG, now.length)) {
    return undefined;
  }
  const indent = text.slice(lineStart(text, offsets.start(0)), offsets.start(0));
  const edits = textDifference(now, next).map((edit) => ({
    start: offsets.start(edit.start) - start,
    end: offsets.start(edit.end) - start,
    text: spelled(edit.text, style, indent),
  }));
  const changed = applyEdits(text.slice(start, end), edits);
  const before = text.slice(start, end);
  const fresh = style === 'folded' ? folded(changed, { before, indent: indent.length }) : changed;
  const { type } = node;
  return readScalar(fresh, { start: 0, end: fresh.length, type, value: next }) === next && fits(next, style)
    ? [{ start, end, text: fresh }]
    : undefined;
}

type Style = 'folded' | 'literal' | 'single' | 'double' | 'plain';

function styleOf({ type }: Scalar, source: string): Style | undefined {
  switch (type) {
    case Scalar.BLOCK_FOLDED:
      return 'folded';
    case Scalar.BLOCK_LITERAL:
      return 'literal';
    case Scalar.QUOTE_SINGLE:
      return 'single';
    case Scalar.QUOTE_DOUBLE:
      return 'double';
    default:
      return source.includes('\n') ? 'plain' : undefined;
  }
}

/** What nobody sees is left to those who know how to write it. */
const UNSEEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

function spelled(text: string, style: Style, indent: string): string {
  switch (style) {
    case 'literal':
      return text.replaceAll('\n', `\n${indent}`);
    case 'single':
      return text.replaceAll("'", "''");
    case 'double':
      return JSON.stringify(text).slice(1, -1);
    default:
      return text;
  }
}

/** Whether plain text ends or becomes something else where it would say this. */
function fits(value: string, style: Style): boolean {
  return style !== 'plain' || (/^[\p{L}\p{N}("/.]/u.test(value) && !/:(?:\s|$)|\s#|[,[\]{}]/u.test(value));
}

/** A folded block of which no line that was changed is longer than lines are; those that were so stay. */
function folded(
  block: string,
  { before, indent }: { readonly before: string; readonly indent: number },
): string {
  const known = new Set(before.split('\n'));
  return block
    .split('\n')
    .flatMap((line) => {
      const text = line.slice(indent);
      const isLong = line.length > WIDTH && !known.has(line) && line.startsWith(' '.repeat(indent));
      const lines = isLong ? foldLines(text, WIDTH - indent) : undefined;
      return lines?.map((one) => ' '.repeat(indent) + one) ?? [line];
    })
    .join('\n');
}
