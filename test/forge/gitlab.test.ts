import { expect, it } from 'vitest';
import { gitlabForge } from '../../src/forge/gitlab/gitlab-forge.ts';
import { gitlabRun } from '../../src/forge/gitlab/gitlab-run.ts';
import { markerText } from '../../src/forge/marker.ts';
import type { Marker } from '../../src/forge/marker.ts';
import { settleComments } from '../../src/forge/settle-comments.ts';
import { settleIssue } from '../../src/forge/settle-issue.ts';
import { createFakeClock } from '../fake-clock.ts';
import type { GitlabStandIn } from './gitlab-stand-in.ts';
import { startGitlab } from './gitlab-stand-in.ts';

const forgeOf = ({ apiUrl }: GitlabStandIn): ReturnType<typeof gitlabForge> =>
  gitlabForge(
    { apiUrl, token: 'secret', tokenName: 'GITLAB_TOKEN', clock: createFakeClock(), onWait: () => undefined },
    '42',
  );

const MARKER: Marker = { subject: 'plan', name: '', sha: 'h', run: 1, at: 1, state: 'x' };

it('updates its one note on a merge request, behind a page of others and after a lost response', async () => {
  const gitlab = await startGitlab();
  for (let id = 1; id <= 130; id += 1) {
    gitlab.notes.push({ id: -id, body: 'hello', author: { id: 1 }, system: id % 2 === 0 });
  }
  gitlab.fail = 502;
  for (const at of [1, 2]) {
    const marker = { ...MARKER, at };
    const bodies = [`${markerText(marker)}\nlook ${at}`];
    await settleComments(
      forgeOf(gitlab).thread(3),
      () => Promise.resolve({ marker, headSha: 'h', bodies }),
      createFakeClock(),
    );
  }
  expect(gitlab.notes).toHaveLength(131);
  expect(gitlab.notes.at(-1)?.body).toContain('look 2');
});

it('opens one issue, puts back its removed label, and closes it', async () => {
  const gitlab = await startGitlab();
  const settle = async (finding: 'drifted' | 'clean', at: number): Promise<string> => {
    const marker: Marker = { ...MARKER, subject: 'drift', at, state: finding === 'drifted' ? 'd' : '' };
    const text = markerText(marker);
    const wanted = { marker, finding, title: 'Drift', bodies: [`${text}\nbody`], news: 'news' };
    return (await settleIssue(forgeOf(gitlab).issues('drift'), wanted, createFakeClock())).change;
  };
  gitlab.fail = 502;
  expect(await settle('drifted', 1)).toBe('opened');
  // Somebody takes the label away.
  gitlab.issues[0]?.labels.pop();
  expect([await settle('drifted', 2), await settle('clean', 3)]).toEqual(['none', 'closed']);
  expect(gitlab.issues).toMatchObject([{ title: 'Drift', state: 'closed', labels: ['drift'] }]);
});

it('reads the run from the variables of a pipeline', () => {
  const variables = {
    CI_API_V4_URL: 'https://gitlab.example/api/v4',
    CI_PROJECT_ID: '42',
    CI_PROJECT_URL: 'https://gitlab.example/team/edge',
    CI_MERGE_REQUEST_IID: '3',
    CI_COMMIT_SHA: 'merged',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'head',
    CI_PIPELINE_ID: '99',
  };
  expect(gitlabRun(variables)).toMatchObject({
    sha: 'head',
    run: 99,
    foreign: false,
    pullRequest: { number: 3 },
  });
  expect(gitlabRun({ ...variables, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '66' }).foreign).toBe(true);
  expect(() => gitlabRun({})).toThrow('CI_API_V4_URL');
});
