import { expect, test } from 'vitest';
import { plainSecrets } from '../../src/model/plain-secrets.ts';

const PHASE = 'http_request_firewall_custom';

test('a long row of blanks behind an operator is passed over at once', () => {
  const expression = `http.request.headers["x-auth"][0] in${' '.repeat(300_000)}{x`;
  expect(plainSecrets(PHASE, { expression })).toEqual([]);
});

test.each(['eq "abcdefgh"', 'in {"abcdefgh"}', 'in  {  r#"abcdefgh"#}', 'in{"abcdefgh"}'])(
  'a secret behind an operator is found: %s',
  (test) => {
    const expression = `http.request.headers["x-auth"][0] ${test}`;
    expect(plainSecrets(PHASE, { expression })).toEqual([{ path: ['expression'], header: 'x-auth' }]);
  },
);
