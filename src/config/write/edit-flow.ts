import { isCollection } from 'yaml';
import type { JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';
import type { TextEdit } from '../source/source-text.ts';
import { commentsOf, newDocument, writeDocument } from '../format/yaml-style.ts';
import { lineStart } from './content-end.ts';

/** Returns a value on one line, in flow style. */
export function flowText(value: JsonValue): string {
  if (isJsonArray(value)) {
    return `[${value.map(flowText).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, member]) => `${flowText(key)}: ${flowText(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  const document = newDocument([value]);
  if (isCollection(document.contents)) {
    document.contents.flow = true;
  }
  return writeDocument(document).trim().slice(1, -1).trim();
}

/** The stretch of an item of a list, or of a pair of a mapping, in flow style. */
export interface FlowEntry {
  readonly start: number;
  readonly end: number;
}

/** Blanks, commas and comments before an entry. */
const BEFORE_ENTRY = /(?:[\s,]|(?<=[\s,])#[^\n]*\n)*/uy;

/** Returns the entries whose values end at `ends`, in a flow collection that opens at `open`. */
export function flowEntries(text: string, open: number, ends: readonly number[]): readonly FlowEntry[] {
  return ends.map((end, at) => {
    BEFORE_ENTRY.lastIndex = at === 0 ? open + 1 : (ends[at - 1] ?? open);
    const before = BEFORE_ENTRY.exec(text)?.[0] ?? '';
    return { start: (at === 0 ? open + 1 : (ends[at - 1] ?? open)) + before.length, end };
  });
}

/**
 * Returns the edits that keep the entries whose numbers are in `wanted`, and insert the texts of `wanted` between them. Undefined where no entry
 * stays, where entries change their order, and where a comment would be lost.
 */
export function editEntries(
  text: string,
  entries: readonly FlowEntry[],
  wanted: readonly (number | string)[],
): readonly TextEdit[] | undefined {
  const kept = wanted.filter((one) => typeof one === 'number');
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined || kept.some((one, at) => one <= (kept[at - 1] ?? -1))) {
    return undefined;
  }
  const edits: TextEdit[] = [];
  let previous = -1;
  for (const one of wanted) {
    if (typeof one === 'number') {
      previous = one;
    } else if (previous === -1) {
      const start = entries[first]?.start ?? 0;
      edits.push({ start, end: start, text: `${one}, ` });
    } else {
      const start = entries[previous]?.end ?? 0;
      edits.push({ start, end: start, text: `, ${one}` });
    }
  }
  const stays = new Set(kept);
  for (const [at, { start, end }] of entries.entries()) {
    if (at < last && !stays.has(at)) {
      const next = entries[at + 1]?.start ?? end;
      const isBare = commentsOf(text.slice(end, next)).length === 0;
      edits.push({
        ...(isBare ? { start, end: next } : withLines(text, start, text.indexOf(',', end) + 1)),
        text: '',
      });
    }
  }
  const [from, to] = [entries[last]?.end ?? 0, entries.at(-1)?.end ?? 0];
  if (commentsOf(text.slice(from, to)).length > 0) {
    return undefined;
  }
  return last === entries.length - 1 ? edits : [...edits, { start: from, end: to, text: '' }];
}

/** Extends a stretch by the blanks behind it, or to whole lines where nothing else stands on them. */
function withLines(text: string, start: number, end: number): FlowEntry {
  const line = lineStart(text, start);
  const behind = end + (/^[ \t]*/u.exec(text.slice(end))?.[0].length ?? 0);
  const isAlone = text[behind] === '\n' && text.slice(line, start).trim() === '';
  return isAlone ? { start: line, end: behind + 1 } : { start, end: behind };
}
