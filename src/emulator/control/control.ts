import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { MiddlewareHandler, Context } from 'hono';
import { isSettable } from '../environment/service-clock.ts';
import type { SettableClock } from '../environment/service-clock.ts';
import { setZoneFirewall } from '../firewall/firewall-control.ts';
import { isObject, textAt } from '../protocol/wire-object.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import type { EmulatedService } from '../call/service.ts';
import { isPartOfSwitches, switchProblems } from '../environment/switches.ts';
import type { StoreContent } from '../store/store.ts';
import type { FaultState } from '../faults/faults.ts';
import { readFaults } from '../faults/read-faults.ts';
import type { ScopedCall } from '../call/call.ts';
import { ownerCall } from '../call/owner-call.ts';
import type { Zone } from '../records/directory-record.ts';
import { namedIn } from '../store/store.ts';
import { equivalentConfiguration } from '../migration/migration-configuration.ts';
import { blockersOf } from '../migration/migration-eligibility.ts';
import { MANAGED_PHASE, stateOf } from '../waf/migration-state.ts';
import { migrate } from '../migration/put-or-migrate.ts';
import { trafficControl } from '../traffic/traffic-control.ts';
import { checkMigratable } from '../migration/migration-routes.ts';

/** Makes the routes of `/_emulator/snapshot`, `/restore` and `/snapshots`: named states of the store, kept in memory. */
function snapshotControl(service: EmulatedService): Hono {
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

/** The content types that a form, or a script of another site, may send without asking first. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * Refuses writes that a page of another site can make a browser send: the control endpoints ask for no token. Clients other than
 * browsers send neither `Origin` nor `Sec-Fetch-Site`, so they only have to call JSON by its name.
 */
const refuseCrossSite: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') {
    return next();
  }
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site') ?? 'none';
  const own = new URL(c.req.url).host;
  if ((origin !== undefined && hostOf(origin) !== own) || !['same-origin', 'none'].includes(site)) {
    return c.json({ error: 'a page of another site must not steer this service' }, 403);
  }
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && FORM_TYPES.includes(type)) {
    return c.json({ error: `send JSON as application/json, not as ${type}` }, 415);
  }
  return next();
};

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Makes the routes of the emulator's own endpoints, for tests and people: no token needed, not recorded. */
export function controlRoutes(service: EmulatedService): Hono {
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
  control.route('/', trafficControl(service));
  control.route('/switches', switchControl(service));
  control.route('/', snapshotControl(service));

  control.all('*', (c) => c.json({ error: `no control endpoint ${c.req.method} ${c.req.path}` }, 404));
  return control;
}

/**
 * Sets the clock to `{"now": time}` or advances it by `{"advance_seconds": n}`. Returns what is wrong with the body, or
 * undefined when the clock was moved.
 */
