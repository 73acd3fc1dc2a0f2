// Reading zones with eight phases each, six of which have a ruleset: requests, and time on a virtual clock at the service's real limit, compared
// with the floor, which is the time that the limit alone demands for as many requests. Answers come from memory after a tenth of a second; all else
// is ours: budget, envelopes, decoding, listing, version cache.
import pLimit from 'p-limit';
import { createBudget } from '../src/api/budget.ts';
import type { ReadClient } from '../src/api/client.ts';
import type { Clock } from '../src/network/clock.ts';
import type { Dispatch } from '../src/api/request.ts';
import { readEnvelope } from '../src/api/envelope.ts';
import { withRateLimit } from '../src/api/connection.ts';
import { requestTarget } from '../src/api/request.ts';
import { getEntrypoint, getRuleset } from '../src/api/rulesets.ts';
import type { CacheFiles } from '../src/live/cache-files.ts';
import { readScopes } from '../src/live/read-scopes.ts';
import { versionCache } from '../src/live/version-cache.ts';
import type { JsonObject } from '../src/data/json.ts';
import type { DesiredScope } from '../src/model/state.ts';
import { createFakeClock } from '../test/fake-clock.ts';
import { printTable, round } from './table.ts';

const SIZES = [10, 100, 1000];
const PHASES = [
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_transform',
  'http_request_late_transform',
  'http_response_headers_transform',
  'http_request_cache_settings',
  'http_request_dynamic_redirect',
  'http_request_origin',
];
/** How many of the phases have a ruleset: the first ones. */
const PRESENT = 6;
const LIMIT = { requests: 1200, seconds: 300, perSecond: 200 };
const LATENCY_MS = 100;
const IN_FLIGHT = 8;
const PAGE = 50;
const MANAGED = 4;

const id = (number: number): string => number.toString(16).padStart(32, '0');
const numberOf = (text: string | undefined): number => Number.parseInt(text ?? '', 16);
const rulesetId = (zone: number, phase: number): string => id(1_000_000 + zone * 10 + phase);

/** Zones as the service has them; a ruleset that changed has another version. */
interface World {
  readonly zones: number;
  readonly changed: Set<string>;
}

function head(world: World, zone: number, phase: number): JsonObject {
  const own = rulesetId(zone, phase);
  return {
    id: own,
    name: 'default',
    description: '',
    kind: 'zone',
    phase: PHASES[phase] ?? '',
    version: world.changed.has(own) ? '8' : '7',
    last_updated: '2026-01-01T00:00:00Z',
  };
}

function full(world: World, zone: number, phase: number): JsonObject {
  const rules = Array.from({ length: 5 }, (_, index) => ({
    id: id(index + 1),
    ref: `rule-${index}`,
    action: 'block',
    expression: `http.host eq "host-${index}.example"`,
    description: '',
    enabled: true,
  }));
  return { ...head(world, zone, phase), rules };
}

function managedHead(index: number): JsonObject {
  const phase = 'http_request_firewall_managed';
  return {
    id: id(500 + index),
    name: `Managed ${index}`,
    description: '',
    kind: 'managed',
    phase,
    version: '3',
  };
}

function pageOfZones(world: World, page: number): JsonObject {
  const from = (page - 1) * PAGE;
  const count = Math.max(0, Math.min(PAGE, world.zones - from));
  const result = Array.from({ length: count }, (_, index) => ({
    id: id(from + index + 1),
    name: `zone-${from + index + 1}.example`,
    account: { id: id(0xacc), name: 'Example' },
  }));
  const total = { total_count: world.zones, total_pages: Math.ceil(world.zones / PAGE) };
  return { result, result_info: { page, per_page: PAGE, count, ...total } };
}

const missing: JsonObject = {
  result: null,
  success: false,
  errors: [{ code: 10003, message: 'could not find entrypoint ruleset' }],
  messages: [],
};

/** The answer of the service to a path; only the paths that reads ask for exist. */
function answer(world: World, target: string): JsonObject {
  const { pathname, searchParams } = new URL(target, 'http://service.example');
  const [, , zoneId, , place, phaseName] = pathname.split('/');
  if (zoneId === undefined) {
    return pageOfZones(world, Number(searchParams.get('page')));
  }
  const zone = numberOf(zoneId);
  if (place === undefined) {
    const own = Array.from({ length: PRESENT }, (_, phase) => head(world, zone, phase));
    return { result: [...own, ...Array.from({ length: MANAGED }, (_, index) => managedHead(index))] };
  }
  const phase = place === 'phases' ? PHASES.indexOf(phaseName ?? '') : (numberOf(place) - 1_000_000) % 10;
  return phase < PRESENT ? { result: full(world, zone, phase) } : missing;
}

interface Virtual {
  readonly client: ReadClient;
  readonly clock: Clock;
  readonly sent: () => number;
}

