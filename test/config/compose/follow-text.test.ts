import { expect, test } from 'vitest';
import { fillExpression, fillPlainText } from '../../../src/config/compose/fill-text.ts';
import type { TextFilling } from '../../../src/config/compose/fill-text.ts';
import { followText } from '../../../src/config/compose/follow-text.ts';
import type { VariableValue } from '../../../src/config/compose/pack.ts';

const VALUES: Readonly<Record<string, VariableValue>> = {
  office: ['203.0.113.0/24', '2001:db8::/32'],
  host: 'shop.example',
  none: '',
};

const where = { file: 'rulewright.yaml', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
const filling: TextFilling = {
  find: (name) => {
    const value = VALUES[name];
    return value === undefined ? undefined : { name, where, content: { kind: 'value', value } };
  },
  use: () => undefined,
  report: (problem) => {
    throw new Error(problem.kind);
  },
};

/** The text of a file after it follows live, and its meaning with variables filled in. */
function followed(written: string, live: string) {
  const filled = fillExpression(written, filling);
  const text = followText({
    written,
    filled: filled?.value ?? '',
    pieces: filled?.pieces,
    live,
    isCondition: true,
  });
  return { text, says: text === undefined ? undefined : words(fillExpression(text, filling)?.value) };
}

/** The text of a file after it follows live; expects that it says what is live. */
function condition(written: string, live: string): string | undefined {
  const { text, says } = followed(written, live);
  expect(says).toBe(words(live));
  return text;
}

function words(text = ''): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

const WRITTEN = 'http.host eq "a"\nand not ip.src in ${office}\n';
const SET = '{203.0.113.0/24 2001:db8::/32}';

test('followText changes a clause, and keeps the variables and line breaks of the others', () => {
  expect(condition(WRITTEN, `http.host eq "b" and not ip.src in ${SET}`)).toBe(WRITTEN.replace('"a"', '"b"'));
  expect(condition(WRITTEN, `http.host eq "a" and not ip.src in ${SET} and ssl`)).toBe(
    'http.host eq "a"\nand not ip.src in ${office} and ssl\n',
  );
  expect(condition(WRITTEN, `ssl or ip.src in ${SET}`)).toBe('ssl or ip.src in ${office}\n');
});

test('followText drops a variable when its clause is gone or its value is no longer in the text', () => {
  expect(condition(WRITTEN, 'http.host eq "a"')).toBe('http.host eq "a"\n');
  expect(condition(WRITTEN, 'http.host eq "a" and not ip.src in {203.0.113.0/24 198.51.100.1}')).toBe(
    'http.host eq "a"\nand not ip.src in {203.0.113.0/24 198.51.100.1}\n',
  );
  expect(condition('ip.src in ${office}', `ip.src in ${SET} and ssl`)).toBe('ip.src in ${office} and ssl');
});

test('followText drops one of two uses of a variable, and keeps the other', () => {
  expect(
    condition(
      'http.host eq ${host} or http.referer eq ${host}',
      'http.host eq "x" or http.referer eq "shop.example"',
    ),
  ).toBe('http.host eq "x" or http.referer eq ${host}');
});

test('followText keeps a variable inside a string whose text did not change', () => {
  expect(condition('http.host eq "www.${host}" or ssl', 'http.host eq "www.shop.example"')).toBe(
    'http.host eq "www.${host}"',
  );
  expect(condition('http.host eq "www.${host}"', 'http.host eq "api.shop.example"')).toBe(
    'http.host eq "api.shop.example"',
  );
});

test('followText takes over blanks inside a string', () => {
  expect(condition('http.host eq "a b" and ssl', 'http.host eq "a  b" and ssl')).toBe(
    'http.host eq "a  b" and ssl',
  );
});

test('followText escapes a live text that looks like a variable', () => {
  expect(
    condition('http.host eq ${host} and ssl', 'http.host eq "shop.example" and http.referer eq "${x}"'),
  ).toBe('http.host eq ${host} and http.referer eq "$${x}"');
});

test('followText returns nothing for a text that is only a changed variable', () => {
  expect(followed('${host}', 'x').text).toBeUndefined();
});

test('followText keeps the variables of a text that is no expression, and takes over its blanks', () => {
  const written = 'Only ${host} and ${none}others';
  const filled = fillPlainText(written, filling);
  expect(filled?.value).toBe('Only shop.example and others');
  const live = 'Only  shop.example or others';
  const text = followText({
    written,
    filled: 'Only shop.example and others',
    pieces: filled?.pieces,
    live,
    isCondition: false,
  });
  expect(fillPlainText(text ?? '', filling)?.value).toBe(live);
  expect(text).toContain('Only  ${host} or');
});
