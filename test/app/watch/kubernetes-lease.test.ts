import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openKubernetesLease } from '../../../src/app/index.ts';
import type { HeldLease, WatchLease } from '../../../src/app/watch/watch-lease.ts';
import type { FakeClock } from '../../fake-clock.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { CERTIFICATE, KEY } from '../../self-signed.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/edge/leases';

interface Lease {
  metadata: { name: string; resourceVersion: string; labels?: object };
  spec: { holderIdentity?: string; leaseTransitions?: number; renewTime?: string };
}

/** What an API server does with Leases: it refuses a PUT of another version than it has. */
async function openCluster() {
  const account = await mkdtemp(join(tmpdir(), 'rulewright-lease-'));
  onTestFinished(() => rm(account, { recursive: true }));
  await writeFile(join(account, 'ca.crt'), CERTIFICATE);
  await writeFile(join(account, 'token'), 'one\n');
  await writeFile(join(account, 'namespace'), 'edge');
  const state = {
    lease: null as Lease | null,
    seen: [] as string[],
    token: 'one',
    /** Answers instead of the server; `lost`: after it did what it was asked. */
    fault: null as 'down' | 'lost' | null,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = JSON.parse((await text(request)) || 'null') as Lease | null;
    const say = (status: number, value: unknown): void => {
      state.seen.push(`${method} ${url.replace(LEASES, '')} ${status}`);
      if (state.fault === 'lost') {
        response.destroy();
        return;
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (state.fault === 'down') {
      return say(503, { kind: 'Status', message: 'etcd is down' });
    }
    if (headers.authorization !== `Bearer ${state.token}`) {
      return say(401, { kind: 'Status', message: 'Unauthorized' });
    }
    const { lease } = state;
    const next = (given: Lease): Lease => ({
      ...given,
      metadata: {
        ...given.metadata,
        resourceVersion: String(Number(lease?.metadata.resourceVersion ?? 0) + 1),
      },
    });
    if (method === 'POST' && url === LEASES && body !== null) {
      return lease === null ? say(201, (state.lease = next(body))) : say(409, { kind: 'Status' });
    }
    if (url !== `${LEASES}/watch` || lease === null) {
      return say(404, { kind: 'Status', message: 'not found' });
    }
    if (method === 'PUT' && body !== null) {
      return body.metadata.resourceVersion === lease.metadata.resourceVersion
        ? say(200, (state.lease = next(body)))
        : say(409, { kind: 'Status' });
    }
    return say(200, lease);
  };
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: port };
  const clock = createFakeClock();
  const open = async (at: FakeClock = clock): Promise<WatchLease> => {
    const lease = await openKubernetesLease({ namespace: null, name: 'watch' }, { env, account }, at);
    onTestFinished(() => lease.close());
    return lease;
  };
  return { state, clock, open, account };
}

async function taken(lease: WatchLease): Promise<HeldLease> {
  const held = await lease.take();
  if (held === null) {
    throw new Error('the lease was not to be had');
  }
  onTestFinished(() => held.release());
  return held;
}

test('one of two has the lease, and the other takes it when it is given back', async () => {
  const { state, clock, open } = await openCluster();
  const [first, second] = [await open(), await open()];
  const held = await taken(first);
  expect(await second.take()).toBeNull();
  expect(state.lease?.spec).toMatchObject({
    leaseDurationSeconds: 60,
    leaseTransitions: 0,
    renewTime: '2026-01-01T00:00:00.000000Z',
  });
  await held.release();
  expect(await (await taken(second)).isStillHeld()).toBe(true);
  expect(state.lease?.spec.leaseTransitions).toBe(1);
  clock.advance(20_000);
  // It is another's now.
  expect(await held.isStillHeld()).toBe(false);
});

test('the lease is renewed by a PUT of what was read, and keeps what others wrote into it', async () => {
  const { state, clock, open } = await openCluster();
  const held = await taken(await open());
  expect([await held.isStillHeld(), state.seen]).toEqual([true, ['GET /watch 404', 'POST  201']]);
  clock.advance(20_000);
  expect(await held.isStillHeld()).toBe(true);
  expect(state.lease?.spec.renewTime).toBe('2026-01-01T00:00:20.000000Z');
  const labels = { team: 'edge' };
  if (state.lease !== null) {
    state.lease = { ...state.lease, metadata: { name: 'watch', resourceVersion: '7', labels } };
  }
  clock.advance(20_000);
  expect([await held.isStillHeld(), await held.isStillHeld()]).toEqual([true, true]);
  expect(state.seen.slice(2)).toEqual([
    'PUT /watch 200',
    'PUT /watch 409',
    'GET /watch 200',
    'PUT /watch 200',
  ]);
  expect(state.lease?.metadata).toEqual({ name: 'watch', resourceVersion: '8', labels });
});

test('a holder that is silent for a minute is gone, by the clock of who waits', async () => {
  const { state, clock, open } = await openCluster();
  const far = createFakeClock(Date.UTC(2030, 0, 1));
  const held = await taken(await open());
  const second = await open(far);
  expect(await second.take()).toBeNull();
  far.advance(59_000);
  clock.advance(59_000);
  expect([await held.isStillHeld(), await second.take()]).toEqual([true, null]);
  far.advance(59_000);
  expect(await second.take()).toBeNull();
  far.advance(2_000);
  await taken(second);
  clock.advance(20_000);
  expect(await held.isStillHeld()).toBe(false);
  // And it does not take it away again.
  await held.release();
  expect(state.lease?.spec.holderIdentity).not.toBe('');
});

test('of two that find it free, one gets it', async () => {
  const { open } = await openCluster();
  const all = await Promise.all([open(), open(), open()]);
  const held = await Promise.all(all.map((lease) => lease.take()));
  const got = held.filter((one) => one !== null);
  expect(got).toHaveLength(1);
  await got[0]?.release();
});

test('an API server that is away does not matter for half a minute', async () => {
  const { state, clock, open } = await openCluster();
  const held = await taken(await open());
  state.fault = 'down';
  clock.advance(20_000);
  expect(await held.isStillHeld()).toBe(true);
  clock.advance(20_000);
  await expect(held.isStillHeld()).rejects.toThrow('503 etcd is down');
  state.fault = null;
  expect(await held.isStillHeld()).toBe(true);
});

test('a renewal whose answer is lost is one', async () => {
  const { state, clock, open } = await openCluster();
  const held = await taken(await open());
  state.fault = 'lost';
  clock.advance(20_000);
  await held.isStillHeld().catch(() => undefined);
  state.fault = null;
  expect(await held.isStillHeld()).toBe(true);
});

test('a token is read again for each request, since it is renewed', async () => {
  const { state, clock, open, account } = await openCluster();
  const held = await taken(await open());
  await writeFile(join(account, 'token'), 'two');
  state.token = 'two';
  clock.advance(20_000);
  expect(await held.isStillHeld()).toBe(true);
});

test('what is missing is said', async () => {
  const { state, open, account } = await openCluster();
  const clock = createFakeClock();
  const name = { namespace: null, name: 'watch' };
  await expect(openKubernetesLease(name, { env: {} }, clock)).rejects.toThrow('KUBERNETES_SERVICE_HOST');
  state.token = 'other';
  await expect((await open()).take()).rejects.toThrow('401 Unauthorized');
  await rm(join(account, 'ca.crt'));
  await expect(open()).rejects.toThrow('its ca.crt cannot be read');
});
