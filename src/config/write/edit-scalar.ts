import { isScalar, Scalar } from 'yaml';
import type { Node } from 'yaml';

import { foldLines } from '../format/fold-lines.ts';
import { WIDTH } from '../format/yaml-style.ts';
import { textDifference } from '../source/text-difference.ts';
import { applyEdits } from '../source/text-edit.ts';
import type { TextEdit } from '../source/text-edit.ts';
import { readScalar, scalarOffsets } from '../yaml/scalar-offsets.ts';
import { lineStart } from './content-end.ts';

/** Length above which a text on one line is written anew, on several lines. */
const LONG = 88;

/**
 * Returns the edit that changes a text only where it differs, and leaves its quotes, lines and folding; undefined for plain text on one line,
 * where nothing of the text stays, and where its style cannot hold what is wanted.
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
  const isBlock = style === 'folded' || style === 'literal';
  if (!isBlock && next.length > Math.max(LONG, now.length)) {
    return undefined;
  }
  const indent = text.slice(lineStart(text, offsets.start(0)), offsets.start(0));
  const differing = textDifference(now, next);
  if (
    applyEdits(
      now,
      differing.map((edit) => ({ ...edit, text: '' })),
    ).trim() === ''
  ) {
    return undefined;
  }
  const edits = differing.map((edit) => ({
    start: offsets.start(edit.start) - start,
    end: offsets.start(edit.end) - start,
    text: spelled(edit.text, style, indent),
  }));
  const before = text.slice(start, end);
  const changed = applyEdits(before, edits);
  const fresh = isBlock ? block(changed, { before, indent: indent.length, style }) : changed;
  const { type } = node;
  return fits(style, { now, next }) &&
    readScalar(fresh, { start: 0, end: fresh.length, type, value: next }) === next
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

/** Invisible characters, which need code that knows how to write them. */
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

/**
 * Whether a text can be plain in place of another one. Characters that would end it inside brackets are safe only where the other text has some,
 * and so is not in brackets.
 */
function fits(style: Style, { now, next }: { readonly now: string; readonly next: string }): boolean {
  return (
    style !== 'plain' ||
    (/^[\p{L}\p{N}("/.]/u.test(next) &&
      !/:(?:\s|$)|\s#/u.test(next) &&
      (IN_BRACKETS.test(now) || !IN_BRACKETS.test(next)))
  );
}

const IN_BRACKETS = /[,[\]{}]/u;

/** Returns a block that ends as before; a folded one without changed lines that are longer than lines should be. */
function block(
  text: string,
  { before, indent, style }: { readonly before: string; readonly indent: number; readonly style: Style },
): string {
  const known = new Set(before.split('\n'));
  const lines = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const isLong = line.length > WIDTH && !known.has(line) && line.startsWith(' '.repeat(indent));
      const shorter =
        style === 'folded' && isLong ? foldLines(line.slice(indent), WIDTH - indent) : undefined;
      return shorter?.map((one) => ' '.repeat(indent) + one) ?? [line];
    });
  return lines.join('\n') + before.slice(before.trimEnd().length);
}
