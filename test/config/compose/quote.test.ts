import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillExpression } from '../../../src/config/compose/fill-text.ts';
import { escapeVariables, parseTemplate } from '../../../src/config/compose/template.ts';
import type { VariableContent } from '../../../src/config/compose/pack.ts';
import { parseExpression } from '../../../src/expression/public.ts';
import type { JsonValue } from '../../../src/data/json.ts';
import { propertyRuns } from '../../property-runs.ts';

const WHERE = { file: 'a.yaml', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

function filled(template: string, values: Readonly<Record<string, VariableContent>>): string | undefined {
  return fillExpression(template, {
    find: (name) => {
      const content = values[name];
      return content === undefined ? undefined : { name, content, where: WHERE };
    },
    use: () => {},
    report: () => {},
  })?.value;
}

function value(text: string | number | readonly (string | number)[]): VariableContent {
  return { kind: 'value', value: text };
}

/** The string literals of an expression, in order, as binary strings. */
function literalsOf(expression: string): readonly string[] {
  const parsed = parseExpression(expression);
  if (!parsed.ok) {
    throw new Error(`${expression}: ${parsed.error.message}`);
  }
  const found: string[] = [];
  JSON.stringify(parsed.tree, (_key, node: JsonValue | bigint) => {
    if (
      typeof node === 'object' &&
      node !== null &&
      'kind' in node &&
      node['kind'] === 'bytes' &&
      'value' in node &&
      typeof node['value'] === 'string'
    ) {
      found.push(node['value']);
    }
    return typeof node === 'bigint' ? String(node) : node;
  });
  return found;
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

const HARD = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '#',
      'r',
      '{',
      '}',
      '$',
      '\n',
      '\0',
      '\u{7f}',
      'é',
      '😀',
      'x41',
      ')',
      ' or ssl',
    ),
  }),
);

