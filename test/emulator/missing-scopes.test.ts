import { describe, expect, test } from 'vitest';

import type { EmulatorEvent } from '../../src/emulator/index.ts';
import { scopeId } from '../../src/emulator/index.ts';
import { nearZone } from '../../src/emulator/seed/missing-scopes.ts';
import { startBench } from './bench.ts';

const zone = (name: string) => ({ kind: 'zone', name }) as const;
const account = (name: string) => ({ kind: 'account', name }) as const;

async function start(scopes: readonly { readonly kind: 'zone' | 'account'; readonly name: string }[]) {
  const made: string[] = [];
  const log = (event: EmulatorEvent): void => {
    made.push(...(event.kind === 'made' ? [event.scope.name] : []));
  };
  const bench = await startBench({ scopes, log });
  return { bench, made };
}

describe('scopes that an emulator should have', () => {
  test('are created if they are missing, zones in the account that is named', async () => {
    const { bench, made } = await start([
      zone('shop.example'),
      zone('own.example'),
      account('Own'),
      zone('own.example'),
    ]);
    expect(made).toEqual(['Own', 'own.example']);
    expect(await bench.ok('GET', '/zones?name=own.example')).toEqual([
      expect.objectContaining({
        id: scopeId('zone', 'own.example'),
        account: { id: scopeId('account', 'Own'), name: 'Own' },
        plan: expect.objectContaining({ legacy_id: 'enterprise' }),
      }),
    ]);
    expect(await bench.ok('GET', '/zones')).toHaveLength(4);
  });

  test('are created in the account given in their name, which is created too', async () => {
    const named = (account: string) => zone(`shop.example@${account.repeat(32)}`);
    const { bench, made } = await start([zone('shop.example'), named('a'), named('b'), named('a')]);
    expect(made).toEqual(['a'.repeat(32), named('a').name, 'b'.repeat(32), named('b').name]);
    expect(await bench.ok('GET', '/zones?name=shop.example')).toEqual([
      expect.objectContaining({ name: 'shop.example' }),
      expect.objectContaining({ account: expect.objectContaining({ id: 'a'.repeat(32) }) }),
      expect.objectContaining({ account: expect.objectContaining({ id: 'b'.repeat(32) }) }),
    ]);
  });

  test('are created in the existing account when none is named', async () => {
    const { bench } = await start([zone('own.example')]);
    expect(await bench.ok('GET', '/zones?name=own.example')).toEqual([
      expect.objectContaining({ account: expect.objectContaining({ name: 'Example Shop' }) }),
    ]);
  });

  test('are not created from an id, which gives no name', async () => {
    const { bench, made } = await start([zone('0'.repeat(32)), account('f'.repeat(32))]);
    expect(made).toEqual([]);
    expect(await bench.ok('GET', '/zones')).toHaveLength(3);
    expect(await bench.ok('GET', '/accounts')).toHaveLength(1);
  });

  test('have zone names in lower case, as the service looks them up', async () => {
    const { bench, made } = await start([zone('Own.Example'), zone('own.example'), zone('SHOP.example')]);
    expect(made).toEqual(['own.example']);
    expect(await bench.ok('GET', '/zones?name=own.example')).toEqual([
      expect.objectContaining({ name: 'own.example' }),
    ]);
  });

  test('get the add-ons that account rules need', async () => {
    const { bench } = await start([account('Own')]);
    const path = `/accounts/${scopeId('account', 'Own')}/rulesets/phases/http_request_firewall_custom/entrypoint`;
    expect(await bench.ok('PUT', path, { rules: [] })).toEqual(expect.objectContaining({ kind: 'root' }));
  });
});

test.each([
  ['shpo.example', 'shop.example'],
  ['shop.exmple', 'shop.example'],
  ['www.shop.example', undefined],
  ['shop2.example', undefined],
  ['own.example', undefined],
  ['shpo.exmple', undefined],
])('nearZone of %s is %s', (name, near) => {
  expect(nearZone(name, ['blog.example', 'shop.example', 'shop1.example'])).toBe(near);
});
