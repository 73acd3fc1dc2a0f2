import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import type { UsageReport } from '../../src/model/index.ts';
import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';

const READER = 'reader-reader-reader-reader-reader-reader';
const RIGHTS = [
  'Zone Read',
  'Zone WAF Read',
  'Dynamic URL Redirects Read',
  'Account WAF Read',
  'Analytics Read',
];

const block = { action: 'block', expression: 'http.request.uri.path eq "/x"' };
const firewall = (rules: readonly object[]) => ({
  kind: 'zone',
  phase: 'http_request_firewall_custom',
  last_updated: '2026-01-02T03:04:05Z',
  rules,
});

const seed = (permissions: readonly string[]) => ({
  version: 1,
  tokens: { [READER]: [{ permissions, resources: ['*'] }] },
  accounts: [{ name: 'Shop', plan: 'enterprise', features: ['account_rulesets'] }],
  zones: [
    {
      name: 'a.example',
      plan: 'pro',
      security_events: [
        { rule: 'busy', count: 12, hours_ago: 3 },
        { rule: 'busy', count: 30, hours_ago: 100 },
        { rule: 'long-ago', count: 5, hours_ago: 24 * 20 },
      ],
      rulesets: [
        firewall([
          { ...block, ref: 'busy' },
          { ...block, ref: 'long-ago' },
          { ...block, ref: 'off', enabled: false },
          {
            ...block,
            ref: 'silent',
            action: 'skip',
            action_parameters: { ruleset: 'current' },
            logging: { enabled: false },
          },
        ]),
        {
          kind: 'zone',
          phase: 'http_request_dynamic_redirect',
          rules: [
            {
              ref: 'moved',
              action: 'redirect',
              expression: 'true',
              action_parameters: { from_value: { target_url: { value: 'https://b.example/' } } },
            },
          ],
        },
      ],
    },
    ...Array.from({ length: 11 }, (_, index) => ({
      name: `z${index}.example`,
      plan: 'pro',
      rulesets: [firewall([{ ...block, ref: `rule-${index}` }])],
      ...(index === 7 ? { security_events: [{ rule: 'rule-7', count: 1, hours_ago: 1 }] } : {}),
    })),
  ],
});

let folder: string;
let emulator: Emulator;
let asked: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-usage-'));
  const names = seed([]).zones.map(({ name }) => name);
  await Promise.all(
    names.map((name) => writeFile(join(folder, `${name}.yaml`), `zone: ${name}\nentrypoints: {}\n`)),
  );
  await writeFile(join(folder, 'rulewright.yaml'), "version: 1\nfiles: ['*.example.yaml']\n");
});
afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

async function usage(permissions: readonly string[], ...args: readonly string[]): Promise<Ended> {
  asked = [];
  emulator = await startEmulator({
    seed: seed(permissions),
    log: (event) => {
      if (event.kind === 'request' && event.path.endsWith('/graphql')) {
        asked.push(event.wrote ? 'wrote' : event.method);
      }
    },
  });
  const env = { CLOUDFLARE_API_TOKEN: READER };
  return rulewright(['usage', '--base-url', emulator.baseUrl, ...args], { cwd: folder, env });
}

it('says which rules matched, which left no event, and of which that cannot be known, over days and zones', async () => {
  const { code, stdout } = await usage(RIGHTS, '--format', 'json', '--days', '7');
  const report = JSON.parse(stdout) as UsageReport;
  expect([code, report.failed]).toEqual([0, []]);
  expect(
    report.rules.map(({ ref, status, events, reason }) => [ref, status, events, reason]).slice(0, 5),
  ).toEqual([
    ['busy', 'matched', 42, null],
    ['long-ago', 'no_event', 0, null],
    ['off', 'not_measurable', null, 'it is disabled'],
    ['silent', 'not_measurable', null, 'its logging is off'],
    ['moved', 'not_measurable', null, 'rules of its phase leave no security events'],
  ]);
  expect(report.rules.filter(({ status }) => status === 'matched').map(({ ref }) => ref)).toEqual([
    'busy',
    'rule-7',
  ]);
  // Twelve zones are two queries of ten, each for the limits and for three parts of seven days.
  expect(asked).toEqual(Array.from({ length: 8 }, () => 'POST'));
  expect(report.zones[0]).toMatchObject({ name: 'a.example', retention_days: 31 });
});

it('asks for no more than the service keeps, and tells people so', async () => {
  const { code, stdout } = await usage(RIGHTS, '--days', '60', '--zone', 'a.example');
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Events are kept for less than that: a.example'),
  ]);
  expect(stdout).toMatch(/Matched[^]*busy[^]*about 42 events[^]*long-ago[^]*about 5 events/u);
  expect(stdout).not.toContain('To review');
});

it('fails for zones whose events the token may not read, and names the permission', async () => {
  const { code, stdout } = await usage(RIGHTS.slice(0, -1), '--zone', 'a.example');
  expect([code, stdout]).toEqual([1, expect.stringContaining('zone:a.example could not be asked')]);
});
