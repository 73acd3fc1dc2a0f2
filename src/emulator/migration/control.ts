import { Hono } from 'hono';
import type { Context } from 'hono';

import type { ScopedCall } from '../call/call.ts';
import { ownerCall } from '../call/owner-call.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import type { Service } from '../call/service.ts';
import type { Zone } from '../records/directory.ts';
import { namedIn } from '../store/store.ts';
import { equivalentConfiguration } from './configuration.ts';
import { blockersOf } from './eligibility.ts';
import { MANAGED_PHASE } from '../waf/enrollment.ts';
import { migrate } from './put.ts';
import { checkMigratable } from './read.ts';
import { stateOf } from '../waf/migration-state.ts';

/**
 * Makes the control endpoints of the WAF migration, below `/waf-migration/:zone` (name or id). GET shows the state, the
 * blockers, the order in which the active managed rules run, and all steps so far. POST `deploy` and `turn-off` do what
 * users do in the dashboard (specification 3.1, rows 4 and 5; turning the previous version off ends the validation
 * mode).
 */
export function migrationControl(service: Service): Hono {
  const control = new Hono();
  control.get('/:zone', (c) => onZone(service, c, (zone) => show(service, zone)));
  control.post('/:zone/deploy', (c) => onZone(service, c, (zone) => deploy(service, zone)));
  control.post('/:zone/turn-off', (c) => onZone(service, c, (zone) => turnOff(service, zone)));
  return control;
}

async function onZone(service: Service, c: Context, work: (zone: Zone) => object): Promise<Response> {
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

function show(service: Service, zone: Zone): object {
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
function deploy(service: Service, zone: Zone): object {
  const call = dashboardCall(service, zone, equivalentConfiguration(service.store, zone));
  if (stateOf(service, zone).state === 'validation') {
    throw refuse(400, 'the zone is in validation mode already');
  }
  migrate(call, zone.plan === 'enterprise' ? 'validation' : 'pending', 'dashboard');
  return show(service, zone);
}

/** Ends the validation mode of an Enterprise zone; the configuration stays. */
function turnOff(service: Service, zone: Zone): object {
  const call = dashboardCall(service, zone, {});
  checkMigratable(call, zone);
  if (stateOf(service, zone).state !== 'validation') {
    throw refuse(400, 'the zone is not in validation mode');
  }
  migrate(call, 'pending', 'dashboard');
  return show(service, zone);
}

/** Makes a call as the dashboard does, in phase two of the roll-out. */
function dashboardCall(service: Service, zone: Zone, body: object): ScopedCall {
  return ownerCall(service, zone, {
    query: { phase_two: '1' },
    params: { zone: zone.id, phase: MANAGED_PHASE },
    body,
  });
}
