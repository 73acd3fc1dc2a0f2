import { CsvError, parse } from 'csv-parse/sync';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject, objectOf } from '../../data/index.ts';
import type { Diagnostic, ListKind, SourceSpan } from '../../model/index.ts';
import { LIST_ITEM_FIELDS } from '../../model/index.ts';
import { didYouMean, oneOfThese } from '../schema/suggest.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';

/** The items of a file, and what is wrong with the file as such. */
export interface ItemsFile {
  readonly values: readonly JsonValue[];
  /** The fields that its header row names; null for one value on each line. */
  readonly fields: readonly string[] | null;
  /** Returns where an item stands; only refused items are asked for, since a hundred thousand places would cost more than the items. */
  readonly where: (index: number) => SourceSpan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a file of list items: CSV with a header row of field names, or one value on each line. It is CSV where its name ends with `.csv`, or its
 * first line names the fields. Empty lines and lines that begin with `#` count for nothing.
 */
export function readItemsFile(source: SourceText, kind: ListKind): ItemsFile {
  const lines = source.text.split(/\r?\n/u);
  const first = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  const [key] = LIST_ITEM_FIELDS[kind];
  const names = (lines[first] ?? '').split(',').map((name) => name.trim().replaceAll('"', ''));
  if (first === -1) {
    return {
      values: [],
      fields: null,
      where: () => lineAt(source, 1),
      diagnostics: [],
    };
  }
  return source.path.endsWith('.csv') || names.includes(key)
    ? readTable(source, kind, first)
    : readLines(source, kind, lines);
}

function readLines(source: SourceText, kind: ListKind, lines: readonly string[]): ItemsFile {
  if (kind === 'redirect') {
    return failed('a redirect is more than one value', source, 1, tableHint(kind));
  }
  const values: string[] = [];
  const numbers: number[] = [];
  lines.forEach((line, index) => {
    // A comment may also stand behind a value; no value of these kinds has a `#` in it.
    const value = line.replace(/(?:^|\s)#.*$/u, '').trim();
    if (value !== '') {
      values.push(value);
      numbers.push(index + 1);
    }
  });
  return {
    values,
    fields: null,
    where: (index) => lineAt(source, numbers[index] ?? 1),
    diagnostics: [],
  };
}

/** How CSV is read: rows of texts, without comments and empty lines. */
const CSV = {
  bom: true,
  comment: '#',
  comment_no_infix: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
} as const;

function readTable(source: SourceText, kind: ListKind, first: number): ItemsFile {
  const fields = LIST_ITEM_FIELDS[kind];
  try {
    const rows: unknown = parse(source.text, CSV);
    const [names = [], ...rest] = Array.isArray(rows) ? rows.map(cellsOf) : [];
    const wrong = names.find((name) => !fields.includes(name));
    if (wrong !== undefined || !names.includes(fields[0])) {
      const problem =
        wrong === undefined
          ? `the header row lacks ${fields[0]}`
          : `${JSON.stringify(wrong)} is no field of such items`;
      const hint = wrong === undefined ? undefined : didYouMean(wrong, fields);
      return failed(problem, source, first + 1, hint ?? tableHint(kind));
    }
    let lines: readonly number[] | undefined;
    const where = (index: number): SourceSpan => {
      lines ??= linesOfRows(source.text);
      return lineAt(source, lines[index + 1] ?? 1);
    };
    return {
      values: rest.map((cells) => itemOf(names, cells)),
      fields: names,
      where,
      diagnostics: rest.flatMap((cells, index) =>
        cells.length <= names.length
          ? []
          : [
              finding('list/items-file', {
                message: 'the row has more cells than the header row has names',
                hint: 'put a value that contains a comma into double quotes',
                where: where(index),
              }),
            ],
      ),
    };
  } catch (error) {
    if (error instanceof CsvError) {
      return failed(
        'this is not CSV: a quoted value does not end, or a quote stands within a value',
        source,
        lineOfBrokenRow(source.text),
        'put the whole value into double quotes, and write a quote in it twice',
      );
    }
    throw error;
  }
}

/** Returns the line on which the row begins that cannot be read: the first after those that can. The parser only knows where it gave up. */
function lineOfBrokenRow(text: string): number {
  const plain = withPlainLineEnds(text);
  let last = 0;
  try {
    parse(plain, {
      ...CSV,
      on_record: (_, { lines }) => {
        last = lines;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error;
    }
  }
  const behind = plain.split('\n').slice(last);
  const offset = behind.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  return last + Math.max(0, offset) + 1;
}

/** The parser counts a line end of two characters twice where it stands within a value. */
function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function cellsOf(row: unknown): readonly string[] {
  return isTexts(row) ? row : [];
}

function isTexts(row: unknown): row is readonly string[] {
  return Array.isArray(row) && row.every((cell) => typeof cell === 'string');
}

/** Returns the line on which each row begins, the header row first. */
function linesOfRows(text: string): readonly number[] {
  const rows: unknown = parse(withPlainLineEnds(text), { ...CSV, info: true });
  return (Array.isArray(rows) ? rows : []).map((row: unknown) => {
    const { record, info } = isJsonObject(row) ? row : { record: [], info: {} };
    const { lines } = objectOf(info ?? {});
    const breaks = cellsOf(record).reduce((count, cell) => count + cell.split('\n').length - 1, 0);
    return (typeof lines === 'number' ? lines : 1) - breaks;
  });
}

function itemOf(names: readonly string[], cells: readonly string[]): JsonObject {
  const item: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    item[name] = cells[index] ?? '';
  }
  return item;
}

function tableHint(kind: ListKind): string {
  const [key, ...more] = LIST_ITEM_FIELDS[kind];
  return `begin a CSV file with a row that names its fields: ${key}, and any of ${oneOfThese(more, 'and')}`;
}

function failed(message: string, source: SourceText, line: number, hint: string): ItemsFile {
  return {
    values: [],
    fields: null,
    where: () => lineAt(source, line),
    diagnostics: [finding('list/items-file', { message, hint, where: lineAt(source, line) })],
  };
}

function lineAt({ path, text, lineStarts }: SourceText, line: number): SourceSpan {
  const start = lineStarts[line - 1] ?? 0;
  const end = lineStarts[line] ?? text.length + 1;
  const length = text.slice(start, end).trimEnd().length;
  return { file: path, start: { line, column: 1 }, end: { line, column: Math.max(2, length + 1) } };
}
