import { textDifference, applyEdits } from '../source/source-text.ts';
import type { TextEdit } from '../source/source-text.ts';
import type { FilledPiece, FilledText } from '../yaml/yaml-document.ts';
import { escapeVariables, variablesIn } from './template.ts';

/** A text of a file, and what it has to say instead. */
export interface FollowedText {
  /** The text as the file has it, with variables. */
  readonly written: string;
  /** The text with its variables filled in. */
  readonly filled: string;
  /** The origin of each stretch of `filled`; absent where the text has no variables. */
  readonly pieces?: FilledText | undefined;
  /** What the text has to say, without variables. */
  readonly live: string;
  /** Whether the text is a condition, in which blanks outside of strings mean nothing. */
  readonly isCondition: boolean;
}

/**
 * Returns the text of a file changed to say what is live. What both have in common stays as written, with its variables and, in a condition, its
 * blanks and line breaks; a variable goes where the text it stands for has changed. Undefined for a text that is nothing but a variable, and
 * where the result would have other variables than those that stay.
 */
export function followText({ written, filled, pieces, live, isCondition }: FollowedText): string | undefined {
  const whole = { start: 0, end: filled.length, from: 0, to: written.length, same: true };
  const all = pieces ?? [whole];
  // Alone, a variable of a condition is filled in without the parentheses that it gets beside other text.
  if (all.length === 1 && all[0]?.same === false) {
    return undefined;
  }
  const wanted = isCondition ? withEdgesOf(filled, live) : live;
  const edits = textDifference(filled, wanted).flatMap((edit) =>
    isCondition ? withoutBlanks(filled, edit) : [edit],
  );
  const placed = aroundPieces(edits, all, filled).map(({ start, end, text }) => ({
    start: startInFile(all, start),
    end: end === start ? startInFile(all, start) : endInFile(all, end),
    text: escapeVariables(text),
  }));
  const result = applyEdits(written, placed);
  const stays = (one: FilledPiece): boolean =>
    one.variable !== undefined && !placed.some(({ start, end }) => start < one.to && one.from < end);
  return variablesIn(result).length === all.filter(stays).length ? result : undefined;
}

/** Returns `other` between the leading and trailing blanks of `text`. */
function withEdgesOf(text: string, other: string): string {
  const head = text.slice(0, text.length - text.trimStart().length);
  return text.trim() === '' ? other : head + other.trim() + text.slice(text.trimEnd().length);
}

/** Trims blanks from the ends of an edit of a condition where both sides have some; returns nothing for an edit of blanks alone. */
function withoutBlanks(text: string, edit: TextEdit): readonly TextEdit[] {
  if (isInString(text, edit.start)) {
    return [edit];
  }
  const old = text.slice(edit.start, edit.end);
  if (old.trim() === '' && edit.text.trim() === '') {
    return [];
  }
  const head = blanksAt(old, edit.text, /^\s+/u);
  const tail = blanksAt(old, edit.text, /\s+$/u);
  return [
    {
      start: edit.start + head.old,
      end: edit.end - tail.old,
      text: edit.text.slice(head.fresh, edit.text.length - tail.fresh),
    },
  ];
}

/** Returns how many blanks stand at one end of two texts; none unless both have some there, and something besides. */
function blanksAt(old: string, fresh: string, end: RegExp): { readonly old: number; readonly fresh: number } {
  const [one, other] = [end.exec(old)?.[0].length ?? 0, end.exec(fresh)?.[0].length ?? 0];
  return one === 0 || other === 0 || one === old.length || other === fresh.length
    ? { old: 0, fresh: 0 }
    : { old: one, fresh: other };
}

/** Whether an offset of a condition lies in a string. */
function isInString(text: string, at: number): boolean {
  const before = text.slice(0, at).replaceAll(/\\[^]/gu, '');
  return (before.match(/"/gu)?.length ?? 0) % 2 === 1;
}

/** Joins edits that touch, and widens those that touch a variable to all the text that it stands for. */
function aroundPieces(edits: readonly TextEdit[], pieces: FilledText, text: string): readonly TextEdit[] {
  const touched = pieces.filter(
    ({ same, start, end }) => !same && edits.some((edit) => edit.start < end && start < edit.end),
  );
  const stretches: { readonly start: number; readonly end: number }[] = [];
  for (const { start, end } of [...edits, ...touched].sort((a, b) => a.start - b.start)) {
    const last = stretches.at(-1);
    if (last === undefined || start > last.end) {
      stretches.push({ start, end });
    } else {
      stretches[stretches.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    }
  }
  return stretches.map(({ start, end }) => ({
    start,
    end,
    text: applyEdits(
      text.slice(start, end),
      edits.flatMap((edit) =>
        start <= edit.start && edit.end <= end
          ? [{ start: edit.start - start, end: edit.end - start, text: edit.text }]
          : [],
      ),
    ),
  }));
}

function startInFile(pieces: FilledText, offset: number): number {
  const piece = pieces.find(({ end }) => offset < end) ?? pieces.at(-1);
  if (piece === undefined) {
    return offset;
  }
  if (piece.same) {
    return piece.from + offset - piece.start;
  }
  return offset <= piece.start ? piece.from : piece.to;
}

function endInFile(pieces: FilledText, offset: number): number {
  const piece = pieces.find(({ end }) => offset <= end) ?? pieces.at(-1);
  return piece === undefined ? offset : piece.same ? piece.from + offset - piece.start : piece.to;
}
