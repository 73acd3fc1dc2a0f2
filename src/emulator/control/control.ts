import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { isSettable } from '../environment/clock.ts';
import type { SettableClock } from '../environment/clock.ts';
import { setZoneFirewall } from '../firewall/control.ts';
import { isObject } from '../protocol/json.ts';
import { migrationControl } from '../migration/control.ts';
import { attempt, Refusal } from '../protocol/refusal.ts';
import type { Service } from '../call/service.ts';
import { refuseCrossSite } from './cross-site.ts';
import { faultControl } from './faults.ts';
import { snapshotControl } from './snapshots.ts';
import { switchControl } from './switches.ts';

/** Makes the routes of the emulator's own endpoints, for tests and people: no token needed, not recorded. */
export function controlRoutes(service: Service): Hono {
  const control = new Hono();

  control.use(refuseCrossSite);
  control.use(
    bodyLimit({
      maxSize: service.maxBodyBytes,
      onError: (c) => c.json({ error: `a body may have ${service.maxBodyBytes} bytes at most` }, 413),
    }),
  );
  control.get('/requests', (c) => c.json(service.requests));
  control.delete('/requests', (c) => {
    service.requests.length = 0;
    return c.json({ done: true });
  });

  control.post('/reset', async (c) => {
    service.store.load(service.seed);
    service.requests.length = 0;
    service.budget?.reset();
    service.faults.reset();
    service.setSwitches(service.initialSwitches);
    await service.persist();
    return c.json({ done: true });
  });

  control.get('/clock', (c) => c.json({ now: new Date(service.clock.now()).toISOString() }));
  control.put('/clock', async (c) => {
    const moved = moveClock(service, await c.req.json().catch(() => undefined));
    return moved === undefined
      ? c.json({ now: new Date(service.clock.now()).toISOString() })
      : c.json({ error: moved }, 400);
  });

  control.route('/waf-migration', migrationControl(service));

  control.put('/zones/:zone/firewall', async (c) => {
    const wish: unknown = await c.req.json().catch(() => undefined);
    const outcome = attempt(() => setZoneFirewall(service, c.req.param('zone'), wish));
    if (outcome instanceof Refusal) {
      return c.json({ error: outcome.message }, 400);
    }
    await service.persist();
    return c.json(outcome);
  });

  control.route('/faults', faultControl(service));
  control.route('/switches', switchControl(service));
  control.route('/', snapshotControl(service));

  control.all('*', (c) => c.json({ error: `no control endpoint ${c.req.method} ${c.req.path}` }, 404));
  return control;
}

/**
 * Sets the clock to `{"now": time}` or advances it by `{"advance_seconds": n}`. Returns what is wrong with the body, or
 * undefined when the clock was moved.
 */
function moveClock(service: Service, wish: unknown): string | undefined {
  if (!isSettable(service.clock)) {
    return 'this clock cannot be set';
  }
  if (!isObject(wish)) {
    return 'expected {"now": "<time>"} or {"advance_seconds": <number>}';
  }
  const { now, advance_seconds: seconds } = wish;
  if (typeof now === 'string' && !Number.isNaN(Date.parse(now))) {
    return setClock(service.clock, Date.parse(now));
  }
  if (typeof seconds === 'number' && Number.isFinite(seconds)) {
    return setClock(service.clock, service.clock.now() + seconds * 1000);
  }
  return 'expected {"now": "<time>"} or {"advance_seconds": <number>}';
}

/** The years that a timestamp of the service can say: RFC 3339 gives a year four digits. */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

function setClock(clock: SettableClock, milliseconds: number): string | undefined {
  if (milliseconds < EARLIEST || milliseconds > LATEST) {
    return 'the clock can be set to the years 0 to 9999';
  }
  clock.set(milliseconds);
  return undefined;
}
