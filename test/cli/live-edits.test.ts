import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getEntrypoint } from '../../src/api/rulesets.ts';
import type { WirePosition } from '../../src/api/ruleset-requests.ts';
import type { JsonObject } from '../../src/data/json.ts';
import { contentToWire } from '../../src/model/rule.ts';
import type { LiveRule } from '../../src/model/rule.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import { addRule, deleteRule, updateRule } from '../api/ruleset-writes.ts';
import type { Bench } from '../apply/run-against-service.ts';
import { openBench } from '../apply/run-against-service.ts';
import { createFakeClock } from '../fake-clock.ts';
import { rulewright } from './in-process.ts';

const ZONE = { kind: 'zone', id: '1'.repeat(32) } as const;
const SEED = {
  version: 1,
  accounts: [{ name: 'Shop', plan: 'enterprise' }],
  zones: [{ id: ZONE.id, name: 'shop.example', account: 'Shop', plan: 'enterprise' }],
};

const FILE = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - ref: partners
        description: Partners may pass
        expression: ip.src in {192.0.2.0/24}
        action: skip
        action_parameters: { ruleset: current }
        logging: { enabled: false }
      - { ref: admin, expression: 'http.request.uri.path eq "/admin"', action: block }
      - { ref: scrapers, expression: http.request.uri.path contains "/catalog", action: managed_challenge, enabled: false }
  http_ratelimit:
    rules:
      - ref: logins
        expression: http.request.uri.path eq "/login"
        action: block
        ratelimit: { period: 60, requests_per_period: 5, characteristics: [ip.src, cf.colo.id] }
  http_request_firewall_managed:
    rules:
      - ref: managed
        expression: 'true'
        action: execute
        action_parameters: { id: managed:cloudflare-managed-ruleset }
