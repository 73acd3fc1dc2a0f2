import { expect, test } from 'vitest';
import { namesField } from '../../src/expression/named-fields.ts';

test.each([
  ['cf.waf.credential_check.password_leaked', true],
  [
    'not (ssl and any(lower(http.request.headers["a"][*])[*] == "x")) or cf.waf.credential_check.username_leaked',
    true,
  ],
  ['http.host eq "cf.waf.credential_check.password_leaked"', false],
  ['cf.waf.credential_checked eq "no"', false],
  ['ssl', false],
  ['newer language (cf.waf.credential_check.password_leaked ~~ 1', true],
])('whether %s has a field of leaked credentials: %s', (text, isFound) => {
  expect(namesField(text, 'filter', ['cf.waf.credential_check'])).toBe(isFound);
});
