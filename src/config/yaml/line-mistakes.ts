import { ODD_BLANKS } from '../../expression/index.ts';
import { counted } from '../../text/index.ts';

/** A slip of the keyboard that a line shows by itself: the line and its columns (all from 0), what the slip is, and how to mend it. */
export interface LineMistake {
  readonly line: number;
  readonly from: number;
  readonly until: number;
  readonly message: string;
  readonly hint: string;
  /** The line stands in a column of its own, so it is unknown what the lines near it belong to. */
  readonly isAstray?: true;
}

/**
 * Returns the first slip by which YAML loses its way: it is the cause, and seldom what the parser complains about. A line may be as long as a
 * file, so no pattern may have parts that could share blanks among them: it would never end.
 */
export function firstMistake(lines: readonly string[]): LineMistake | undefined {
  /** Columns of the keys and items of the mappings and lists that are open. */
  let columns: readonly number[] = [];
  let isOpen = true;
  for (const [number, text] of lines.entries()) {
    const blank = otherBlank(text, number);
    if (blank !== undefined) {
      return blank;
    }
    const shape = shapeOf(text);
    if (shape === undefined) {
      continue;
    }
    if (shape === 'lost') {
      const mistake = isOpen
        ? undefined
        : (missingColon(text, number, columns) ?? commentInside(lines[number - 1] ?? '', text, number - 1));
      if (mistake !== undefined) {
        return mistake;
      }
      // Texts on lines of their own, and brackets or quotes over several lines, follow other rules.
      return undefined;
    }
    const mistake = spacing(text, number) ?? indentation(shape, number, { columns, isOpen });
    if (mistake !== undefined) {
      return mistake;
    }
    const outer = columns.filter((column) => column < shape.indent);
    columns = [...outer, ...shape.columns];
    isOpen = shape.opens;
  }
  return undefined;
}

interface LineShape {
  readonly indent: number;
  /** Columns at which its items and its key begin. */
  readonly columns: readonly number[];
  /** Whether the value of its key follows on lines of its own. */
  readonly opens: boolean;
}

