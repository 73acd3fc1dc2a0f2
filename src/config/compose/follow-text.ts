import { textDifference } from '../source/text-difference.ts';
import { applyEdits } from '../source/text-edit.ts';
import type { TextEdit } from '../source/text-edit.ts';
import type { FilledPiece, FilledText } from '../yaml/yaml-document.ts';
import { escapeVariables, parseTemplate } from './template.ts';

/** A text of a file, and what it is to say. */
export interface FollowedText {
  /** As the file has it, with variables. */
  readonly written: string;
  /** With the variables put in. */
  readonly filled: string;
  /** Where each stretch of that comes from; absent where there are no variables. */
  readonly pieces?: FilledText | undefined;
  /** What it is to say, without variables. */
  readonly live: string;
  /** Whether it is a condition, in which blanks outside of strings mean nothing. */
  readonly isCondition: boolean;
}

/**
 * The text of a file as it says something else: where both are alike it stays, with its variables, and in a condition with its blanks and
 * line breaks. A variable goes where what it stands for has changed. Undefined where it cannot be told apart from what would be filled in.
 */
export function followText({ written, filled, pieces, live, isCondition }: FollowedText): string | undefined {
  const whole = { start: 0, end: filled.length, from: 0, to: written.length, same: true };
  const all = pieces ?? [whole];
  // A condition that is nothing but a variable is filled in without the parentheses that it has beside others.
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
  return variablesIn(result) === all.filter(stays).length ? result : undefined;
}

/** A text with the blanks before and behind another one. */
function withEdgesOf(text: string, other: string): string {
  const head = text.slice(0, text.length - text.trimStart().length);
  return text.trim() === '' ? other : head + other.trim() + text.slice(text.trimEnd().length);
}

function variablesIn(text: string): number {
  return parseTemplate(text).filter(({ kind }) => kind === 'variable').length;
}

/** An edit of a condition without the blanks at its ends that both sides have in some form; nothing where it is only that. */
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

/** How many blanks there are at an end of two texts, where both have some. */
function blanksAt(old: string, fresh: string, end: RegExp): { readonly old: number; readonly fresh: number } {
  const [one, other] = [end.exec(old)?.[0].length ?? 0, end.exec(fresh)?.[0].length ?? 0];
  return one === 0 || other === 0 || one === old.length || other === fresh.length
    ? { old: 0, fresh: 0 }
    : { old: one, fresh: other };
}

/** Whether a place of a condition lies in a string. */
function isInString(text: string, at: number): boolean {
  const before = text.slice(0, at).replaceAll(/\\[^]/gu, '');
  return (before.match(/"/gu)?.length ?? 0) % 2 === 1;
}

/** The edits, those that touch a variable with the whole of what it stands for. */
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
