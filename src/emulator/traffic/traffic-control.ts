import { Hono } from 'hono';
import type { Context } from 'hono';
import type { EmulatedService } from '../call/service.ts';
import { attempt, Refusal } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory-record.ts';
import type { TrafficMix } from '../records/traffic-record.ts';
import { countTraffic, liveFaults, trafficMix, withFaults } from './count-traffic.ts';
import { requestValues } from './request-mix.ts';
import { liveRules } from './run-rules.ts';
import { readTraffic } from './traffic-shape.ts';

/** Makes the routes of `/_emulator/traffic` and `/_emulator/edge`: what visitors do, and a request through the live rules. */
export function trafficControl(service: EmulatedService): Hono {
  const control = new Hono();
  control.get('/traffic', (c) => c.json(shown(trafficMix(service.store))));
  control.put('/traffic', async (c) => {
    const wish: unknown = await c.req.json().catch(() => undefined);
    const mix = attempt(() => readTraffic(wish));
    if (mix instanceof Refusal) {
      return c.json({ error: mix.message }, 400);
    }
    service.store.traffic.set(mix.id, mix);
    countTraffic(service);
    await service.persist();
    return c.json(shown(mix));
  });
  control.delete('/traffic', async (c) => {
    service.store.traffic.delete('mix');
    await service.persist();
    return c.json({ done: true });
  });
  const edge = answerAtEdge(service);
  control.all('/edge/:host', (c) => edge(c));
  control.all('/edge/:host/*', (c) => edge(c));
  return control;
}

function shown(mix: TrafficMix | undefined): object {
  return mix === undefined
    ? { requests_per_minute: 0 }
    : {
        requests_per_minute: mix.requestsPerMinute,
        seed: mix.seed,
        delay_seconds: mix.delaySeconds,
        faults: mix.faults,
      };
}

/**
 * Answers a request as the edge does: with what a rule that is live says, or with 200 from an origin that has everything. A fault for a part of the
 * requests hits every so many.
 */
function answerAtEdge(service: EmulatedService): (c: Context) => Response {
  let answered = 0;
  return (c) => {
    const { store, clock } = service;
    const host = (c.req.param('host') ?? '').toLowerCase();
    const zone = zoneOfHost(store.zones.all(), host);
    if (zone === undefined) {
      return c.json({ error: `no zone has the host ${host}` }, 404);
    }
    const url = new URL(c.req.url);
    const [, path = ''] = /^\/_emulator\/edge\/[^/]+(.*)$/su.exec(url.pathname) ?? [];
    const now = clock.now();
    const values = requestValues(
      {
        method: c.req.method,
        host,
        path: path === '' ? '/' : path,
        query: url.search.slice(1),
        agent: c.req.header('user-agent') ?? '',
        ip: c.req.header('x-forwarded-for') ?? '192.0.2.1',
        country: 'DE',
        botScore: 99,
        isVerifiedBot: false,
      },
      zone.name,
      now,
    );
    const ruled = liveRules(store, zone, now)(values);
    const mix = trafficMix(store);
    const outcomes = withFaults(ruled, mix === undefined ? [] : liveFaults(store, zone, mix));
    const place = (answered * GOLDEN) % 1;
    answered += 1;
    let sum = 0;
    const { status } =
      outcomes.find(({ share }) => {
        sum += share;
        return place < sum;
      }) ?? ruled;
    const location =
      status === ruled.status && ruled.location !== undefined ? { location: ruled.location } : {};
    return new Response(`${status}\n`, { status, headers: location });
  };
}

/** Its multiples, without their whole part, are spread evenly over 0 to 1 from the first one on. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Returns the zone of a host: the longest name that it ends with. */
function zoneOfHost(zones: readonly Zone[], host: string): Zone | undefined {
  return zones
    .filter(({ name }) => host === name || host.endsWith(`.${name}`))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
}
