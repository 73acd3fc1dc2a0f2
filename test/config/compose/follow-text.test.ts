import { expect, test } from 'vitest';

import { fillExpression, fillPlainText } from '../../../src/config/compose/fill-text.ts';
import type { TextFilling } from '../../../src/config/compose/fill-text.ts';
import { followText } from '../../../src/config/compose/follow-text.ts';
import type { VariableValue } from '../../../src/config/compose/variable.ts';

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

/** The condition of a file as it says what is live, and what that comes to. */
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

/** The same, once it is sure that it says what is live. */
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

test('a clause changes; the variable and the line breaks of others stay', () => {
  expect(condition(WRITTEN, `http.host eq "b" and not ip.src in ${SET}`)).toBe(WRITTEN.replace('"a"', '"b"'));
  expect(condition(WRITTEN, `http.host eq "a" and not ip.src in ${SET} and ssl`)).toBe(
    'http.host eq "a"\nand not ip.src in ${office} and ssl\n',
  );
  expect(condition(WRITTEN, `ssl or ip.src in ${SET}`)).toBe('ssl or ip.src in ${office}\n');
});

test('a variable goes with the clause that has it, and where what it stands for has changed', () => {
  expect(condition(WRITTEN, 'http.host eq "a"')).toBe('http.host eq "a"\n');
  expect(condition(WRITTEN, 'http.host eq "a" and not ip.src in {203.0.113.0/24 198.51.100.1}')).toBe(
    'http.host eq "a"\nand not ip.src in {203.0.113.0/24 198.51.100.1}\n',
  );
  expect(condition('ip.src in ${office}', `ip.src in ${SET} and ssl`)).toBe('ip.src in ${office} and ssl');
});

test('one of two uses of a variable goes, and the other stays', () => {
  expect(
    condition(
      'http.host eq ${host} or http.referer eq ${host}',
      'http.host eq "x" or http.referer eq "shop.example"',
    ),
  ).toBe('http.host eq "x" or http.referer eq ${host}');
});

test('one inside of a string stays in it', () => {
  expect(condition('http.host eq "www.${host}" or ssl', 'http.host eq "www.shop.example"')).toBe(
    'http.host eq "www.${host}"',
  );
  expect(condition('http.host eq "www.${host}"', 'http.host eq "api.shop.example"')).toMatch(
    /shop\.example|\$\{host\}/u,
  );
});

test('blanks inside of a string count', () => {
  expect(condition('http.host eq "a b" and ssl', 'http.host eq "a  b" and ssl')).toBe(
    'http.host eq "a  b" and ssl',
  );
});

test('what looks like a variable is escaped', () => {
  expect(
    condition('http.host eq ${host} and ssl', 'http.host eq "shop.example" and http.referer eq "${x}"'),
  ).toBe('http.host eq ${host} and http.referer eq "$${x}"');
});

test('a text that is nothing but a variable is not guessed at', () => {
  expect(followed('${host}', 'x').text).toBeUndefined();
});

test('a text that is no condition keeps its variables, and follows blanks', () => {
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
