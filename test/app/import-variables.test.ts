import { expect, test } from 'vitest';

import { FILE, follow, live, rulesAfter } from './followed.ts';

// An import keeps a variable in a text that changed live while its value is still in the text, and reports dropped variables.

const HEAD = `zone: shop.example
vars:
  office: [203.0.113.0/24, '2001:db8::/32'] # ours
  host: www.shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
`;
const RULES = `      - ref: a
        description: "Only for \${host}" # who
        expression: >-
          http.host eq \${host}
          and not ip.src in \${office}
        action: log
`;
const SET = '{203.0.113.0/24 2001:db8::/32}';
const RULE = {
  ref: 'a',
  description: 'Only for www.shop.example',
  expression: `http.host eq "www.shop.example" and not ip.src in ${SET}`,
};

async function after(rule: object) {
  const whole = live({ ...RULE, ...rule });
  const { texts, dropped, kept } = await follow(HEAD + RULES, whole);
  expect(kept).toEqual([]);
  const text = texts.get(FILE) ?? '';
  expect(await follow(text, whole)).toMatchObject({ kind: 'unchanged' });
  return { text: text.replace(HEAD, ''), dropped };
}

test('an import keeps the variables of an expression when a clause is added or changed', async () => {
  expect(await after({ expression: `${RULE.expression} and ssl` })).toEqual({
    text: RULES.replace('${office}', '${office} and ssl'),
    dropped: [],
  });
  expect(await after({ expression: RULE.expression.replace('host eq', 'host contains') })).toEqual({
    text: RULES.replace('host eq', 'host contains'),
    dropped: [],
  });
});

test('an import reports a variable whose value is gone from the expression, and keeps the others', async () => {
  expect(await after({ expression: RULE.expression.replace('/24', '/25') })).toEqual({
    text: RULES.replace('${office}', '{203.0.113.0/25 2001:db8::/32}'),
    dropped: ['http_request_firewall_custom: a (zones/shop.yaml:8) no longer has ${office} in expression'],
  });
});

test('an import keeps the variable and the quotes of a changed description', async () => {
  expect(await after({ description: 'For www.shop.example, for now' })).toEqual({
    text: RULES.replace('"Only for ${host}"', '"For ${host}, for now"'),
    dropped: [],
  });
});

test('an import keeps the line breaks of an expression that live has on one line', async () => {
  const text = `      - ref: a
        expression: |
          http.host eq "a" or
          http.host eq "b"
        action: log
`;
  expect(await rulesAfter(text, live({ ref: 'a', expression: 'http.host eq "a" or http.host eq "c"' }))).toBe(
    text.replace('"b"', '"c"'),
  );
});

test('an import removes a clause from a folded expression with blank lines', async () => {
  const rules = `      - ref: a
        description: |
          \${host}
        expression: >
          ip.src in
          \${office}
          and http.host eq \${host}

          or ssl
        action: log
`;
  const expression = `ip.src in ${SET} and http.host eq "www.shop.example"`;
  const whole = live({ ref: 'a', description: 'www.shop.example\n', expression });
  const { texts } = await follow(HEAD + rules, whole);
  expect(texts.get(FILE)).toBe(HEAD + rules.replace('\n          or ssl\n', ''));
});

test('an import keeps the lines and the variable of a plain multi-line scalar', async () => {
  const rules = `      - ref: a
        description: Only for
          \${host}
        expression: starts_with(http.request.uri.path,
          \${host})
        action: log
`;
  const expression = 'starts_with(http.request.uri.path, "www.shop.example") and ssl';
  const whole = live({ ...RULE, expression });
  const { texts } = await follow(HEAD + rules, whole);
  expect(texts.get(FILE)).toBe(HEAD + rules.replace('${host})', '${host}) and ssl'));
});

test('an import keeps a window that live has too, and changes one without its expression', async () => {
  const [ge, lt] = ['http.request.timestamp.sec ge 1924815600', 'http.request.timestamp.sec lt 1924902000'];
  const text = `      - ref: a
        expression: http.host eq "a"
        active: { from: 2030-12-29T23:00Z, until: "2030-12-31T00:00+01:00" } # agreed
        action: log
`;
  expect(await rulesAfter(text, live({ ref: 'a', expression: `http.host eq "b" && ${ge} and ${lt}` }))).toBe(
    text.replace('"a"', '"b"'),
  );
  expect(await rulesAfter(text, live({ ref: 'a', expression: `http.host in {"a"} and ${lt}` }))).toBe(
    text.replace(/\{.*\} #/u, '{ until: 2030-12-30T23:00Z } #'),
  );
});
