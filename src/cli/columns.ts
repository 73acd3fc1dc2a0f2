/** Columns that help fits. */
const WIDTH = 80;

/** Two texts side by side: what it is called, and what it does. */
export type Row = readonly [left: string, right: string];

/** Prose in lines that fit. What begins with a blank, and an empty line, stays as it is. */
export function proseLines(text: string): string {
  const blocks: string[][] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    const isProse = line !== '' && !line.startsWith(' ');
    if (!isProse) {
      blocks.push([line]);
      open = undefined;
    } else if (open === undefined) {
      open = [line];
      blocks.push(open);
    } else {
      open.push(line);
    }
  }
  return blocks.flatMap((block) => wrap(block.join(' '), WIDTH)).join('\n');
}

/** Rows in two columns; a left side that is wider than `most` has a line of its own. */
export function twoColumns(rows: readonly Row[], most: number): string {
  const width = Math.min(Math.max(...rows.map(([left]) => left.length)), most);
  return rows
    .flatMap(([left, right]) => {
      const [first = '', ...rest] = wrap(right, WIDTH - width - GAP.length * 2);
      const beside = rest.map((line) => [' '.repeat(width), line] as const);
      return left.length > width
        ? [[left, ''] as const, [' '.repeat(width), first] as const, ...beside]
        : [[left.padEnd(width), first] as const, ...beside];
    })
    .map(([left, right]) => `${`${GAP}${left}${GAP}${right}`.trimEnd()}\n`)
    .join('');
}

const GAP = '  ';

/** A text cut at blanks; a word that is wider stands alone. */
function wrap(text: string, width: number): readonly string[] {
  if (text.startsWith(' ')) {
    return [text];
  }
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
