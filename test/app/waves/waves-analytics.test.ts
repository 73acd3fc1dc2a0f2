import { afterEach, expect, test } from 'vitest';
import type { WavesProject } from './waves-project.ts';
import { openWavesProject } from './waves-project.ts';

// A whole run in waves, judged by the analytics of the embedded service, whose visitors go through the live rules.

let project: WavesProject;
afterEach(() => project.close());

const ROLLOUT = `  waves: [{ scopes: [a.example] }, { share: 100% }]
  health:
    errors: { max: 1%, window: 10m }
    blocked: { above_before: 5%, above_others: 5%, window: 10m }
    min_requests: 100
  on_failure: rollback
`;

/** Has visitors come; `faults` are what goes wrong by a rule that is live. */
async function visitors(requestsPerMinute: number, faults: readonly object[] = []): Promise<void> {
  const answer = await fetch(`${project.emulator.controlUrl}/traffic`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requests_per_minute: requestsPerMinute, delay_seconds: 300, faults }),
  });
  expect(answer.ok).toBe(true);
}

test.each<[string, object[], string, RegExp]>([
  ['errors', [{ rule: 'guard', effect: 'errors', percent: 5 }], 'a.example', /share of 5xx answers is 5%/u],
  [
    'blocks',
    [{ rule: 'guard', effect: 'blocks', percent: 20 }],
    'a.example',
    /may rise by 5 percentage points/u,
  ],
])('a wave that %s is put back', async (_what, faults, zone, said) => {
  project = await openWavesProject(ROLLOUT, 'pro');
  await project.rules('http.host eq "nobody.example"');
  await visitors(60, faults);
  const { code, stdout } = await project.run(['apply', '--yes']);
  expect([code, await project.live()]).toEqual([4, 'a -, b -, c -']);
  expect(stdout.replaceAll(/\s+/gu, ' ')).toMatch(said);
  expect(stdout).toContain(`zone:${zone}`);
});

test('a wave that is well is followed by the next one', async () => {
  project = await openWavesProject(ROLLOUT, 'pro');
  await project.rules('http.host eq "nobody.example"');
  await visitors(60);
  const { code, stdout } = await project.run(['apply', '--yes']);
  expect([code, await project.journal()]).toEqual([
    0,
    [1, 2].flatMap((wave) => ['begun', 'written', 'passed'].map((state) => `${wave} ${state}`)),
  ]);
  expect(stdout).toContain('the wave: 0% (0 of 600 requests), before 0% (0 of 600 requests)');
});

test('a wave with few visitors holds the next one until there were enough, for a while', async () => {
  project = await openWavesProject(ROLLOUT.replace(/    blocked.*\n/u, ''), 'pro');
  await project.rules('http.host eq "nobody.example"');
  await visitors(4);
  const enough = await project.run(['apply', '--yes', '--until-wave', '1']);
  expect([enough.code, await project.live()]).toEqual([0, 'a http.host eq "nobody.example", b -, c -']);
  expect(enough.stderr).toContain(
    'looking again at 2026-11-28 12:40:00 UTC, until 2026-11-28 12:50:00 UTC at most',
  );
  await visitors(1);
  const few = await project.run(['apply', '--yes']);
  expect([few.code, few.stdout]).toEqual([4, expect.stringContaining('Wave 2 is not known to be well')]);
});
