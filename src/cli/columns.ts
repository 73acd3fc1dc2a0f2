/** Width of help texts, in columns. */
const WIDTH = 80;

/** Two texts side by side: a name, and what it does. */
export type ColumnPair = readonly [left: string, right: string];

/** Wraps prose to the width of help. Empty lines, and lines that begin with a blank, stay as they are. */
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

/** Formats rows in two columns; a left side wider than `most` gets a line of its own. */
export function twoColumns(rows: readonly ColumnPair[], most: number): string {
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

/** Breaks a text at blanks; a word wider than `width` stands alone. */
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
