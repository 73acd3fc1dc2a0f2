import { describe, expect, test } from 'vitest';
import { isLikeRandom, shapedSecrets } from '../../src/model/plain-secrets.ts';

/** Joins the parts of a made-up secret at run time, so that secret scanners do not report this repository. */
const joined = (...parts: readonly string[]): string => parts.join('');

describe('shapedSecrets', () => {
  test.each([
    ['a URL with a password', 'postgres://shop:h4nt3r@db.example/shop', 'shop:h4nt3r'],
    ['a URL with a password', 'http.host eq "x" or "redis://:pa55word@r"', ':pa55word'],
    ['a JSON Web Token', joined('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxIn0.', 'c2lnbmF0dXJl')],
    ['a private key', joined('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE\n-----END RSA ', 'PRIVATE KEY-----')],
    ['a private key', joined('-----BEGIN ', 'PRIVATE KEY-----\nMIIE and no end')],
    ['a GitHub token', joined('gh', 'p_', 'abcdefghij0123456789ABCDEFGHIJ012345')],
    ['a GitHub token', joined('github', '_pat_', 'abcdefghij0123456789')],
    ['a GitLab token', joined('gl', 'pat-', 'abcdefghij0123456789')],
    ['a Slack token', joined('xo', 'xb-', '1234567890-abcdef')],
    [
      'the address of a webhook',
      joined('hooks.slack', '.com/services/', 'T000/B000/abcdefghij'),
      'T000/B000/abcdefghij',
    ],
    ['a key of AWS', joined('AK', 'IA', 'ABCDEFGHIJKLMNOP')],
    ['a key of Stripe', joined('sk', '_live_', 'abcdefghij012345')],
    ['credentials of a request', 'Basic c2VjcmV0OnBhc3M='],
    ['credentials of a request', 'Bearer abcdefgh12345678'],
  ])('finds %s: %s', (what, text, found = text) => {
    expect(shapedSecrets(`before ${text}`)).toEqual([{ what, text: found }]);
  });

  test.each([
    'https://shop.example:8443/a@b',
    'https://user@shop.example/',
    'mailto:team@shop.example',
    'Basic authentication for the staging host',
    'Bearer tokens are checked by the origin',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    '5de7edfa648c4d6891dc3e7f84534ffa',
    '-----BEGIN CERTIFICATE-----',
    '/eyJ/static',
    'hooks.slack.com',
  ])('finds nothing in an ordinary value: %s', (text) => {
    expect(shapedSecrets(text)).toEqual([]);
  });

  test('stays fast on a long text of repeated beginnings of secrets', () => {
    const text = `${'a://'.repeat(20_000)}${'-----BEGIN PRIVATE KEY-----'.repeat(5000)}${'Basic '.repeat(20_000)}`;
    expect(shapedSecrets(text).length).toBeGreaterThan(0);
  });
});

describe('isLikeRandom', () => {
  test.each(['Zk3v9QpL2xTb7RnW4sYd8HcMf6JgA1eU', 'q8Xr2+Lm7/Tz5vKd9NbW3cYh6JpGa4Ue1Sf0Rw=='])(
    'takes %s for a random text',
    (text) => {
      expect(isLikeRandom(text)).toBe(true);
    },
  );

  test.each([
    '5de7edfa648c4d6891dc3e7f84534ffa',
    '550e8400-e29b-41d4-a716-446655440000',
    'http_request_firewall_custom_2026_Q4',
    'ContentSecurityPolicyReportOnlyVersion2',
    '/Static/Assets/v2/Build-1234567/Main.js',
    'Zk3v9QpL2xTb7',
  ])('does not take %s for a random text', (text) => {
    expect(isLikeRandom(text)).toBe(false);
  });
});
