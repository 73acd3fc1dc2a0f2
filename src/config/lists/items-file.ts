import { CsvError, parse } from 'csv-parse/sync';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject, objectOf } from '../../data/index.ts';
import type { Diagnostic, ListKind, SourceSpan } from '../../model/index.ts';
import { LIST_ITEM_FIELDS } from '../../model/index.ts';
import { didYouMean, oneOfThese } from '../schema/suggest.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';

/** An item as a file has it, with its line. */
export interface WrittenItem {
  readonly value: JsonValue;
  readonly where: SourceSpan;
}

/** The items of a file, and what is wrong with the file as such. */
export interface ItemsFile {
  readonly items: readonly WrittenItem[];
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
    return { items: [], diagnostics: [] };
  }
  return source.path.endsWith('.csv') || names.includes(key)
    ? readTable(source, kind, first)
    : readLines(source, kind, lines);
}

function readLines(source: SourceText, kind: ListKind, lines: readonly string[]): ItemsFile {
  if (kind === 'redirect') {
    return failed('a redirect is more than one value', source, 1, tableHint(kind));
  }
  const items = lines.flatMap((line, index): readonly WrittenItem[] => {
    // A comment may also stand behind a value; no value of these kinds has a `#` in it.
    const value = line.replace(/(?:^|\s)#.*$/u, '').trim();
    return value === '' ? [] : [{ value, where: lineAt(source, index + 1) }];
  });
  return { items, diagnostics: [] };
}

function readTable(source: SourceText, kind: ListKind, first: number): ItemsFile {
  const fields = LIST_ITEM_FIELDS[kind];
  try {
    const rows: unknown = parse(source.text, {
      bom: true,
      comment: '#',
      comment_no_infix: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    const [header, ...rest] = Array.isArray(rows) ? rows.map(rowOf) : [];
    const names = header?.cells ?? [];
    const wrong = names.find((name) => !fields.includes(name));
    if (wrong !== undefined || !names.includes(fields[0])) {
      const problem =
        wrong === undefined
          ? `the header row lacks ${fields[0]}`
          : `${JSON.stringify(wrong)} is no field of such items`;
      const hint = wrong === undefined ? undefined : didYouMean(wrong, fields);
      return failed(problem, source, first + 1, hint ?? tableHint(kind));
    }
    const items = rest.map(({ cells, line }) => ({
      value: itemOf(names, cells),
      where: lineAt(source, line),
      isLong: cells.length > names.length,
    }));
    const long = items.filter(({ isLong }) => isLong);
    return {
      items: items.filter(({ isLong }) => !isLong),
      diagnostics: long.map(({ where }) =>
        finding('list/items-file', {
          message: 'the row has more cells than the header row has names',
          hint: 'put a value that contains a comma into double quotes',
          where,
        }),
      ),
    };
  } catch (error) {
    if (error instanceof CsvError) {
      const line = Number(objectOf(plain(error))['lines'] ?? 1);
      return failed(
        'this is not CSV: a quoted value does not end, or a quote stands within a value',
        source,
        line,
        'put the whole value into double quotes, and write a quote in it twice',
      );
    }
    throw error;
  }
}

function plain({ lines }: CsvError): JsonObject {
  return typeof lines === 'number' ? { lines } : {};
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Reads what the parser says of a row: its cells, and the line on which it ends. */
function rowOf(row: unknown): Row {
  const { record, info } = isJsonObject(row) ? row : { record: [], info: {} };
  const { lines } = objectOf(info ?? {});
  const cells = Array.isArray(record) ? record.map(String) : [];
  const breaks = cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
  return { cells, line: (typeof lines === 'number' ? lines : 1) - breaks };
}

function itemOf(names: readonly string[], cells: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
}

function tableHint(kind: ListKind): string {
  const [key, ...more] = LIST_ITEM_FIELDS[kind];
  return `begin a CSV file with a row that names its fields: ${key}, and any of ${oneOfThese(more, 'and')}`;
}

function failed(message: string, source: SourceText, line: number, hint: string): ItemsFile {
  return {
    items: [],
    diagnostics: [finding('list/items-file', { message, hint, where: lineAt(source, line) })],
  };
}

function lineAt({ path, text, lineStarts }: SourceText, line: number): SourceSpan {
  const start = lineStarts[line - 1] ?? 0;
  const end = lineStarts[line] ?? text.length + 1;
  const length = text.slice(start, end).trimEnd().length;
  return { file: path, start: { line, column: 1 }, end: { line, column: Math.max(2, length + 1) } };
}
