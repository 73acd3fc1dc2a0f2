import { expect, test } from 'vitest';
import { openReadClient } from '../../src/api/client.ts';
import { createBudget } from '../../src/api/budget.ts';
import { createFakeClock } from '../fake-clock.ts';
import { serviceError } from './caught.ts';
import { sendJson, startLoopback } from './loopback.ts';
import { openReader } from './open.ts';

test('beforeConnecting is called once before the first exchange, and the function it returns once after it', async () => {
  const told: string[] = [];
  const server = await startLoopback((_seen, response) => {
    told.push('asked');
    sendJson(response, 200, { success: true, errors: [], messages: [], result: [] });
  });
  const { client } = openReader(server.baseUrl, {
    beforeConnecting: () => {
      told.push('before');
      return () => told.push('after');
    },
  });
  await client.get('/a');
  await client.get('/b');
  expect(told).toEqual(['before', 'asked', 'after', 'asked']);
});

test('the function that beforeConnecting returns is called on close if no exchange took place', async () => {
  const told: string[] = [];
  const control = new AbortController();
  const clock = createFakeClock();
  const client = openReadClient({
    baseUrl: 'http://127.0.0.1:9',
    credentials: { kind: 'token', token: 'token' },
    clock,
    budget: createBudget({ clock }),
    signal: control.signal,
    beforeConnecting: () => {
      told.push('before');
      control.abort();
      return () => told.push('after');
    },
  });
  const error = await serviceError(client.get('/a'));
  expect(error.code).toBe('api/aborted');
  expect(told).toEqual(['before']);
  await client.close();
  expect(told).toEqual(['before', 'after']);
});