function moveClock(service: EmulatedService, wish: unknown): string | undefined {
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

/** Makes the routes of `/_emulator/switches`: behaviour that differs between versions of the service. */
function switchControl(service: EmulatedService): Hono {
  const control = new Hono();
  control.get('/', (c) => c.json(service.switches));
  control.put('/', async (c) => {
    const wish: unknown = await c.req.json().catch(() => undefined);
    if (!isObject(wish)) {
      return c.json({ error: 'expected an object of switches and their values' }, 400);
    }
    if (!isPartOfSwitches(wish)) {
      return c.json({ error: switchProblems(wish).join('; ') }, 400);
    }
    service.setSwitches(wish);
    return c.json(service.switches);
  });
  return control;
}

/** Makes the routes of `/_emulator/faults`: the faults to inject, and the log of those that struck. */
function faultControl(service: EmulatedService): Hono {
  const control = new Hono();
  const { faults } = service;

  control.get('/', (c) => c.json(faults.all().map(showFault)));
  control.post('/', async (c) => {
    const read = readFaults(await c.req.json().catch(() => undefined));
    if (read.kind === 'problems') {
      return c.json({ error: read.problems.join('; '), problems: read.problems }, 400);
    }
    faults.add(read.faults);
    return c.json(read.faults.map(({ name }) => name));
  });
  control.delete('/', (c) => {
    faults.remove();
    return c.json({ done: true });
  });

  control.get('/log', (c) => c.json(faults.log));
  control.delete('/log', (c) => {
    faults.log.length = 0;
    return c.json({ done: true });
  });

  control.delete('/:name', (c) => {
    const name = c.req.param('name');
    if (!faults.all().some(({ fault }) => fault.name === name)) {
      return c.json({ error: `no fault is called ${name}` }, 404);
    }
    faults.remove(name);
    return c.json({ done: true });
  });
  return control;
}

function showFault({ fault, matched, struck }: FaultState): unknown {
  const { name, when, effect } = fault;
  return { name, ...when, effect, matched, struck };
}

/**
 * Makes the control endpoints of the WAF migration, below `/waf-migration/:zone` (name or id). GET shows the state, the
 * blockers, the order in which the active managed rules run, and all steps so far. POST `deploy` and `turn-off` do what
 * users do in the dashboard (specification 3.1, rows 4 and 5; turning the previous version off ends the validation
 * mode).
 */
function migrationControl(service: EmulatedService): Hono {
  const control = new Hono();
  control.get('/:zone', (c) => onZone(service, c, (zone) => show(service, zone)));
  control.post('/:zone/deploy', (c) => onZone(service, c, (zone) => deploy(service, zone)));
  control.post('/:zone/turn-off', (c) => onZone(service, c, (zone) => turnOff(service, zone)));
  return control;
}

async function onZone(service: EmulatedService, c: Context, work: (zone: Zone) => object): Promise<Response> {
  const name = c.req.param('zone') ?? '';
  const zone = namedIn(service.store.zones, name);
  if (zone === undefined) {
    return c.json({ error: `there is no zone ${name}` }, 404);
  }
  const done = attempt(() => service.store.transact(() => work(zone)));
  if (done instanceof Refusal) {
    return c.json({ error: done.message }, 400);
  }
  if (done.wrote) {
    await service.persist();
  }
  return c.json(done.outcome);
}

function show(service: EmulatedService, zone: Zone): object {
  const view = stateOf(service, zone);
  const account = service.store.accounts.get(zone.account);
  const asks = view.state === 'start' || view.state === 'validation';
  return {
    zone: zone.name,
    migration_state: view.state,
    old_waf_status: view.oldWaf,
    new_waf_status: view.newWaf,
    // In validation mode the new managed rules run before the previous version (specification 3.1).
    order: [...(view.newWaf === 'enabled' ? ['new'] : []), ...(view.oldWaf === 'enabled' ? ['old'] : [])],
    blockers: asks && account !== undefined ? blockersOf(service, { zone, account, phase: 'two' }) : [],
    steps: view.steps,
  };
}

/**
 * Starts the migration as the dashboard does: deploys the generated configuration; Enterprise zones enter validation
 * mode first.
 */
function deploy(service: EmulatedService, zone: Zone): object {
  const call = dashboardCall(service, zone, equivalentConfiguration(service.store, zone));
  if (stateOf(service, zone).state === 'validation') {
    throw refuse(400, 'the zone is in validation mode already');
  }
  migrate(call, zone.plan === 'enterprise' ? 'validation' : 'pending', 'dashboard');
  return show(service, zone);
}

/** Ends the validation mode of an Enterprise zone; the configuration stays. */
function turnOff(service: EmulatedService, zone: Zone): object {
  const call = dashboardCall(service, zone, {});
  checkMigratable(call, zone);
  if (stateOf(service, zone).state !== 'validation') {
    throw refuse(400, 'the zone is not in validation mode');
  }
  migrate(call, 'pending', 'dashboard');
  return show(service, zone);
}

/** Makes a call as the dashboard does, in phase two of the roll-out. */
function dashboardCall(service: EmulatedService, zone: Zone, body: object): ScopedCall {
  return ownerCall(service, zone, {
    query: { phase_two: '1' },
    params: { zone: zone.id, phase: MANAGED_PHASE },
    body,
  });
}
