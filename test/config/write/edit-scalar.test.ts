import { describe, expect, test } from 'vitest';
import { isMap, parseDocument } from 'yaml';
import type { Node } from 'yaml';
import { jsonEqual } from '../../../src/data/json.ts';
import { applyEdits } from '../../../src/config/source/source-text.ts';
import { editScalar } from '../../../src/config/write/edit-file.ts';

/** The file after an edit of its key `a` in place; undefined if `editScalar` makes no edit. A wrong result is marked in the text. */
function edited(text: string, next: string): string | undefined {
  const document = parseDocument(text);
  const now: unknown = document.get('a');
  const node = toNode(document.contents, document.get('a', true));
  const edits = editScalar(text, node, { now: String(now), next });
  const result = edits === undefined ? undefined : applyEdits(text, edits);
  const isRight =
    result === undefined || jsonEqual(parseDocument(result).toJS(), { ...document.toJS(), a: next });
  return isRight ? result : `${result} says something else`;
}

function toNode(root: unknown, value: unknown): Node {
  const pair = isMap<Node, Node>(root) ? root.items.find((one) => one.value === value) : undefined;
  if (pair?.value === undefined || pair.value === null) {
    throw new Error('no such key');
  }
  return pair.value;
}

const FOLDED = 'a: >-  # why\n    http.host eq "x"\n    and ssl\n\nb: 1 # end\n';

describe('editScalar', () => {
  test('changes a word in a folded block, and keeps its lines', () => {
    expect(edited(FOLDED, 'http.host eq "y" and ssl')).toBe(FOLDED.replace('"x"', '"y"'));
    expect(edited(FOLDED, 'http.host eq "x" and not ssl')).toBe(FOLDED.replace('ssl', 'not ssl'));
  });

  test('removes lines of a folded block, and extends the last one', () => {
    expect(edited(FOLDED, 'http.host eq "x"')).toBe(FOLDED.replace('\n    and ssl', ''));
    expect(edited(FOLDED, 'ssl')).toBe('a: >-  # why\n    ssl\n\nb: 1 # end\n');
    expect(edited('a: >\n  one\n  two\n\n  three\nb: 1\n', 'one two\n')).toBe('a: >\n  one\n  two\nb: 1\n');
    expect(edited(FOLDED, 'http.host eq "x" and ssl and true')).toBe(
      FOLDED.replace('and ssl', 'and ssl and true'),
    );
  });

  test('folds a line of a folded block that gets too long', () => {
    const hosts = Array.from({ length: 12 }, (_, at) => `"host-${at}.example"`).join(' ');
    const lines = edited(FOLDED, `http.host in {${hosts}} and ssl`)?.split('\n') ?? [];
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
    expect(lines).toHaveLength(FOLDED.split('\n').length + 2);
  });

  test('changes and adds lines in a literal block, but not its last line break', () => {
    const text = 'a: |\n  one or\n  two\nb: 1\n';
    expect(edited(text, 'one or\nthree or\nfour\n')).toBe('a: |\n  one or\n  three or\n  four\nb: 1\n');
    expect(edited(text, 'one or\ntwo')).toBeUndefined();
  });

  test('changes text in single and double quotes, except with an escaped tab', () => {
    expect(edited("a: 'it''s one' # why\n", "it's two")).toBe("a: 'it''s two' # why\n");
    expect(edited('a: "tab\\t and one"\n', 'tab\t and "two"')).toBeUndefined();
    expect(edited('a: "it is one"\n', 'it is "two"')).toBe('a: "it is \\"two\\""\n');
  });

  test('changes a plain scalar of several lines if the result is still a plain scalar', () => {
    expect(edited('a: one or\n  two\n', 'one or three')).toBe('a: one or\n  three\n');
    expect(edited('a: one or\n  two\n', 'one or: three')).toBeUndefined();
    expect(edited('a: one or\n  two\n', 'one or #three')).toBeUndefined();
  });

  test('makes no edit in a plain scalar of one line, or when nothing of the text stays', () => {
    expect(edited('a: one and\n', 'one or')).toBeUndefined();
    expect(edited('a: "012"\n', 'two')).toBeUndefined();
    expect(edited(FOLDED, 'one two')).toBeUndefined();
  });
});
