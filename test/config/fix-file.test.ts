import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { fixFile } from '../../src/config/fix/fix-file.ts';
import { rulesOfScopeFile } from '../../src/config/fix/rules-to-fix.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { checkExpression, parseExpression, sameMeaning } from '../../src/expression/public.ts';
import { isJsonArray, isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { propertyRuns } from '../property-runs.ts';
import { loadFiles } from './project-folder.ts';

const HEAD = 'zone: a.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n';

/** A zone file with one rule, whose expression is written as given. */
function file(written: string, head: string = HEAD): string {
  return `${head}      - expression: ${written}\n        action: block # stays\n`;
}

function fix(text: string): ReturnType<typeof fixFile> {
  return fixFile(sourceText('zones/a.yaml', text), rulesOfScopeFile);
}

/** The expression of the first rule. */
function expressionIn(text: string): string {
  const { document } = parseYaml(sourceText('a.yaml', text));
  return ['entrypoints', 'http_request_firewall_custom', 'rules', '0', 'expression'].reduce<JsonValue>(
    (value, key) =>
      isJsonArray(value) ? (value[Number(key)] ?? null) : isJsonObject(value) ? (value[key] ?? null) : null,
    document?.value ?? null,
  ) as string;
}

describe('fixes of an expression', () => {
  test.each([
    ['plain', 'ip.geoip.country eq "AT"', 'ip.src.country eq "AT"'],
    ['single quotes', `'http.host in {"it''s"}'`, `'http.host eq "it''s"'`],
    ['double quotes', '"http.host in {\\"a\\"} and\\tssl"', '"http.host eq \\"a\\" and ssl"'],
    ['escapes', '"http.host in {\\"\\u00e4\\"} or not not ssl"', '"http.host eq \\"ä\\" or ssl"'],
    [
      'folded',
      '>-\n          not not ssl and\n          ip.src in {192.0.2.1\n            192.0.2.1 192.0.2.2}',
      '>-\n          ssl and\n          ip.src in {192.0.2.1 192.0.2.2}',
    ],
    ['literal', '|\n          ssl == true\n            OR ssl', '|\n          ssl\n            or ssl'],
    [
      'plain over lines',
      'ip.src in {192.0.2.1,\n          192.0.2.2}',
      'ip.src in {192.0.2.1\n          192.0.2.2}',
    ],
    ['a number in quotes', 'cf.bot_management.score lt "30"', 'cf.bot_management.score lt 30'],
    [
      'a number in quotes with a word right behind',
      'http.response.code eq "403"and ssl',
      'http.response.code eq "403"and ssl',
    ],
    ['numbers in quotes without a blank', 'tcp.dstport in {"80""443"}', 'tcp.dstport in {"80""443"}'],
    ['a network', 'ip.src eq 192.0.2.0/24', 'ip.src in {192.0.2.0/24}'],
    ['several, one after the other', 'ip.geoip.asnum in {010 8}', 'ip.src.asnum eq 8'],
    ['nothing to fix', 'ip.src.country eq "AT"', 'ip.src.country eq "AT"'],
    ['nothing safe to fix', 'http.request.method eq "get"', 'http.request.method eq "get"'],
  ])('%s', (_, before, after) => {
    expect(fix(file(before)).text).toBe(file(after));
  });

  test('quote a value that its style cannot hold', () => {
    const text = `${HEAD}      - { expression: ip.src eq 192.0.2.0/24, action: block } # stays\n`;
    expect(fix(text).text).toBe(
      `${HEAD}      - { expression: 'ip.src in {192.0.2.0/24}', action: block } # stays\n`,
    );
  });

  test('keep CR LF line ends', () => {
    const text = file('>-\n          not not ssl\n          and ssl').replaceAll('\n', '\r\n');
    expect(fix(text).text).toBe(file('>-\n          ssl\n          and ssl').replaceAll('\n', '\r\n'));
  });

  test('leave a value alone that aliases share', () => {
    const text = `${HEAD}      - { expression: &old ip.geoip.country eq "AT", action: log }\n      - { expression: *old, action: block }\n`;
    expect(fix(text)).toEqual({ text, fixes: [] });
  });

  test('leave a file alone that is no YAML or no zone file', () => {
    for (const text of ['zone: [', '', 'pack: a\n', file('5')]) {
      expect(fix(text)).toEqual({ text, fixes: [] });
    }
  });

  test('cover header expressions, counting expressions and characteristics', () => {
    const text = `zone: a.example
entrypoints:
  http_ratelimit:
    rules:
      - expression: not not ssl
        action: block
        ratelimit: { characteristics: [cf.colo.id, ip.geoip.country, 'http.request.headers["X-A"][0]'], period: 10, requests_per_period: 5, counting_expression: ip.geoip.asnum eq 5 }
  http_request_late_transform:
    rules:
      - expression: ssl
        action: rewrite
        action_parameters: { headers: { x: { operation: set, expression: ip.geoip.country } } }
`;
    const after = text
      .replace('not not ssl', 'ssl')
      .replaceAll('ip.geoip', 'ip.src')
      .replace('["X-A"][0]', '["x-a"]');
    expect(fix(text).text).toBe(after);
  });

  test('are reported with the place and the text before and after', () => {
    expect(fix(file('ip.geoip.country eq "AT"')).fixes).toEqual([
      {
        code: 'expression/deprecated-field',
        where: { file: 'zones/a.yaml', start: { line: 5, column: 21 }, end: { line: 5, column: 37 } },
        before: 'ip.geoip.country',
        after: 'ip.src.country',
      },
    ]);
  });
});

describe('fixes of values of the wrong type', () => {
  const RATE = (rate: string): string => `zone: a.example
entrypoints:
  http_ratelimit:
    rules:
      - ref: a
        expression: ssl
        action: block
        ratelimit: { ${rate} } # stays
`;
  test.each([
    ['a number in quotes', 'period: "60"', 'period: 60'],
    ['a number in single quotes, with marks', "requests_per_period: '1_000'", 'requests_per_period: 1000'],
    ['a boolean in quotes', 'requests_to_origin: "true"', 'requests_to_origin: true'],
    ['a boolean of YAML 1.1', 'requests_to_origin: no', 'requests_to_origin: false'],
    ['one item instead of a list', 'characteristics: ip.src', 'characteristics: [ip.src]'],
  ])('%s', (_title, before, after) => {
    const { text, fixes } = fix(RATE(before));
    expect(text).toBe(RATE(after));
    expect(fixes).toMatchObject([{ code: 'schema/wrong-type', after: after.replace(/.*: /u, '') }]);
    expect(fix(text)).toEqual({ text, fixes: [] });
  });

  test.each([
    ['text that is no number', 'period: "a minute"'],
    ['a number that its quotes keep from being octal', 'period: "010"'],
    ['a variable', 'period: ${period}'],
    ['several items in one text', 'characteristics: "ip.src, cf.colo.id"'],
  ])('%s stays', (_title, written) => {
    expect(fix(RATE(written))).toEqual({ text: RATE(written), fixes: [] });
  });

  test('quote a ref and an expression that YAML reads as a number and a boolean', () => {
    const { text } = fix(file('true').replace('      - expression', '      - ref: 1.10\n        expression'));
    expect(text).toContain('- ref: "1.10"\n        expression: "true"\n');
  });

  test('are not promised in a pack, and not made in a value that aliases share', async () => {
    const shared = 'description: &x 5\n        ref: *x\n        expression: ssl';
    expect(fix(file('ssl').replace('expression: ssl', shared)).fixes).toEqual([]);
    const { diagnostics } = await loadFiles({
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
      'packs/p.yaml': 'pack: p\nrules: [{ expression: ssl, action: log, enabled: "true" }]\n',
      'zones/a.yaml': `${HEAD}      - use: p\n      - { expression: ssl, action: log, enabled: "true" }\n`,
    });
    expect(diagnostics.map(({ code, fixable, where }) => [code, fixable, where?.file])).toEqual([
      ['schema/wrong-type', undefined, 'packs/p.yaml'],
      ['schema/wrong-type', true, 'zones/a.yaml'],
    ]);
  });
});

describe('findings of validate', () => {
  test('are marked as fixable if they have a fix and no alias shares the value', async () => {
    const shared = `${HEAD}      - { ref: a, expression: &x ip.geoip.country eq "AT", action: log }\n      - { ref: b, expression: *x, action: log }\n`;
    for (const [text, marks] of [
      [file('ip.geoip.country eq "AT"'), [true]],
      [shared, [undefined]],
      [file('http.request.method eq "get"'), [undefined]],
    ] as const) {
      const { diagnostics } = await loadFiles({ 'zones/a.yaml': text });
      expect(diagnostics.map(({ fixable }) => fixable)).toEqual(marks);
    }
  });

  test('are reported once for repeated warnings in one expression, and each for errors', async () => {
    const many = (clause: (index: number) => string): string =>
      Array.from({ length: 5 }, (_, index) => clause(index)).join(' or ');
    const old = await loadFiles({
      'zones/a.yaml': file(`'${many((index) => `ip.geoip.asnum eq ${index + 1}`)}'`),
    });
    expect(old.diagnostics.map(({ message }) => message)).toEqual([
      'ip.geoip.asnum is the old name of ip.src.asnum; 4 more of this kind in this expression',
    ]);
    const wrong = await loadFiles({ 'zones/a.yaml': file(`'${many((index) => `nope${index} eq 1`)}'`) });
    expect(wrong.diagnostics.length).toBe(5);
  });
});

/** Fixes that keep the meaning of an expression. The others correct a text, or replace the old name of a field. */
const SAME_MEANING = new Set([
  'expression/single-item-set',
  'expression/duplicate-item',
  'expression/covered-item',
  'expression/octal',
  'expression/quoted-regex',
  'expression/mixed-operators',
  'expression/double-negation',
]);

/** Writes an expression to a file in a YAML style and fixes the file: the remaining fixes, and whether the meaning is the same. */
function roundTrip(
  text: string,
  style: string,
): { readonly left: readonly string[]; readonly same: boolean } {
  const value = stringify(
    { expression: text },
    { defaultStringType: style as 'PLAIN', defaultKeyType: 'PLAIN', lineWidth: 60 },
  );
  const written = `${HEAD}${value.replace('expression', '      - expression').replaceAll(/\n(?=.)/g, '\n        ')}        action: block\n`;
  const once = fix(written);
  const again = fix(once.text);
  const [before, after] = [expressionIn(written), expressionIn(once.text)];
  const { findings } = checkExpression(after, { phase: 'http_request_firewall_custom', level: 'zone' });
  const fixable = findings.filter((found) => found.fix !== undefined).map(({ code }) => code);
  const [one, other] = [parseExpression(before), parseExpression(after)];
  const keeps = one.ok && once.fixes.every(({ code }) => SAME_MEANING.has(code));
  return {
    left: [...fixable, ...again.fixes.map(({ code }) => code), ...(again.text === once.text ? [] : ['text'])],
    same: !keeps || (other.ok && sameMeaning(one.tree, other.tree)),
  };
}

const SOUND = { left: [], same: true };

const STYLES = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_FOLDED', 'BLOCK_LITERAL'];

describe('a fixed expression', () => {
  const clause = fc.constantFrom(
    'ip.src in {192.0.2.1 192.0.2.0/24 192.0.2.1}',
    'http.host in {"a\\"b"}',
    'http.request.uri.path matches "^/a\\.b$"',
    'ip.src.asnum in {010 8 1..9}',
    'not not ssl',
    'not (not http.host contains ": #")',
    'ssl and ssl or ssl',
    'http.host eq "ä😀"',
  );

  test('means the same as before, and a second fix changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(clause, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' and ', '\nor\n', ' xor '),
        fc.constantFrom(...STYLES),
        (clauses, joint, style) => {
          expect(roundTrip(clauses.join(joint), style)).toEqual(SOUND);
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  const folder = process.env['RULEWRIGHT_CORPUS'] ?? '';
  const skipped = folder === '' ? ' (skipped: RULEWRIGHT_CORPUS is not set)' : '';

  test.skipIf(folder === '')(
    `means the same as before for the expressions of the reference material${skipped}`,
    () => {
      const lines = readFileSync(join(folder, 'corpus', 'expressions.txt'), 'utf8')
        .split('\n')
        .filter(Boolean);
      expect(lines.length).toBeGreaterThan(1000);
      for (const [index, line] of lines.entries()) {
        const style = STYLES[index % STYLES.length] ?? 'PLAIN';
        expect({ line, ...roundTrip(line.replaceAll('\\n', '\n'), style) }).toEqual({ line, ...SOUND });
      }
    },
  );
});
