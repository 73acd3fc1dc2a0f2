import { describe, expect, test } from 'vitest';
import type { ReadClient } from '../../src/api/client.ts';
import { listZones, resolveScopes } from '../../src/live/resolve-scopes.ts';
import { id } from '../api/builders.ts';
import { rulewrightError } from '../api/caught.ts';
import { sendJson, startLoopback, success } from '../api/loopback.ts';
import { openReader } from '../api/open.ts';

interface Listing {
  readonly zones: readonly string[];
  readonly info: Readonly<Record<string, number>>;
}

/** A service with a list of zones, 50 a page, and any `result_info`. Each reading from page 1 on gets the next listing. */
async function service(...listings: readonly Listing[]) {
  const asked: string[] = [];
  let readings = 0;
  const server = await startLoopback(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://x');
    const name = searchParams.get('name');
    const page = Number(searchParams.get('page'));
    asked.push(name ?? String(page));
    readings += name === null && page === 1 ? 1 : 0;
    const { zones, info } = listings[Math.min(readings, listings.length) - 1] ?? { zones: [], info: {} };
    const all = zones.map((zone, index) => ({ id: id(index + 1), name: zone, account: { id: id(0xacc) } }));
    const shown =
      name === null ? all.slice((page - 1) * 50, page * 50) : all.filter((zone) => zone.name === name);
    sendJson(response, 200, success(shown, name === null ? { result_info: info } : {}));
  });
  const client: ReadClient = openReader(server.baseUrl).client;
  return { client, asked };
}

const zones = (count: number) => Array.from({ length: count }, (_, index) => `zone-${index}.example`);

describe('the list of zones', () => {
  test('is read to its last page', async () => {
    const { client } = await service({ zones: zones(120), info: { total_count: 120, total_pages: 3 } });
    expect((await listZones(client)).map(({ name }) => name)).toEqual(zones(120));
  });

  test('ends with its last zone, however many pages the service claims', async () => {
    const { client, asked } = await service({ zones: zones(60), info: { total_pages: 1e9 } });
    expect(await listZones(client)).toHaveLength(60);
    expect(asked.length).toBeLessThan(20);
  });

  test('goes on while zones are missing, even if the service claims fewer pages', async () => {
    const { client } = await service({ zones: zones(60), info: { total_count: 60, total_pages: 1 } });
    expect(await listZones(client)).toHaveLength(60);
  });

  test('is read again if a zone went missing between two pages', async () => {
    const info = { total_count: 60, total_pages: 2 };
    const { client } = await service({ zones: zones(59), info }, { zones: zones(60), info });
    expect(await listZones(client)).toHaveLength(60);
  });

  test('is an error if it stays incomplete', async () => {
    const { client } = await service({ zones: zones(59), info: { total_count: 60, total_pages: 2 } });
    expect(await rulewrightError(listZones(client))).toMatchObject({
      code: 'api/unexpected-answer',
      message: 'the service speaks of 60 zones, but its list has 59',
    });
  });

  test('is not used to look up zones by name if it is incomplete', async () => {
    const { client, asked } = await service({ zones: zones(4), info: { total_count: 5 } });
    const refs = zones(4).map((name) => ({ kind: 'zone' as const, name }));
    const found = await resolveScopes(client, refs);
    expect([...found.values()].map(({ kind }) => kind)).toEqual(['found', 'found', 'found', 'found']);
    expect(asked).toEqual(['1', ...zones(4)]);
  });
});