/** Returns the shape of a line with a key or an item; undefined for an empty line or a comment, `lost` for any other line. */
function shapeOf(text: string): LineShape | 'lost' | undefined {
  if (/^\s*(?:#|$)/u.test(text)) {
    return undefined;
  }
  const [, blank = '', dashes = '', key, rest = ''] =
    /^( *)((?:- +)*)(?:([\w.-]+):(?:\s+|$))?(.*)$/su.exec(text) ?? [];
  const value = rest.replace(/(?:^|\s)#.*$/su, '').trim();
  if (text.startsWith('\t') || (key === undefined && dashes === '') || isUnfinished(value)) {
    return /^\s*-\S/u.test(text) || /^\s*[\w.-]+:\S/u.test(text)
      ? { indent: blank.length, columns: [blank.length], opens: false }
      : 'lost';
  }
  const items = [...dashes.matchAll(/-/gu)].map(({ index }) => blank.length + index);
  const ofKey = key === undefined ? [] : [blank.length + dashes.length];
  return {
    indent: blank.length,
    columns: [...items, ...ofKey],
    opens: value === '' || value.startsWith('&'),
  };
}

/** Whether a value continues on the next lines. */
function isUnfinished(value: string): boolean {
  return (
    /^[|>]/u.test(value) ||
    (/^["']/u.test(value) && !/^(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')/u.test(value)) ||
    (/^[[{]/u.test(value) && !/[\]}]$/u.test(value))
  );
}

function missingColon(text: string, line: number, columns: readonly number[]): LineMistake | undefined {
  const [, blank = '', key] = /^( *)([a-z_]+) [^:=]*$/u.exec(text) ?? [];
  return key === undefined || blank.length !== columns.at(-1)
    ? undefined
    : {
        line,
        from: blank.length,
        until: blank.length + key.length,
        message: `there is no \`:\` after \`${key}\``,
        hint: `write \`${key}: \`, then the value`,
      };
}

/** Reports a comment behind a text without quotes that continues on the next line. */
function commentInside(text: string, next: string, line: number): LineMistake | undefined {
  const [whole, before = ''] = /^(\s*(?:- +)*[\w.-]+: +[^\s"'#|>{[].*?) #.*$/u.exec(text) ?? [];
  const isDeeper = next.search(/\S/u) > text.search(/[^\s-]/u);
  return whole === undefined || !isDeeper
    ? undefined
    : {
        line,
        from: before.length + 1,
        until: text.length,
        message:
          'YAML reads this as a comment, which ends the text in front of it: the next line cannot go on with it',
        hint: 'put the comment above the key; if it is a part of the text, put the whole text in single quotes',
      };
}

const ODD_BLANK = new RegExp(String.raw`^([ -]*(?:[\w.][\w.-]*:)?)[${ODD_BLANKS}]`, 'u');

/** Reports an invisible character or unusual blank, which YAML does not read as a blank, where blanks count. */
function otherBlank(text: string, line: number): LineMistake | undefined {
  const [, before] = ODD_BLANK.exec(text) ?? [];
  return before === undefined
    ? undefined
    : {
        line,
        from: before.length,
        until: before.length + 1,
        message: 'there is an invisible character or an unusual space here',
        hint: 'delete it, and write a plain space',
      };
}

function spacing(text: string, line: number): LineMistake | undefined {
  const dash = /^\s*-(?=[\w"'{[])(?![\d.])/u.exec(text);
  if (dash !== null && /:(?:\s|$)/u.test(text)) {
    const from = dash[0].length - 1;
    return {
      line,
      from,
      until: from + 2,
      message: 'there is no space after the `-` of this item',
      hint: 'an item of a list begins with `- `',
    };
  }
  const [assigned, front = '', name = ''] = /^(\s*(?:- +)*)([a-z_]+) ?=(?= ?\S)/u.exec(text) ?? [];
  if (assigned !== undefined) {
    return {
      line,
      from: front.length,
      until: assigned.length,
      message: `there is a \`=\` after \`${name}\` instead of a \`:\``,
      hint: `write \`${name}: \`, then the value`,
    };
  }
  const [opened, keyed = ''] = /^(\s*(?:- +)*[\w.-]+: +)<<-?[A-Z]\w*$/u.exec(text) ?? [];
  if (opened !== undefined) {
    return {
      line,
      from: keyed.length,
      until: opened.length,
      isAstray: true,
      message: 'YAML has no here-documents',
      hint: 'write `>-` after the key, and the text on the lines below it, indented further, without a mark at its end',
    };
  }
  const [whole, before = '', key = ''] = /^(\s*(?:- +)*)([a-z_]+):(?=[^\s:/])/u.exec(text) ?? [];
  return whole === undefined || /^[^"'#]*:\s/u.test(text)
    ? undefined
    : {
        line,
        from: before.length,
        until: whole.length,
        message: `there is no space after \`${key}:\``,
        hint: `write \`${key}: \`, then the value`,
      };
}

function indentation(
  { indent, columns: own }: LineShape,
  line: number,
  { columns, isOpen }: { readonly columns: readonly number[]; readonly isOpen: boolean },
): LineMistake | undefined {
  const innermost = columns.at(-1);
  if (innermost === undefined || columns.includes(indent) || (isOpen && indent > innermost)) {
    return undefined;
  }
  const near = [...columns].sort((a, b) => Math.abs(a - indent) - Math.abs(b - indent) || b - a)[0] ?? 0;
  return {
    line,
    from: 0,
    until: own[0] ?? indent,
    isAstray: true,
    message: `this line is indented by ${counted(indent, 'space')}, which matches no level above it`,
    hint: `keys of one mapping, and items of one list, begin in the same column: with ${counted(near, 'space')} it would line up with ${near === innermost ? 'the line above' : 'an outer level'}`,
  };
}
