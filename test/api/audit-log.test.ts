import { describe, expect, onTestFinished, test } from 'vitest';
import { AUDIT_RETENTION_MS, readAuditLog } from '../../src/api/audit-log.ts';
import { fakeClock, scopeId, startEmulator } from '../../src/emulator/index.ts';
import type { EmulatorOptions } from '../../src/emulator/index.ts';
import { openReader } from './open.ts';

const NOW = Date.parse('2026-11-28T10:00:00Z');
const ZONE = scopeId('zone', 'shop.example');
const ACCOUNT = scopeId('account', 'Mine');
const PERIOD = { since: NOW - AUDIT_RETENTION_MS, before: NOW, mostPages: 10 };

/** Starts the service with so many entries, one a second, and a token that can only read zones. */
async function start(count: number, more: EmulatorOptions = {}, entry: object = {}) {
  const audit_log = Array.from({ length: count }, (_, index) => ({
    time: new Date(NOW - (count - index) * 1000).toISOString(),
    method: 'PUT',
    path: `/zones/${ZONE}/rulesets/phases/http_ratelimit/entrypoint`,
    ...entry,
  }));
  const emulator = await startEmulator({
    budget: 'off',
    clock: fakeClock(NOW),
    seed: {
      version: 1,
      accounts: [{ name: 'Mine', audit_log }],
      zones: [{ name: 'shop.example' }],
      tokens: { zones: [{ permissions: ['Zone Read'], resources: ['*'] }] },
    },
    ...more,
  });
  onTestFinished(() => emulator.close());
  const reader = (token = emulator.token) =>
    openReader(emulator.baseUrl, { credentials: { kind: 'token', token } }).client;
  return { emulator, reader };
}

describe('the audit log of an account', () => {
  test.each(['v2', 'v1'] as const)(
    'is read in pages, newest first, and cut at a limit (%s)',
    async (auditLog) => {
      const { reader } = await start(2500, { switches: { auditLog } });
      const whole = await readAuditLog(reader(), ACCOUNT, PERIOD);
      expect([whole.version, whole.entries.length, whole.cutAt]).toEqual([auditLog, 2500, null]);
      expect(new Set(whole.entries.map(({ id }) => id)).size).toBe(2500);
      const cut = await readAuditLog(reader(), ACCOUNT, { ...PERIOD, mostPages: auditLog === 'v2' ? 2 : 3 });
      expect([cut.entries.length, cut.cutAt]).toEqual([2000, NOW - 2_000_000]);
      expect(cut.entries).toEqual(whole.entries.slice(0, 2000));
    },
  );

  test('tells who, by what, and which object, and keeps nothing of a body but the name of a rule', async () => {
    const { reader } = await start(
      1,
      {},
      {
        context: 'api_token',
        token_name: 'CI',
        email: 'ann@shop.example',
        user_agent: 'curl/8',
        request: { ref: 'one', expression: 'http.host eq "hunter2"' },
      },
    );
    const [entry] = (await readAuditLog(reader(), ACCOUNT, PERIOD)).entries;
    expect(entry).toMatchObject({
      at: NOW - 1000,
      actor: { kind: 'token', name: 'CI' },
      via: 'api-token',
      userAgent: 'curl/8',
      path: `/zones/${ZONE}/rulesets/phases/http_ratelimit/entrypoint`,
      method: 'PUT',
      ref: 'one',
    });
    expect(JSON.stringify(entry)).not.toContain('hunter2');
  });

  test('is refused to a token without the permission, with the error of the newer version', async () => {
    const { reader } = await start(1);
    await expect(readAuditLog(reader('zones'), ACCOUNT, PERIOD)).rejects.toMatchObject({
      code: 'api/forbidden',
      hint: expect.stringContaining('"Account Settings" Read') as unknown,
      message: expect.stringContaining('/logs/audit') as unknown,
    });
  });
});
