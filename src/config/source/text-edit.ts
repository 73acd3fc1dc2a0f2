/** A stretch of a file, by offsets in UTF-16 units, and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits, none of which may touch another. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  let text = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    text += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + source.slice(at);
}

/** Returns all edits; undefined where one of them could not be placed. */
export function allPlaced(
  edits: readonly (TextEdit | readonly TextEdit[] | undefined)[],
): readonly TextEdit[] | undefined {
  return edits.includes(undefined) ? undefined : edits.flatMap((one) => one ?? []);
}
