import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { driftOf, endingRules, postDrift } from '../../src/app/index.ts';
import type { Diagnostic } from '../../src/model/index.ts';
import { driftJson } from '../../src/report/index.ts';
import { createFakeClock } from '../fake-clock.ts';
import { plan, scope } from '../report/plan-builder.ts';
import { startGitlab } from './gitlab-stand-in.ts';

const finding = (ref: string): Diagnostic => ({
  code: 'active/ended',
  severity: 'warning',
  message: `the rule \`${ref}\` ended at 2026-01-06 00:00 UTC; it belongs to team-edge`,
  ends: { rule: ref, owner: 'team-edge', until: '2026-01-06T00:00:00.000Z' },
});

it('opens the drift issue for rules that have ended, names their owners, and closes it when they are gone', async () => {
  const gitlab = await startGitlab();
  const cwd = await mkdtemp(join(tmpdir(), 'ended-rules-'));
  const file = join(cwd, 'drift.json');
  const post = async (ended: readonly string[]): Promise<string> => {
    const drift = driftOf(plan(scope([])), { ends: endingRules(ended.map(finding)) });
    await writeFile(file, JSON.stringify(driftJson(drift)));
    const env = {
      CI_API_V4_URL: gitlab.apiUrl,
      CI_PROJECT_ID: '42',
      CI_PROJECT_URL: 'https://gitlab.example/team/edge',
      CI_COMMIT_SHA: 'head',
      CI_PIPELINE_ID: '99',
      GITLAB_TOKEN: 'secret',
    };
    const { change } = await postDrift({
      forge: 'gitlab',
      file,
      selection: { cwd, paths: [], targets: [] },
      label: 'drift',
      env,
      signal: new AbortController().signal,
      clock: createFakeClock(),
      onWait: () => undefined,
    });
    return change;
  };
  expect([await post(['agency']), await post(['agency']), await post(['agency', 'sale'])]).toEqual([
    'opened',
    'none',
    'changed',
  ]);
  expect(gitlab.issues).toMatchObject([{ title: 'Drift: rules of the files have ended', state: 'opened' }]);
  expect(gitlab.issues[0]?.description).toContain('it belongs to team-edge');
  expect(await post([])).toBe('closed');
});
