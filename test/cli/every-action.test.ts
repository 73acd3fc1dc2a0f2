import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/data/json.ts';
import { actionsIn, PHASES } from '../../src/model/index.ts';
import type { ScopeKind } from '../../src/model/scope.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { createFakeClock } from '../fake-clock.ts';
import { rulewright } from './in-process.ts';

/** The minimal parameters of each action, so that the service adds as many defaults as it can. */
const PARAMETERS: Readonly<Record<string, JsonObject>> = {
  block: {},
  challenge: {},
  js_challenge: {},
  managed_challenge: {},
  log: {},
  skip: { ruleset: 'current' },
  set_config: { bic: false },
  route: { origin: { port: 8443 } },
  set_cache_settings: { cache: true },
  set_cache_control: { 'max-age': { operation: 'set', value: 60 } },
  set_cache_tags: { operation: 'add', values: ['b', 'a'] },
  serve_error: { content: 'Sorry', content_type: 'text/plain' },
  compress_response: { algorithms: [{ name: 'gzip' }] },
  log_custom_field: { request_fields: [{ name: 'accept' }], response_fields: [{ name: 'server' }] },
};

const REDIRECT = { from_value: { target_url: { value: 'https://shop.example/' } } };
const HEADERS = { headers: { 'X-Seen': { operation: 'set', value: 'yes' } } };

/** The minimal parameters of actions that depend on the phase. */
const BY_PHASE: Readonly<Record<string, JsonObject>> = {
  'http_request_transform rewrite': { uri: { path: { value: '/' } } },
  'http_request_late_transform rewrite': HEADERS,
  'http_response_headers_transform rewrite': HEADERS,
  'http_request_dynamic_redirect redirect': REDIRECT,
  'http_request_redirect redirect': { from_list: { name: 'redirects', key: 'http.request.full_uri' } },
  'http_response_cache_settings set_cache_settings': { strip_etags: true },
  'http_request_firewall_custom execute': { id: 'custom:ours' },
  'http_request_firewall_managed execute': { id: 'managed:cloudflare-managed-ruleset' },
  'http_response_firewall_managed execute': { id: 'managed:cloudflare-sensitive-data-detection' },
  'http_request_sanitize execute': { id: 'managed:cloudflare-normalization-ruleset' },
  'http_ratelimit execute': { id: 'custom:limits' },
  'ddos_l7 execute': { id: 'managed:ddos-l7-ruleset' },
  'ddos_l4 execute': { id: 'managed:cloudflare-l3-4-ddos-ruleset' },
  'magic_transit execute': { id: 'custom:network' },
};

const RATELIMIT = { period: 60, requests_per_period: 5, characteristics: ['ip.src', 'cf.colo.id'] };

/** Phases without a rule to write: bot settings make the rules of the first; the embedded service has no managed ruleset for the others. */
const UNWRITTEN: ReadonlySet<string> = new Set([
  'http_request_sbfm',
  'magic_transit_managed',
  'magic_transit_ids_managed',
]);

/** Phases whose account entry points apply to Enterprise zones only, which their expressions have to say. */
const ENTERPRISE: ReadonlySet<string> = new Set([
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_firewall_managed',
  'http_response_firewall_managed',
]);

function expressionOf(phase: string, level: 'zone' | 'root' | 'custom'): string {
  if (phase === 'http_request_redirect') {
    return 'http.request.full_uri in $redirects';
  }
  return level === 'root' && ENTERPRISE.has(phase) ? 'cf.zone.plan eq "ENT"' : 'true';
}

function ruleOf(level: 'zone' | 'root' | 'custom', phase: string, action: string): JsonObject {
  const parameters = BY_PHASE[`${phase} ${action}`] ?? PARAMETERS[action];
  if (parameters === undefined) {
    throw new Error(`no parameters for ${action} in ${phase}`);
  }
  return {
    ref: `${action}-rule`,
    expression: expressionOf(phase, level),
    action,
    ...(Object.keys(parameters).length === 0 ? {} : { action_parameters: parameters }),
    ...(phase.endsWith('_ratelimit') && action !== 'execute' ? { ratelimit: RATELIMIT } : {}),
  };
}

/** A file with a rule for every action in every phase of a scope. */
function fileOf(kind: ScopeKind): JsonObject {
  const level = kind === 'zone' ? 'zone' : 'root';
  const phases = PHASES.filter(({ name, entrypoints }) => entrypoints.includes(kind) && !UNWRITTEN.has(name));
  return {
    [kind]: kind === 'zone' ? 'shop.example' : 'Shop',
    entrypoints: Object.fromEntries(
      phases.map(({ name }) => [
        name,
        { rules: (actionsIn(name, kind) ?? []).map((action) => ruleOf(level, name, action)) },
      ]),
    ),
    rulesets: PHASES.filter(({ custom }) => custom.includes(kind)).map(({ name }) => ({
      name: name === 'http_ratelimit' ? 'Limits' : name === 'magic_transit' ? 'Network' : 'Ours',
      phase: name,
      rules: (actionsIn(name, `${kind}Custom`) ?? [])
        .filter((action) => action !== 'rewrite')
        .map((action) => ruleOf('custom', name, action)),
    })),
  };
}

const SEED = {
  version: 1,
  accounts: [
    {
      name: 'Shop',
      plan: 'enterprise',
      features: ['account_rulesets', 'magic_transit', 'network_ddos', 'advanced_rate_limiting'],
      lists: [{ name: 'redirects', kind: 'redirect', items: [] }],
    },
  ],
  zones: [{ name: 'shop.example', account: 'Shop', plan: 'enterprise' }],
};

let folder = '';
let emulator: Emulator;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-actions-'));
  emulator = await startEmulator({ seed: SEED, budget: 'off' });
});
afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command in a folder of the project. */
function run(within: string, ...words: readonly string[]) {
  const env = { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token };
  return rulewright(words, { cwd: join(folder, within), env, clock: createFakeClock() });
}

describe('a file with every action in every phase, without parameters that the service adds', () => {
  it.each(['zone', 'account'] as const)(
    'leaves nothing to plan after an apply, and after an import of the result: %s',
    async (kind) => {
      await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [all.yaml]\n');
      await writeFile(join(folder, 'all.yaml'), JSON.stringify(fileOf(kind)));
      const applied = await run('.', 'apply', '--yes', '--allow', 'all');
      expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('Applied.') });
      expect(await run('.', 'plan', '--exit-code', '--no-cache')).toMatchObject({ code: 0 });
      const name = kind === 'zone' ? 'shop.example' : 'Shop';
      expect(await run('.', 'import', `--${kind}`, name, '--out', 'imported')).toMatchObject({ code: 0 });
      expect(await run('imported', 'plan', '--exit-code', '--no-cache')).toMatchObject({ code: 0 });
    },
  );
});
