import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ended } from '../cli/in-process.ts';
import { rulewright } from '../cli/in-process.ts';
import { copyExample } from '../copy-project.ts';
import type { GithubStandIn } from './github-stand-in.ts';
import { REPOSITORY, startGithub } from './github-stand-in.ts';

/** The hash of a commit, made of one letter. */
export const sha = (letter: string): string => letter.repeat(40);

/** A checkout of a project in a workflow of GitHub. */
interface Workflow {
  readonly folder: string;
  readonly github: GithubStandIn;
  readonly run: (
    command: string,
    more?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ) => Promise<Ended>;
  /** Writes the payload of an event, as GitHub documents it, and runs a command for it. */
  readonly on: (event: unknown, command: string, more?: Readonly<Record<string, string>>) => Promise<Ended>;
}

/** Copies a project into a folder of its own, and starts a stand-in for GitHub. */
export async function startWorkflow(): Promise<Workflow> {
  const github = await startGithub();
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-forge-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyExample('first', folder);
  const env = {
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_API_URL: github.apiUrl,
    GITHUB_TOKEN: 'workflow',
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_SHA: sha('e'),
  };
  await writeFile(env.GITHUB_EVENT_PATH, '{}');
  const run: Workflow['run'] = (command, more = {}, signal = new AbortController().signal) =>
    rulewright(command.split(' '), { cwd: folder, env: { ...env, ...more }, signal });
  return {
    folder,
    github,
    run,
    on: async (event, command, more) => {
      await writeFile(env.GITHUB_EVENT_PATH, JSON.stringify(event));
      return run(command, more);
    },
  };
}

/** The payload of a push to a pull request. */
export function pullRequestEvent(head: string, headRepo: string | null = REPOSITORY): unknown {
  return {
    action: 'synchronize',
    number: 12,
    pull_request: {
      number: 12,
      head: { sha: head, ref: 'rules', repo: headRepo === null ? null : { full_name: headRepo } },
      base: { sha: sha('0'), ref: 'main', repo: { full_name: REPOSITORY } },
      merge_commit_sha: sha('f'),
    },
    repository: { full_name: REPOSITORY },
  };
}