describe('a text value in an expression stays one literal', () => {
  test('without quotes around the variable', () => {
    fc.assert(
      fc.property(HARD, (text) => {
        const expression = filled('http.host eq ${a} and ssl', { a: value(text) }) ?? '';
        expect(literalsOf(expression)).toEqual([bytesOf(text)]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test('inside a quoted literal, between other text', () => {
    fc.assert(
      fc.property(HARD, HARD, (a, b) => {
        const expression = filled('http.host eq "<${a}|${b}>" and ssl', { a: value(a), b: value(b) }) ?? '';
        expect(literalsOf(expression)).toEqual([bytesOf(`<${a}|${b}>`)]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test('for each item of a list', () => {
    fc.assert(
      fc.property(fc.array(HARD, { minLength: 1 }), (texts) => {
        const expression =
          filled('http.host in ${a} or http.host in {"x" ${a} "y"}', { a: value(texts) }) ?? '';
        const items = texts.map((text) => bytesOf(text));
        expect(literalsOf(expression)).toEqual([...items, 'x', ...items, 'y']);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test.each([
    [String.raw`"\x4${'$'}{a}"`, undefined],
    [String.raw`"\x${'$'}{a}1"`, undefined],
    [String.raw`"\1${'$'}{a}"`, undefined],
    [String.raw`"\10${'$'}{a}"`, undefined],
    [String.raw`"\x41${'$'}{a}"`, 'A1'],
    [String.raw`"\101${'$'}{a}"`, 'A1'],
    [String.raw`"\\x4${'$'}{a}"`, String.raw`\x41`],
  ])('or is refused right behind an unfinished escape: %s', (literal, meant) => {
    const expression = filled(`http.host eq ${literal}`, { a: value('1') });
    expect(expression === undefined ? undefined : literalsOf(expression)[0]).toBe(meant);
  });

  test('in a raw literal that follows its operator without a blank', () => {
    const expression = filled('http.host eqr"<${a}>"', { a: value(String.raw`a\b`) }) ?? '';
    expect(literalsOf(expression)).toEqual([String.raw`<a\b>`]);
  });

  test('in a raw literal or a regular expression, or it is refused', () => {
    const templates = [
      'http.host eq r"<${a}>"',
      'http.host eqr"<${a}>"',
      'http.host matchesr#"<${a}>"#',
      'http.host eq r##"<"#${a}>"##',
      'http.host matches "<${a}>"',
    ];
    fc.assert(
      fc.property(HARD, fc.constantFrom(...templates), (text, template) => {
        const expression = filled(template, { a: value(text) });
        fc.pre(expression !== undefined);
        const parsed = parseExpression(expression ?? '');
        const plain = parseExpression(filled(template, { a: value('a') }) ?? '');
        // The tree differs in the literal only, so no part of the value became code.
        expect(plain.ok).toBe(true);
        expect(parsed.ok ? shapeOf(parsed.tree) : 'wrong pattern').toEqual(
          parsed.ok && plain.ok ? shapeOf(plain.tree) : 'wrong pattern',
        );
      }),
      { numRuns: propertyRuns() },
    );
  });
});

function shapeOf(tree: object): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, node: unknown) =>
      ['value', 'pattern', 'text', 'span', 'spans', 'form', 'regex', 'compiled'].includes(key)
        ? undefined
        : node,
    ),
  );
}

describe('values in expressions', () => {
  test.each([
    ['a number', 'cf.waf.score lt ${a}', 20, 'cf.waf.score lt 20'],
    ['a list of numbers', 'ip.src.asnum in ${a}', [64496, 64497], 'ip.src.asnum in {64496 64497}'],
    ['addresses', 'ip.src in ${a}', ['192.0.2.1', '2001:db8::/32'], 'ip.src in {192.0.2.1 2001:db8::/32}'],
    ['one address', 'ip.src eq ${a}', '192.0.2.1', 'ip.src eq 192.0.2.1'],
    [
      'addresses among others',
      'not ip.src in {10.0.0.1 ${a}}',
      ['192.0.2.1'],
      'not ip.src in {10.0.0.1 192.0.2.1}',
    ],
    [
      'what looks like an address and is a text',
      'http.host in ${a}',
      ['192.0.2.1'],
      'http.host in {"192.0.2.1"}',
    ],
    ['what is no address', 'ip.src in ${a}', ['x} or ssl'], 'ip.src in {"x} or ssl"}'],
    ['a pattern', 'http.host matches ${a}', '^"a\\.b"$', 'http.host matches r#"^"a\\.b"$"#'],
    ['a key', 'http.request.headers[${a}][0] eq "1"', 'x-a', 'http.request.headers["x-a"][0] eq "1"'],
    ['a number in a literal', 'http.host eq "a${a}.example"', 1, 'http.host eq "a1.example"'],
    ['a pattern in a raw literal', 'http.host matches r"^${a}$"', 'a\\.b', 'http.host matches r"^a\\.b$"'],
    ['no item', 'http.host in ${a}', [], 'http.host in {}'],
    ['a number among texts', 'http.host in ${a}', ['x', 1], undefined],
    ['a text among numbers', 'ip.src.asnum in ${a}', [64496, 'x'], undefined],
    // A lone surrogate has no UTF-8 form.
    ['half a character', 'http.host eq ${a}', '\ud800', undefined],
    ['half a character among others', 'http.host in ${a}', ['x', '\ud800'], undefined],
    ['half a character in a literal', 'http.host eq "<${a}>"', '\ud800', undefined],
    // A bracket, brace or quotation mark inside a literal does not end the literal or the set.
    [
      'behind a bracket in a text',
      'http.host eq "[${a}" and http.host ne ${a}',
      'x',
      'http.host eq "[x" and http.host ne "x"',
    ],
    [
      'behind a quotation mark in a class of a pattern',
      'http.host matches "[^"]${a}" and http.host ne ${a}',
      'x',
      'http.host matches "[^"]x" and http.host ne "x"',
    ],
    [
      'behind a quotation mark in a raw literal',
      'http.host eq r#"a"b${a}"# and http.host ne ${a}',
      'x',
      'http.host eq r#"a"bx"# and http.host ne "x"',
    ],
    ['a number sign in a raw literal', 'http.host eq r"<${a}>"', 'a#b', 'http.host eq r"<a#b>"'],
    ['what may end a raw literal', 'http.host eq r#"<${a}>"#', 'a#b', undefined],
    [
      'behind a set',
      'http.host in {"a"} and ip.src in ${a}',
      ['192.0.2.1'],
      'http.host in {"a"} and ip.src in {192.0.2.1}',
    ],
    [
      'in a set behind a brace in a literal',
      'http.host in {"}" ${a}}',
      ['x', 'y'],
      'http.host in {"}" "x" "y"}',
    ],
    [
      'behind a brace in a literal',
      'http.host eq "{" and ip.src in ${a}',
      ['192.0.2.1'],
      'http.host eq "{" and ip.src in {192.0.2.1}',
    ],
  ] as const)('%s', (_, template, given, expected) => {
    expect(filled(template, { a: value(given) })).toBe(expected);
  });

  test.each([
    ['is kept together', 'ssl and not ${a}', 'ssl and not (http.host eq "a" or ssl)'],
    ['stays as it is where it is the whole', '${a}', 'http.host eq "a" or ssl'],
    ['is no text', 'http.host ne "${a}"', undefined],
  ])('a parameter of type expression %s', (_, template, expected) => {
    expect(filled(template, { a: { kind: 'expression', text: 'http.host eq "a" or ssl' } })).toBe(expected);
  });

  test.each([
    ['what an asterisk stood for', 'wildcard_replace(http.host, "*.a", "${1}.b")'],
    ['a list of the service', 'ip.src in $office'],
    ['braces of a pattern', 'http.host matches "^a{2}$"'],
  ])('%s stays as it is', (_, expression) => {
    expect(filled(expression, {})).toBe(expression);
  });

  test('a variable after two dollar signs is text', () => {
    expect(filled('http.host eq "$${a}"', {})).toBe('http.host eq "${a}"');
  });
});

describe('escapeVariables', () => {
  test('makes any text a template without variables that says the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '1', ' ') }), (text) => {
        const parts = parseTemplate(escapeVariables(text));
        expect(parts.every(({ kind }) => kind === 'text')).toBe(true);
        expect(parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')).toBe(text);
      }),
      { numRuns: propertyRuns(), examples: [['$${1}'], ['$$${1}']] },
    );
  });
});
