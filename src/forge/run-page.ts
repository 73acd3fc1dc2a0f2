import type { Environment } from '../model/index.ts';

/** Returns the page of the CI run that the environment describes; null outside of GitHub Actions and GitLab. */
export function runPage(env: Environment): string | null {
  const { GITHUB_REPOSITORY: repository = '', GITHUB_RUN_ID: run = '' } = env;
  return repository !== '' && run !== ''
    ? `${githubServer(env)}/${repository}/actions/runs/${run}`
    : (filled(env['CI_JOB_URL']) ?? filled(env['CI_PIPELINE_URL']) ?? null);
}

/** Returns the address of the GitHub server, without a slash at its end. */
export function githubServer(env: Environment): string {
  return (filled(env['GITHUB_SERVER_URL']) ?? 'https://github.com').replace(/\/+$/, '');
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