`;

let bench: Bench;
let folder = '';
beforeEach(async () => {
  bench = await openBench({ seed: SEED });
  folder = await mkdtemp(join(tmpdir(), 'rulewright-edits-'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [shop.yaml]\n');
  await writeFile(join(folder, 'shop.yaml'), FILE);
});
afterEach(async () => {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

function run(line: string) {
  const { baseUrl, token } = bench.emulator;
  const env = { CLOUDFLARE_BASE_URL: baseUrl, CLOUDFLARE_API_TOKEN: token };
  return rulewright(line.split(' '), { cwd: folder, env, clock: createFakeClock() });
}

async function live(phase: string): Promise<LiveRuleset> {
  const found = await getEntrypoint(bench.client, ZONE, phase);
  if (found === null) {
    throw new Error(`${phase} has no entry point`);
  }
  return found;
}

const WAF = 'http_request_firewall_custom';
const idOf = ({ rules }: LiveRuleset, ref: string): string =>
  rules.find((rule) => rule.ref === ref)?.id ?? '';

/** An edit that sends the whole rule again, as the dashboard does. */
function edit(phase: string, ref: string, change: JsonObject, place?: WirePosition) {
  return async () => {
    const { id, rules } = await live(phase);
    const rule = rules.find((one) => one.ref === ref);
    const body = { ref, ...(rule === undefined ? {} : contentToWire(rule.content)), ...change };
    await updateRule(bench.client, { scope: ZONE, rulesetId: id, ruleId: rule?.id ?? '' }, body, place);
  };
}

interface Edit {
  readonly phase: string;
  readonly act: () => Promise<unknown>;
  /** What the output of drift has to match. */
  readonly told: readonly RegExp[];
  /** The ref of a rule that apply makes again, with another id. */
  readonly lost?: string;
}

const EDITS: Readonly<Record<string, Edit>> = {
  'an expression': {
    phase: WAF,
    act: edit(WAF, 'admin', { expression: 'http.request.uri.path eq "/administration"' }),
    told: [/~ admin/, /expression/],
  },
  'an action': {
    phase: WAF,
    act: edit(WAF, 'admin', { action: 'log' }),
    told: [/~ admin/, /action +live log/],
  },
  'a description': {
    phase: WAF,
    act: edit(WAF, 'partners', { description: '' }),
    told: [/~ partners/, /description/],
  },
  'a rule switched off': {
    phase: WAF,
    act: edit(WAF, 'admin', { enabled: false }),
    told: [/~ admin/, /enabled/],
  },
  'a rule switched on': {
    phase: WAF,
    act: edit(WAF, 'scrapers', { enabled: true }),
    told: [/~ scrapers/, /enabled/],
  },
  'the logging of a skip': {
    phase: WAF,
    act: edit(WAF, 'partners', { logging: { enabled: true } }),
    told: [/~ partners/, /logging/],
  },
  'the order of two rules': {
    phase: WAF,
    act: async () => edit(WAF, 'admin', {}, { before: idOf(await live(WAF), 'partners') })(),
    told: [/> (admin|partners)/, /place/],
  },
  'a rule that is gone': {
    phase: WAF,
    act: async () => {
      const there = await live(WAF);
      await deleteRule(bench.client, { scope: ZONE, rulesetId: there.id, ruleId: idOf(there, 'admin') });
    },
    told: [/admin/, /missing live/],
    lost: 'admin',
  },
  'a rule that was added': {
    phase: WAF,
    act: async () => {
      const { id } = await live(WAF);
      await addRule(
        bench.client,
        { scope: ZONE, rulesetId: id },
        {
          action: 'skip',
          expression: 'ssl',
          action_parameters: { ruleset: 'current' },
          description: 'Just for now',
        },
        { before: '' },
      );
    },
    told: [/Just for now/, /only live/],
  },
  'a number of a rate limit': {
    phase: 'http_ratelimit',
    act: edit('http_ratelimit', 'logins', {
      ratelimit: {
        period: 60,
        requests_per_period: 50,
        characteristics: ['ip.src', 'cf.colo.id'],
        mitigation_timeout: 60,
        requests_to_origin: false,
      },
    }),
    told: [/~ logins/, /requests_per_period/],
  },
  'what a rate limit counts by': {
    phase: 'http_ratelimit',
    act: edit('http_ratelimit', 'logins', {
      ratelimit: {
        period: 60,
        requests_per_period: 5,
        characteristics: ['http.host', 'cf.colo.id'],
        mitigation_timeout: 60,
        requests_to_origin: false,
      },
    }),
    told: [/~ logins/, /characteristics/],
  },
  'an override of all managed rules': {
    phase: 'http_request_firewall_managed',
    act: edit('http_request_firewall_managed', 'managed', {
      action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee', overrides: { enabled: false } },
    }),
    told: [/~ managed/, /overrides/],
  },
};

const namesOf = (rules: readonly LiveRule[]) => rules.map(({ ref, id, content }) => ({ ref, id, content }));

describe('a change in the dashboard', () => {
  it.each(Object.keys(EDITS))(
    'is reported by drift, and reverted by apply without a new id for any other rule: %s',
    async (name) => {
      const { phase, act, told, lost } = EDITS[name] ?? { phase: '', act: () => Promise.resolve(), told: [] };
      expect(await run('apply --yes --quiet')).toMatchObject({ code: 0 });
      expect(await run('drift --quiet')).toMatchObject({ code: 0 });
      const before = await live(phase);
      await act();
      const drift = await run('drift --quiet');
      expect(drift.code).toBe(2);
      for (const text of told) {
        expect(drift.stdout).toMatch(text);
      }
      expect(await run('apply --yes --quiet --allow all')).toMatchObject({ code: 0 });
      const after = await live(phase);
      const kept = (rules: readonly LiveRule[]) => namesOf(rules.filter(({ ref }) => ref !== lost));
      expect(kept(after.rules)).toEqual(kept(before.rules));
      expect(after.rules.map(({ ref }) => ref)).toEqual(before.rules.map(({ ref }) => ref));
      expect(await run('drift --quiet')).toMatchObject({ code: 0 });
    },
  );
});
