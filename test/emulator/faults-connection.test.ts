import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';

import { scopeId, startEmulator } from '../../src/emulator/index.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { api, entryPoint, startBench } from './bench.ts';

// Connections that break need a real server and a real socket.

const path = `/zones/${scopeId('zone', 'api.example')}/rulesets/phases/http_request_firewall_custom/entrypoint`;

async function start(faults: unknown): Promise<Emulator> {
  const emulator = await startEmulator({ faults });
  onTestFinished(() => emulator.close());
  return emulator;
}

async function send(emulator: Emulator, method: 'GET' | 'PUT', body?: unknown) {
  return request(emulator.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function versionOf(emulator: Emulator): Promise<unknown> {
  const { body } = await send(emulator, 'GET');
  const { result } = (await body.json()) as { result: { version: string } };
  return result.version;
}

async function recorded(emulator: Emulator): Promise<unknown> {
  return (await fetch(`${emulator.controlUrl}/requests`)).json();
}

describe('a connection that breaks', () => {
  test('before the change: nothing is stored', async () => {
    const emulator = await start({ method: 'PUT', name: 'lost', effect: { kind: 'cut' } });
    await expect(send(emulator, 'PUT', { rules: [] })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:UND_ERR_SOCKET|ECONNRESET)$/u),
    });
    expect(await versionOf(emulator)).toBe('9');
    expect(await recorded(emulator)).toMatchObject([
      { method: 'PUT', status: 0, wrote: false, faults: ['lost'] },
      {},
    ]);
  });

  test('after the change: the change is stored, and the client gets no answer', async () => {
    const emulator = await start({ method: 'PUT', effect: { kind: 'cut', moment: 'after' } });
    await expect(send(emulator, 'PUT', { rules: [] })).rejects.toThrow(
      /closed|reset|terminated|aborted|hang up/iu,
    );
    expect(await versionOf(emulator)).toBe('10');
    expect(await recorded(emulator)).toMatchObject([{ method: 'PUT', status: 0, wrote: true }, {}]);
  });

  test('within the body: the client gets the head and no more than the first bytes of the body', async () => {
    const emulator = await start({ method: 'PUT', effect: { kind: 'truncate', bytes: 30 } });
    const { statusCode, headers, body } = await send(emulator, 'PUT', { rules: [] });
    expect([statusCode, Number(headers['content-length']) > 30]).toEqual([200, true]);
    const chunks: Buffer[] = [];
    const read = async () => {
      for await (const chunk of body) {
        chunks.push(chunk as Buffer);
      }
    };
    await expect(read()).rejects.toThrow(/closed|reset|terminated|aborted|hang up/iu);
    expect(Buffer.concat(chunks).length).toBeLessThanOrEqual(30);
    expect(await versionOf(emulator)).toBe('10');
  });

  test('a body sent slowly in pieces arrives complete', async () => {
    const emulator = await start({ method: 'GET', effect: { kind: 'slow', pieces: 5, milliseconds: 1 } });
    const { headers, body } = await send(emulator, 'GET');
    const chunks: Buffer[] = [];
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
    }
    expect(chunks.length).toBeGreaterThan(1);
    const whole = Buffer.concat(chunks);
    expect(whole.length).toBe(Number(headers['content-length']));
    expect(JSON.parse(whole.toString())).toMatchObject({ success: true, result: { version: '9' } });
  });

  test('other connections are not affected', async () => {
    const emulator = await start({ method: 'PUT', effect: { kind: 'cut' } });
    const attempts = await Promise.allSettled([
      send(emulator, 'PUT', { rules: [] }),
      versionOf(emulator),
      versionOf(emulator),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  test('without a server the call is rejected, which is not logged as a failure of the emulator', async () => {
    const failures: unknown[] = [];
    const bench = await startBench({
      faults: { effect: { kind: 'cut' } },
      log: (event) => event.kind === 'failure' && failures.push(event),
    });
    await expect(bench.call('GET', entryPoint(api, 'http_request_firewall_custom'))).rejects.toThrow(
      'the connection was cut by a fault',
    );
    expect(failures).toEqual([]);
  });
});
