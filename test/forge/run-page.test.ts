import { expect, it } from 'vitest';
import { githubRun, gitlabRun, runPage } from '../../src/forge/index.ts';
import type { Environment } from '../../src/model/index.ts';

const GITHUB = { GITHUB_REPOSITORY: 'shop/rules', GITHUB_RUN_ID: '7' };
const GITLAB = { CI_API_V4_URL: 'https://gitlab.example/api/v4', CI_PROJECT_ID: '3' };
const ON_GITHUB = 'https://github.com/shop/rules/actions/runs/7';

it.each<readonly [about: string, env: Environment, page: string | null]>([
  ['GitHub, which says its server', { ...GITHUB, GITHUB_SERVER_URL: 'https://github.com/' }, ON_GITHUB],
  ['GitHub, which does not', GITHUB, ON_GITHUB],
  ['a GitHub step by hand', { ...GITHUB, GITHUB_RUN_ID: '' }, null],
  [
    'a job of GitLab',
    { ...GITLAB, CI_JOB_URL: 'https://job', CI_PIPELINE_URL: 'https://all' },
    'https://job',
  ],
  ['a pipeline of GitLab', { ...GITLAB, CI_PIPELINE_URL: 'https://all' }, 'https://all'],
])('comments and webhooks name the same page: %s', (_about, env, page) => {
  const run = 'CI_PROJECT_ID' in env ? gitlabRun(env) : githubRun(env, {});
  expect([run.runUrl, runPage(env)]).toEqual([page, page]);
});
