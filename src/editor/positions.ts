import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { SourceText } from '../config/index.ts';
import { memoiseWeakly } from '../data/index.ts';
import type { SourceSpan } from '../model/index.ts';

/** What the characters of a line are counted in. */
export type CharacterUnit = 'utf-16' | 'utf-8' | 'utf-32';

const UNITS: readonly CharacterUnit[] = ['utf-16', 'utf-8', 'utf-32'];

/** Returns the unit to use with a client: UTF-16, which all know, unless it offers only others. */
export function chooseUnit(offered: readonly string[] = []): CharacterUnit {
  return UNITS.find((unit) => offered.includes(unit)) ?? 'utf-16';
}

/** Counts how many units a character takes. */
const LENGTHS: Readonly<Record<CharacterUnit, (character: string) => number>> = {
  'utf-16': (character) => character.length,
  'utf-8': (character) => Buffer.byteLength(character),
  'utf-32': () => 1,
};

/** Turns positions of a client into offsets of texts, in UTF-16 units, and back. */
export interface Positions {
  readonly offsetAt: (document: TextDocument, position: Position) => number;
  readonly rangeAt: (document: TextDocument, start: number, end: number) => Range;
  /** Returns the range of a span in a text of the project. */
  readonly rangeOf: (source: SourceText, span: Pick<SourceSpan, 'start' | 'end'>) => Range;
  /** Carries out edits of a client, one after the other. */
  readonly update: (
    document: TextDocument,
    changes: readonly TextDocumentContentChangeEvent[],
    version: number,
  ) => TextDocument;
}

/** Returns the text as a document that finds lines. */
export const documentOf = memoiseWeakly((source: SourceText) =>
  TextDocument.create(source.path, 'yaml', 0, source.text),
);

/** Returns the offset of a point of a text. */
export function offsetOf({ lineStarts, text }: SourceText, { line, column }: SourceSpan['start']): number {
  return Math.min((lineStarts[line - 1] ?? text.length) + column - 1, text.length);
}

/** Creates the conversion for a client's unit. */
export function createPositions(unit: CharacterUnit): Positions {
  const lengthOf = LENGTHS[unit];
  const toUnits = (document: TextDocument, { line, character }: Position): Position => {
    if (unit === 'utf-16') {
      return { line, character };
    }
    const before = document.getText({ start: { line, character: 0 }, end: { line, character } });
    return { line, character: Array.from(before).reduce((sum, one) => sum + lengthOf(one), 0) };
  };
  const fromUnits = (document: TextDocument, { line, character }: Position): Position => {
    if (unit === 'utf-16') {
      return { line, character };
    }
    const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
    let [units, taken] = [0, 0];
    for (const one of text) {
      units += lengthOf(one);
      if (units > character) {
        break;
      }
      taken += one.length;
    }
    return { line, character: taken };
  };
  const rangeAt = (document: TextDocument, start: number, end: number): Range => ({
    start: toUnits(document, document.positionAt(start)),
    end: toUnits(document, document.positionAt(end)),
  });
  return {
    offsetAt: (document, position) => document.offsetAt(fromUnits(document, position)),
    rangeAt,
    rangeOf: (source, { start, end }) =>
      rangeAt(documentOf(source), offsetOf(source, start), offsetOf(source, end)),
    update: (document, changes, version) => {
      let updated = document;
      for (const change of changes) {
        const placed =
          'range' in change
            ? {
                text: change.text,
                range: {
                  start: fromUnits(updated, change.range.start),
                  end: fromUnits(updated, change.range.end),
                },
              }
            : change;
        updated = TextDocument.update(updated, [placed], version);
      }
      return updated;
    },
  };
}
