import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/api/service-error.ts';
import type { AppEvent } from '../../../src/app/run/events.ts';
import { awaitState } from '../../../src/legacy/waf/execute-waf-step.ts';
import type { Waiting } from '../../../src/legacy/waf/execute-waf-step.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { id } from '../../api/builders.ts';

type State = string | ServiceError;

/** Waits for `complete` while the service answers one state after the other, and then repeats the last one. */
async function wait(states: readonly State[], signal?: AbortSignal) {
  const clock = createFakeClock();
  const told: AppEvent[] = [];
  let at = 0;
  const waiting: Waiting = {
    scope: { kind: 'zone', id: id(1), name: 'old.example', accountId: id(2) },
    clock,
    report: (event) => told.push(event),
    ...(signal === undefined ? {} : { signal }),
    read: () => {
      const state = states[Math.min(at, states.length - 1)] ?? '';
      at += 1;
      return typeof state === 'string'
        ? Promise.resolve({ oldWaf: 'enabled', newWaf: 'enabled', state })
        : Promise.reject(state);
    },
  };
  const result = await awaitState('complete', waiting);
  return { result, looks: at, slept: clock.slept, told: told.map(({ kind }) => kind) };
}

function failing(code: 'api/forbidden' | 'api/server-error', status: number): ServiceError {
  const about = { method: 'GET', path: '/zones', rayId: null, attempts: 1 };
  return new ServiceError('no', { ...about, code, status, errors: [], effect: 'none' });
}

test('awaitState reads the state every five seconds until it has come, and reports each wait', async () => {
  expect(await wait(['pending', 'pending', 'complete'])).toEqual({
    result: { kind: 'arrived' },
    looks: 3,
    slept: [5000, 5000],
    told: ['waiting', 'waiting'],
  });
});

test('awaitState reads the state again after a server error', async () => {
  const { result, looks } = await wait([failing('api/server-error', 503), 'complete']);
  expect([result.kind, looks]).toEqual(['arrived', 2]);
});

test('awaitState gives up when the token may not read the state, or after an hour', async () => {
  const denied = await wait([failing('api/forbidden', 403)]);
  expect([denied.result.kind, denied.looks]).toEqual(['waiting', 1]);
  const long = await wait(['pending']);
  expect(long.result).toEqual({ kind: 'waiting', reason: 'an hour has passed: pending' });
  expect(long.looks).toBe(721);
});

test('awaitState gives up when it is interrupted', async () => {
  expect((await wait(['pending'], AbortSignal.abort())).result).toEqual({
    kind: 'waiting',
    reason: 'interrupted: pending',
  });
});
