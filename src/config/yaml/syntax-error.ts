import type { YAMLError } from 'yaml';
import type { SourceText } from '../source/source-text.ts';

/** Whether an error is at a variable without quotes. */
export function isVariable({ text }: SourceText, { pos: [start] }: YAMLError): boolean {
  return text.slice(start - 1, start + 1) === '${';
}

/** Whether an error is about a line in a wrong column: all errors about the structure of later lines only follow from it. */
export function isAstray(error: YAMLError | undefined): boolean {
  return error?.code === 'BAD_INDENT' || (error !== undefined && ITEM_BELOW_KEY.test(error.message));
}

/** The parser's message about an item that stands below a key. */
export const ITEM_BELOW_KEY = /^A block sequence may not be used as an implicit map key/u;

/** Returns the offset of the quotation mark that nothing closes; the parser's error points to the end of the file. */
export function unclosed(source: SourceText, { message, pos: [end] }: YAMLError): number | undefined {
  const [, mark] = /^Missing closing (["'])quote/u.exec(message) ?? [];
  if (mark === undefined) {
    return undefined;
  }
  const text = mark === '"' ? /"(?:\\.?|[^"\\])*("|$)/gsu : /'(?:''|[^'])*('|$)/gu;
  const lines = source.text.slice(0, end).split('\n');
  for (const [line, written] of [...lines.entries()].reverse()) {
    const open = [...written.matchAll(text)].find(([, closing]) => closing === '');
    if (open !== undefined) {
      return (source.lineStarts[line] ?? 0) + open.index;
    }
  }
  return undefined;
}
