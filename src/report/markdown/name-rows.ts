/** So many names stand in a row. */
const IN_A_ROW = 20;

/** Finished names in rows, so that a list of any length can be cut between two of them. */
export function nameRows(names: readonly string[]): readonly string[] {
  return Array.from({ length: Math.ceil(names.length / IN_A_ROW) }, (_, row) =>
    names.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW).join(', '),
  );
}