/** Our client without the network, at the real limit, on a virtual clock. */
function open(world: World, clock: Clock): Virtual {
  let sent = 0;
  const memory: Dispatch = async ({ target }) => {
    sent += 1;
    await clock.sleep(LATENCY_MS);
    const said = answer(world, target);
    const text = JSON.stringify({ success: true, errors: [], messages: [], ...said });
    return { kind: 'answered', status: said['success'] === false ? 404 : 200, headers: new Map(), text };
  };
  const budget = createBudget({ clock });
  const paced = withRateLimit(memory, { budget, clock, maxWaitMs: 330_000, report: () => undefined });
  const places = pLimit(IN_FLIGHT);
  const get: ReadClient['get'] = async (path, more) => {
    const request = { method: 'GET', path, ...more } as const;
    const wire = { id: 1, attempt: 1, method: 'GET', headers: {}, repeat: 'read', insist: false } as const;
    const result = await places(() => paced({ ...wire, target: requestTarget(request) }));
    return readEnvelope(request, { result, attempts: 1, host: 'service.example', mask: (text) => text });
  };
  return { clock, client: { baseUrl: 'http://service.example', get }, sent: () => sent };
}

function desired(zone: number): DesiredScope {
  const cause = { file: `zones/${zone}.yaml`, line: 1, column: 1 };
  return {
    scope: { kind: 'zone', name: `zone-${zone}.example` },
    rulesetOwnership: 'declared',
    cause,
    rulesets: PHASES.map((phase) => ({
      address: { kind: 'entrypoint', phase },
      presence: 'present',
      ownership: { kind: 'all' },
      place: 'any',
      cause,
      rules: [],
    })),
  };
}

/** Cache entries in memory, since only requests and waiting are measured. */
function memoryFiles(): CacheFiles {
  const entries = new Map<string, string>();
  return {
    read: (about) => Promise.resolve(entries.get(about.join(' ')) ?? null),
    write: async (about, text) => {
      entries.set(about.join(' '), text);
    },
    remove: async (about) => {
      entries.delete(about.join(' '));
    },
  };
}

async function readOurs(world: World, files: CacheFiles, { client, clock }: Virtual): Promise<void> {
  const cache = versionCache({ files, clock, sweepDays: null, warn: () => undefined });
  const scopes = Array.from({ length: world.zones }, (_, index) => desired(index + 1));
  for await (const reading of readScopes(scopes, { clientFor: () => client, cacheFor: () => cache })) {
    if (reading.kind === 'failed') {
      throw reading.errors[0] ?? new Error('not read');
    }
  }
}

/** Reads the first `phases` phases of every zone. */
async function each(
  world: World,
  phases: number,
  read: (zone: number, phase: number) => Promise<unknown>,
): Promise<void> {
  const all = Array.from({ length: world.zones * phases }, (_, index) =>
    read(Math.floor(index / phases) + 1, index % phases),
  );
  await Promise.all(all);
}

/** The least seconds in which the limit lets that many requests start. */
function floorOf(requests: number): number {
  const windows = Math.floor((requests - 1) / LIMIT.requests);
  const left = (requests - 1) % LIMIT.requests;
  return windows * LIMIT.seconds + Math.floor(left / LIMIT.perSecond);
}

for (const zones of SIZES) {
  const world: World = { zones, changed: new Set() };
  const files = memoryFiles();
  // One clock for all ways: the cache trusts proofs from the past, and none from the future.
  const clock = createFakeClock();
  const zone = (number: number): { kind: 'zone'; id: string } => ({ kind: 'zone', id: id(number) });
  const ours = (virtual: Virtual): Promise<void> => readOurs(world, files, virtual);
  const ways: readonly (readonly [string, (virtual: Virtual) => Promise<void>])[] = [
    ['ours, cold', ours],
    ['ours, warm', ours],
    [
      'ours, a tenth of the zones changed',
      (virtual) => {
        for (let number = 1; number <= zones; number += 10) {
          world.changed.add(rulesetId(number, 0));
        }
        return ours(virtual);
      },
    ],
    [
      'one GET a phase',
      ({ client }) =>
        each(world, PHASES.length, (number, phase) =>
          getEntrypoint(client, zone(number), PHASES[phase] ?? ''),
        ),
    ],
    [
      'one GET a ruleset, ids known',
      ({ client }) =>
        each(world, PRESENT, (number, phase) => getRuleset(client, zone(number), rulesetId(number, phase))),
    ],
  ];
  const rows: Record<string, string | number>[] = [];
  for (const [way, run] of ways) {
    const virtual = open(world, clock);
    const start = virtual.clock.now();
    await run(virtual);
    const seconds = (virtual.clock.now() - start) / 1000;
    const floor = floorOf(virtual.sent());
    rows.push({
      way,
      requests: virtual.sent(),
      'a zone': round(virtual.sent() / zones),
      seconds: round(seconds),
      'floor s': floor,
      // Within one window the limit does not bind, and the time is that of the answers.
      'over it': floor < LIMIT.seconds ? '–' : `${round((seconds / floor - 1) * 100)} %`,
    });
  }
  printTable(`${zones} zones, ${PHASES.length} phases each, ${PRESENT} with a ruleset`, rows);
}
