import { Hono } from 'hono';
import type { Context } from 'hono';

import { isObject, textAt } from '../protocol/json.ts';
import type { Service } from '../call/service.ts';
import type { StoreContent } from '../store/store.ts';

/** Makes the routes of `/_emulator/snapshot`, `/restore` and `/snapshots`: named states of the store, kept in memory. */
export function snapshotControl(service: Service): Hono {
  const control = new Hono();
  const snapshots = new Map<string, StoreContent>();

  control.get('/snapshots', (c) => c.json([...snapshots.keys()]));
  control.post('/snapshot', async (c) => {
    const name = await nameIn(c);
    if (name === undefined) {
      return c.json({ error: EXPECTED }, 400);
    }
    // Records are immutable, so the lists of records are the whole snapshot.
    snapshots.set(name, service.store.content());
    return c.json({ name });
  });
  control.post('/restore', async (c) => {
    const name = await nameIn(c);
    const content = name === undefined ? undefined : snapshots.get(name);
    if (name === undefined) {
      return c.json({ error: EXPECTED }, 400);
    }
    if (content === undefined) {
      return c.json({ error: `no snapshot is called ${name}` }, 404);
    }
    service.store.load(content);
    await service.persist();
    return c.json({ name });
  });
  return control;
}

const EXPECTED = 'expected {"name": "<name>"}';

async function nameIn(c: Context): Promise<string | undefined> {
  const body: unknown = await c.req.json().catch(() => undefined);
  const name = isObject(body) ? textAt(body, 'name') : undefined;
  return name === '' ? undefined : name;
}
