import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { getEntrypoint } from '../../../src/api/rulesets.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import { addRule, createRuleset } from '../../api/ruleset-writes.ts';
import type { Bench } from '../../apply/run-against-service.ts';
import { openBench } from '../../apply/run-against-service.ts';
import type { Fault, Passing } from '../../apply/campaign/fault-proxy.ts';
import { openFaultProxy } from '../../apply/campaign/fault-proxy.ts';

const PHASE = 'http_request_firewall_custom';
const ZONES = 6;
/** One machine for each shard, and one for commands about all shards. */
const MACHINES = 5;

/** A rule of the project: its ref, and which of two contents it has. */
export interface OwnRule {
  readonly ref: string;
  readonly variant: number;
}

/** A zone: its live rules and its declared rules. */
export interface ZoneCase {
  readonly live: readonly OwnRule[];
  /** The live position of a rule of others among the rules of the project; `null` if there is none. */
  readonly guest: number | null;
  readonly desired: readonly OwnRule[];
  /** Whether the file owns only the rules called `team-…`. */
  readonly shared: boolean;
}

const ownRules: fc.Arbitrary<readonly OwnRule[]> = fc
  .shuffledSubarray(['team-a', 'team-b', 'team-c', 'team-d'], { minLength: 1 })
  .chain((refs) =>
    fc.tuple(...refs.map((ref) => fc.integer({ min: 0, max: 1 }).map((variant) => ({ ref, variant })))),
  );

/** The zones of a run. */
export const zoneCases: fc.Arbitrary<readonly ZoneCase[]> = fc.array(
  fc.record({
    live: fc.oneof(fc.constant([]), ownRules),
    guest: fc.option(fc.integer({ min: 0, max: 4 })),
    desired: ownRules,
    shared: fc.boolean(),
  }),
  { minLength: ZONES, maxLength: ZONES },
);

export const zoneName = (at: number): string => `zone-${at}.example`;

const zoneId = (at: number): string => String(at + 1).padStart(32, '2');

/** The step that makes a zone equal to its file. */
export const stepOf = (at: number): string => `zone:${zoneName(at)}/${PHASE}`;

const expressionOf = ({ ref, variant }: OwnRule): string => `http.host eq "${ref}-${variant}.example"`;

const guestRule = (ref: string) => ({ ref, action: 'log', expression: 'ssl' });

function liveRules({ live, guest }: ZoneCase): readonly unknown[] {
  const ours = live.map((rule) => ({ ref: rule.ref, action: 'block', expression: expressionOf(rule) }));
  return guest === null ? ours : ours.toSpliced(guest, 0, guestRule('guest'));
}

/** The token of a machine, by which the proxy tells the requests of the machines apart. */
const tokenOf = (machine: number): string => `token-of-machine-${machine}`;

function seedOf(zones: readonly ZoneCase[]): unknown {
  const all = [{ permissions: ['*'], resources: ['*'] }];
  const tokens = Array.from({ length: MACHINES }, (_, machine) => [tokenOf(machine), all]);
  return {
    version: 1,
    tokens: Object.fromEntries(tokens),
    accounts: [{ name: 'Shop', plan: 'enterprise' }],
    zones: zones.map((zone, at) => ({
      id: zoneId(at),
      name: zoneName(at),
      account: 'Shop',
      plan: 'enterprise',
      rulesets: liveRules(zone).length === 0 ? [] : [{ kind: 'zone', phase: PHASE, rules: liveRules(zone) }],
    })),
  };
}

function fileOf({ desired, shared }: ZoneCase, at: number): string {
  return JSON.stringify({
    zone: zoneName(at),
    entrypoints: {
      [PHASE]: {
        ...(shared ? { ownership: { rules: ['team-*'] } } : {}),
        rules: desired.map((rule) => ({ ref: rule.ref, action: 'block', expression: expressionOf(rule) })),
      },
    },
  });
}

/** A rule that another client added to a zone, and the version that this made. */
export interface GuestRule {
  readonly at: number;
  readonly ref: string;
  /** The first id of the rule. */
  readonly id: string;
  readonly version: string;
}

/** A project of several zones, and a service that has them. */
export interface World extends Bench {
  readonly folder: string;
  readonly zones: readonly ZoneCase[];
  /** The environment of a machine. All machines use the same service, through the proxy. */
  env(machine: number): Readonly<Record<string, string>>;
  /** Sets the function that decides about the faults of later requests of a machine. */
  disturb(machine: number, decide: (passing: Passing) => Fault): void;
  /** The rules that another client has added so far. */
  readonly guests: readonly GuestRule[];
  /** The entry point of a zone as it is live. */
  live(at: number): Promise<LiveRuleset | null>;
  /** Adds a rule to a zone as another client, and makes the entry point if there is none. */
  visit(at: number): Promise<void>;
}

/** Starts a service with the zones, and writes their files to a temporary folder; `close` removes both. */
export async function openWorld(zones: readonly ZoneCase[]): Promise<World> {
  const bench = await openBench({ seed: seedOf(zones) });
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-shards-')));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: ["zone-*.yaml"]\n');
  await Promise.all(zones.map((zone, at) => writeFile(join(folder, `zone-${at}.yaml`), fileOf(zone, at))));
  const guests: GuestRule[] = [];
  const deciding = new Map<string, (passing: Passing) => Fault>();
  const proxy = await openFaultProxy(
    bench.emulator.baseUrl,
    (passing) => deciding.get(passing.authorization)?.(passing) ?? { kind: 'pass' },
  );
  const scopeOf = (at: number) => ({ kind: 'zone' as const, id: zoneId(at) });
  const live = (at: number) => getEntrypoint(bench.client, scopeOf(at), PHASE);
  return {
    ...bench,
    folder,
    zones,
    guests,
    env: (machine) => ({ CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: tokenOf(machine) }),
    disturb(machine, decide) {
      deciding.set(`Bearer ${tokenOf(machine)}`, decide);
    },
    live,
    async visit(at) {
      const ref = `visitor-${guests.length}`;
      const there = await live(at);
      const made =
        there === null
          ? await createRuleset(bench.client, scopeOf(at), {
              name: 'default',
              kind: 'zone',
              phase: PHASE,
              rules: [guestRule(ref)],
            })
          : await addRule(bench.client, { scope: scopeOf(at), rulesetId: there.id }, guestRule(ref));
      const id = made?.rules.find((rule) => rule.ref === ref)?.id ?? '';
      guests.push({ at, ref, id, version: made?.version ?? '' });
    },
    async close() {
      await proxy.close();
      await bench.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const isOurs = ({ ref }: LiveRule): boolean => ref.startsWith('team-');

/** The rules of the project in a ruleset, as texts. */
export function oursIn(ruleset: LiveRuleset | null): readonly string[] {
  return (ruleset?.rules ?? [])
    .filter(isOurs)
    .map(({ ref, content }) => `${ref} ${content.action} ${content.expression}`);
}

/** The rules of others in a ruleset. */
export function othersIn(ruleset: LiveRuleset | null): readonly LiveRule[] {
  return (ruleset?.rules ?? []).filter((rule) => !isOurs(rule));
}

/** The declared rules of a zone, as texts. */
export function wantedOf({ desired }: ZoneCase): readonly string[] {
  return desired.map((rule) => `${rule.ref} block ${expressionOf(rule)}`);
}
