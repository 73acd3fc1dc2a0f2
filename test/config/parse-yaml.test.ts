import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Composer, parse } from 'yaml';
import type { YAMLError } from 'yaml';
import { compose, explainSyntax, readTokens, parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { YAML_LIMITS } from '../../src/config/yaml/read-value.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import { propertyRuns } from '../property-runs.ts';

const WORDS = [
  'null',
  'Null',
  'NULL',
  '~',
  'true',
  'True',
  'FALSE',
  'no',
  'y',
  '0o17',
  '0x1F',
  '12',
  '1e3',
  '.5',
];
const MORE = [
  '.inf',
  '.NaN',
  'name',
  'text',
  'False',
  '-1',
  '+2',
  '1.5',
  'on',
  '007',
  '/path',
  '(ssl)',
  '$list',
  '<<',
];

/** Words that YAML may read as other than text, and texts that begin with them. */
const plainScalars = fc
  .tuple(fc.constantFrom(...WORDS, ...MORE), fc.constantFrom('', '', 's', '0', '.', '_', ' x'))
  .map((parts) => parts.join(''));

test('parseYaml reads a plain scalar as the YAML core schema does', () => {
  fc.assert(
    fc.property(plainScalars, (value) => {
      const text = `a: ${value}\n`;
      const { document } = parseYaml(sourceText('a.yaml', text));
      fc.pre(document !== undefined);
      expect(document.value).toEqual(parse(text, { schema: 'core', version: '1.2' }));
    }),
    { numRuns: propertyRuns() },
  );
});

const LINES = [
  'a: 1',
  'b: [1, 2]',
  'c:',
  '- d',
  '- e: 1',
  'f: "g"',
  'h: { i: 1 }',
  'k',
  'l: [',
  "m: '",
  '# n',
  '',
  '---',
];

/** Lines with random indentation and empty lines, as after an editing slip. */
const slippedTexts = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 4), fc.constantFrom(...LINES)), {
    minLength: 1,
    maxLength: 8,
  })
  .map((lines) => lines.map(([indent, line]) => `${' '.repeat(indent)}${line}\n`).join(''));

test('parseYaml returns a document or an error, and never both', () => {
  fc.assert(
    fc.property(slippedTexts, (text) => {
      const { document, diagnostics } = parseYaml(sourceText('a.yaml', text));
      expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(document === undefined);
    }),
    { numRuns: propertyRuns() * 5 },
  );
});

test.each([
  ['a: 1\n  b: 1\n', 2],
  ['a: 1\n\n  b: 1\n', 3],
  ['a: 1\n\n# Ours\n\n  b: 1\n', 5],
  ['a: [b]\n\n  c: { d: e }\n', 3],
  ['a:\n  b: 1\n\n   c: 1\n', 4],
])('parseYaml reports a line after empty ones that is indented too far: %j', (text, line) => {
  const { diagnostics } = parseYaml(sourceText('a.yaml', text));
  expect(diagnostics.map(({ where }) => where?.start.line)).toEqual([line]);
});

test.each(['}\n', 'a: [b} c\n', '- a\nb\n', 'a: >-\nx\n'])(
  'of a file of nothing but %j a bounded number of errors is looked at',
  (line) => {
    const source = sourceText('a.yaml', line.repeat(4000));
    const read = readTokens(source.text);
    const tokens = read.kind === 'read' ? read.tokens : [];
    const documents = [...new Composer({ prettyErrors: false, logLevel: 'silent' }).compose(tokens, true)];
    const errors = documents.flatMap((document) => document.errors);
    let looks = 0;
    const counting = errors.map(
      (error) =>
        new Proxy<YAMLError>(error, {
          get: (target, key) => {
            looks += 1;
            return Reflect.get(target, key) as unknown;
          },
        }),
    );
    expect(errors.length).toBeGreaterThan(YAML_LIMITS.syntaxErrors);
    const findings = explainSyntax({ source, tokens }, counting);
    expect(findings.length).toBeLessThanOrEqual(YAML_LIMITS.syntaxFindings);
    expect(findings).not.toEqual([]);
    expect(looks).toBeLessThan(50 * YAML_LIMITS.syntaxErrors);
  },
);

test.each([
  ['escapes', (line: number) => `k${line}: "\\q"\n`],
  ['brackets', () => ']\n'],
  ['documents', () => 'a: "b" c\n---\n'],
  ['commas', (line: number) => (line === 0 ? 'a: [' : ', ,')],
])('the parser is stopped after so many errors that nobody looks at more: %s', (_, lineOf) => {
  const source = sourceText(
    'zone.yaml',
    Array.from({ length: 2000 }, (_line, line) => lineOf(line)).join(''),
  );
  const read = readTokens(source.text);
  expect(read.kind).toBe('read');
  const { errors } = compose(read.kind === 'read' ? read.tokens : [], source);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(YAML_LIMITS.syntaxErrors);
  expect(parseYaml(source).diagnostics.length).toBeLessThanOrEqual(YAML_LIMITS.syntaxFindings);
});

test.each([
  ['keys that appear twice', 'yaml/duplicate-key', () => 'a: 1\n'],
  ['unknown aliases', 'yaml/unknown-alias', (line: number) => `k${line}: *a\n`],
])('the list of %s ends, and no error is lost among warnings', (_, code, lineOf) => {
  const warnings = Array.from({ length: 200 }, (_line, line) => `w${line}: 0123\n`);
  const lines = Array.from({ length: 500 }, (_line, line) => lineOf(line));
  const { document, diagnostics } = parseYaml(sourceText('zone.yaml', [...warnings, ...lines].join('')));
  expect(document).toBeUndefined();
  const found = diagnostics.filter((one) => one.code === code);
  expect(found).toHaveLength(YAML_LIMITS.valueFindings + 1);
  expect(found.at(-1)?.message).toBe(
    'this file has more than 100 mistakes like those above; the others are not listed',
  );
});
