import { RulewrightError } from '../../model/index.ts';
import type { Environment } from '../../model/index.ts';
import type { ForgeRun, PullRequestFacts } from '../port.ts';
import { at, numberAt, textAt } from '../requests.ts';
import { githubServer, runPage } from '../run-page.ts';

/**
 * Reads the GitHub Actions run from the environment and the payload of the event that started it. Throws `forge/no-run` outside of GitHub
 * Actions.
 */
export function githubRun(env: Environment, event: unknown): ForgeRun {
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  if (!/^[^/\s]+\/[^/\s]+$/.test(repository)) {
    throw new RulewrightError('GITHUB_REPOSITORY does not name a repository', {
      code: 'forge/no-run',
      fault: 'user',
      hint: 'run it in GitHub Actions, or set GITHUB_REPOSITORY to owner/name',
    });
  }
  const webUrl = `${githubServer(env)}/${repository}`;
  const pullRequest = pullRequestOf(event);
  const runId = env['GITHUB_RUN_ID'] ?? '';
  return {
    kind: 'github',
    apiUrl: (env['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/+$/, ''),
    webUrl,
    repository,
    sha: pullRequest?.headSha ?? textAt(event, 'workflow_run', 'head_sha') ?? env['GITHUB_SHA'] ?? '',
    run: /^\d{1,15}$/.test(runId) ? Number(runId) : 0,
    runUrl: runPage(env),
    pullRequest,
    foreign: pullRequest?.fork ?? isForeignRun(event),
  };
}

/** Returns the pull request of an event: its own, that of a commented issue, or that of the preceding workflow run. */
function pullRequestOf(event: unknown): PullRequestFacts | null {
  const number = numberAt(event, 'pull_request', 'number');
  if (number !== null) {
    const head = textAt(event, 'pull_request', 'head', 'repo', 'full_name');
    const base = textAt(event, 'pull_request', 'base', 'repo', 'full_name');
    // The head repository of a deleted fork is null.
    return {
      number,
      headSha: textAt(event, 'pull_request', 'head', 'sha'),
      fork: head === null || head !== base,
    };
  }
  const commented =
    at(event, 'issue', 'pull_request') === undefined ? null : numberAt(event, 'issue', 'number');
  const before = numberAt(event, 'workflow_run', 'pull_requests', 0, 'number');
  if (commented !== null) {
    // The event of a comment does not say where the files come from; GitHub is asked before anything is posted.
    return { number: commented, headSha: null, fork: false };
  }
  return before === null
    ? null
    : { number: before, headSha: textAt(event, 'workflow_run', 'head_sha'), fork: isForeignRun(event) };
}

function isForeignRun(event: unknown): boolean {
  return (
    at(event, 'workflow_run') !== undefined &&
    textAt(event, 'workflow_run', 'head_repository', 'full_name') !== textAt(event, 'repository', 'full_name')
  );
}
