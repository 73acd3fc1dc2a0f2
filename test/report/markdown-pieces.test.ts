import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarkdownPiece } from '../../src/report/markdown-pieces.ts';
import { bytes, characters, piecesText, splitPieces } from '../../src/report/markdown-pieces.ts';
import { propertyRuns } from '../property-runs.ts';

let next = 0;
/** A word that occurs in one place only. */
const word = fc.integer({ min: 1, max: 60 }).map((length) => {
  next += 1;
  return `w${next}w${'é😀'.repeat(length)}`;
});
const words = fc.array(word, { minLength: 1, maxLength: 12 });
const leaf: fc.Arbitrary<MarkdownPiece> = fc.oneof(
  word.map((text): MarkdownPiece => ({ kind: 'text', text })),
  words.map((items): MarkdownPiece => ({ kind: 'list', items })),
  words.map((items): MarkdownPiece => ({ kind: 'box', level: 'note', title: 'Box', items })),
  words.map((cells): MarkdownPiece => ({
    kind: 'table',
    words: ['Name'],
    numbers: [],
    rows: cells.map((cell) => [cell]),
  })),
  words.map((lines): MarkdownPiece => ({ kind: 'code', title: '', language: 'diff', lines })),
);
const block = fc.oneof(
  leaf,
  fc
    .array(leaf, { minLength: 1, maxLength: 5 })
    .map((body): MarkdownPiece => ({ kind: 'fold', summary: 'Fold', body })),
);

describe('splitPieces', () => {
  it('makes parts within the limit and loses no word', () => {
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 400, max: 2000 }),
        (blocks, limit) => {
          const parts = splitPieces(blocks, limit).map(piecesText);
          expect(parts.every((part) => characters(part) <= limit)).toBe(true);
          const found = (texts: readonly string[]): readonly string[] =>
            texts.join('\n').match(/w\d+w/g) ?? [];
          expect(found(parts)).toEqual(found([piecesText(blocks)]));
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  it('closes folds and fences at a cut, and opens them again', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `+ line ${index} \`\`\`\``);
    const fold: MarkdownPiece = {
      kind: 'fold',
      summary: 'Rules',
      body: [{ kind: 'code', title: '**add** x', language: 'diff', lines }],
    };
    const parts = splitPieces([fold], 800).map(piecesText);
    expect(parts.length).toBeGreaterThan(2);
    for (const [index, part] of parts.entries()) {
      expect(part.match(/<details>/g)).toHaveLength(1);
      expect(part.match(/<\/details>/g)).toHaveLength(1);
      expect(part.match(/^`{5}/gm)).toHaveLength(2);
      expect(part).toContain(index === 0 ? 'Rules</summary>' : 'Rules (continued)</summary>');
      expect(part.includes('**add** x (continued)')).toBe(index !== 0);
    }
  });

  it('cuts a line that is longer than a part', () => {
    const code: MarkdownPiece = {
      kind: 'code',
      title: '',
      language: 'diff',
      lines: [`+ ${'x'.repeat(5000)}`],
    };
    const parts = splitPieces([code], 1000).map(piecesText);
    expect(parts.every((part) => part.length <= 1000)).toBe(true);
    expect(parts.join('').match(/x/g)).toHaveLength(5000);
  });

  it('counts characters as GitHub does, and bytes', () => {
    expect([characters('aé😀'), bytes('aé😀')]).toEqual([3, 7]);
  });
});
