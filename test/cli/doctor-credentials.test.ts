import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Handler } from '../api/loopback.ts';
import { sendJson, startLoopback } from '../api/loopback.ts';
import { rulewright } from './in-process.ts';

const TOKEN = 'token-of-the-test-token-of-the-test-0000';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-doctor-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly code?: number;
  readonly message: string;
  readonly chain?: readonly { readonly code: number; readonly message: string }[];
}

/** A service with separate answers for the token check, for paths of accounts and for all other paths. */
function answering(
  verify: Answer | Record<string, unknown>,
  others?: Answer,
  accounts: Answer | Record<string, unknown> | undefined = others,
): Handler {
  return ({ url }, response) => {
    const isAccounts = url.includes('/accounts');
    const answer = url.includes('/user/tokens/verify') ? verify : isAccounts ? accounts : others;
    if (answer !== undefined && 'message' in answer) {
      const { status, code, message, chain } = answer;
      const error = {
        ...(code === undefined ? {} : { code }),
        message,
        ...(chain ? { error_chain: chain } : {}),
      };
      sendJson(response, Number(status), { success: false, errors: [error], messages: [], result: null });
    } else {
      const result = url.includes('/user/tokens/verify') ? verify : [];
      const info = { page: 1, per_page: 50, count: 0, total_count: 0, total_pages: 1 };
      sendJson(response, 200, { success: true, errors: [], messages: [], result, result_info: info });
    }
  };
}

const MALFORMED: Answer = {
  status: 400,
  code: 6003,
  message: 'Invalid request headers',
  chain: [{ code: 6111, message: 'Invalid format for Authorization header' }],
};
const UNKNOWN: Answer = { status: 401, code: 1000, message: 'Invalid API Token' };
const AUTHENTICATION: Answer = { status: 403, code: 10000, message: 'Authentication error' };
const INVALID: Answer = { status: 403, code: 9109, message: 'Invalid access token' };
const ADDRESS: Answer = {
  status: 403,
  code: 9109,
  message: 'Cannot use the access token from location: 192.0.2.7',
};
const NOT_ALLOWED: Answer = { status: 403, code: 9109, message: 'Unauthorized to access requested resource' };

async function doctor(handler: Handler, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { baseUrl } = await startLoopback(handler);
  const { stdout } = await rulewright(['doctor', '--base-url', baseUrl], {
    cwd: folder,
    env: { CLOUDFLARE_API_TOKEN: TOKEN, ...env },
  });
  expect(stdout).not.toContain(TOKEN);
  return stdout.replaceAll(/\s+/gu, ' ');
}

describe('doctor about a token', () => {
  test.each([
    ['malformed', answering(MALFORMED, MALFORMED), 'its form is not that of an API token'],
    ['that nobody has', answering(UNKNOWN, INVALID), 'the service does not know it'],
    [
      'revoked, by the code that missing rights have too',
      answering(AUTHENTICATION, AUTHENTICATION),
      'does not know it',
    ],
    ['expired', answering({ id: 'a', status: 'expired' }), 'the service says that it is expired'],
    ['disabled', answering({ id: 'a', status: 'disabled' }), 'the service says that it is disabled'],
    [
      'not valid yet',
      answering({ id: 'a', status: 'active', not_before: '2999-01-01T00:00:00Z' }),
      'before 2999',
    ],
    [
      'for other addresses',
      answering(ADDRESS, ADDRESS),
      'it cannot be used from the address of this machine',
    ],
  ])('%s: reports once what is wrong and which variable to set', async (_title, handler, says) => {
    const text = await doctor(handler);
    expect(text).toContain('✗ token: ');
    expect(text).toContain(says);
    expect(text).toContain('CLOUDFLARE_API_TOKEN');
    expect(text).not.toContain('permission');
    expect(text).toContain(' 1 problem.');
  });

  test('of an account: reports that the service takes it, although the check does not know it', async () => {
    expect(await doctor(answering(UNKNOWN))).toContain('? token: the service accepts it');
    expect(await doctor(answering(UNKNOWN, NOT_ALLOWED))).toContain('? token: the service accepts it');
  });

  test('of an account without rights to zones: reports that the service takes it, and checks its scopes', async () => {
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [account.yaml]\n');
    await writeFile(
      join(folder, 'account.yaml'),
      'account: Example Shop\nentrypoints: { http_request_firewall_custom: { rules: [] } }\n',
    );
    const text = await doctor(answering(UNKNOWN, AUTHENTICATION, {}));
    expect(text).toContain('? token: the service accepts it');
    expect(text).toContain('✗ scope: no account that the credentials can see has the name');
    expect(text).not.toContain('not checked: its credentials are missing or not valid');
  });

  test('that can list nothing: reports that it is valid, and that it can see no zone and no account', async () => {
    const text = await doctor(answering({ id: 'a', status: 'active' }, NOT_ALLOWED));
    expect(text).toContain('✓ token: valid, does not expire');
    expect(text).toContain('✗ scope: the credentials can see no zone and no account');
  });

  test('that is not set: reports only this problem', async () => {
    const text = await doctor(answering(UNKNOWN, UNKNOWN), { CLOUDFLARE_API_TOKEN: '' });
    expect(text).toContain('✗ token: no credentials for the service hint: set CLOUDFLARE_API_TOKEN');
    expect(text).toContain(' 1 problem; 1 not checked (clock).');
  });

  test('that token_env names: reports which variable has the invalid token, and does not check its scope', async () => {
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
    await writeFile(
      join(folder, 'zone.yaml'),
      'zone: shop.example\ntoken_env: SHOP_TOKEN\nentrypoints: { http_ratelimit: { rules: [] } }\n',
    );
    const text = await doctor(answering(UNKNOWN, INVALID), { SHOP_TOKEN: TOKEN, CLOUDFLARE_API_TOKEN: '' });
    expect(text).toContain('✗ token SHOP_TOKEN: it is not valid');
    expect(text).toContain('set SHOP_TOKEN to a token that is active');
    expect(text).toContain('? scope: not checked: its credentials are missing or not valid');
    expect(text).not.toContain('no credentials');
  });
});

test('doctor names the variables of a global API key that the service does not know', async () => {
  const unknown: Answer = { status: 403, code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' };
  const text = await doctor(answering(unknown, unknown), {
    CLOUDFLARE_API_TOKEN: '',
    CLOUDFLARE_EMAIL: 'admin@shop.example',
    CLOUDFLARE_API_KEY: '0'.repeat(37),
  });
  expect(text).toContain('✗ key: ');
  expect(text).toContain('CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY');
  expect(text).toContain(' 1 problem.');
});
