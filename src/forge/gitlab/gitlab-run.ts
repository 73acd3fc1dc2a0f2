import { RulewrightError } from '../../model/index.ts';
import type { Environment } from '../../model/index.ts';
import type { ForgeRun } from '../port.ts';
import { runPage } from '../run-page.ts';

/** Reads the GitLab pipeline from the environment. Throws `forge/no-run` outside of one. */
export function gitlabRun(env: Environment): ForgeRun {
  const apiUrl = env['CI_API_V4_URL'];
  const project = env['CI_PROJECT_ID'];
  if (apiUrl === undefined || project === undefined) {
    throw new RulewrightError('CI_API_V4_URL and CI_PROJECT_ID do not name a project of GitLab', {
      code: 'forge/no-run',
      fault: 'user',
      hint: 'run it in a pipeline of GitLab, or set both',
    });
  }
  const iid = env['CI_MERGE_REQUEST_IID'] ?? '';
  const source = env['CI_MERGE_REQUEST_SOURCE_PROJECT_ID'] ?? project;
  // Pipelines for merged results run on a trial merge; the commit of the merge request itself is in another variable.
  const merged = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] ?? '';
  const sha = merged === '' ? (env['CI_COMMIT_SHA'] ?? '') : merged;
  const fork = iid !== '' && source !== project;
  return {
    kind: 'gitlab',
    apiUrl: apiUrl.replace(/\/+$/, ''),
    webUrl: (env['CI_PROJECT_URL'] ?? '').replace(/\/+$/, ''),
    repository: project,
    sha,
    run: /^\d{1,15}$/.test(env['CI_PIPELINE_ID'] ?? '') ? Number(env['CI_PIPELINE_ID']) : 0,
    runUrl: runPage(env),
    pullRequest: /^\d{1,9}$/.test(iid) ? { number: Number(iid), headSha: sha, fork } : null,
    foreign: fork,
  };
}
