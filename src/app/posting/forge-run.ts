import { readFile } from 'node:fs/promises';
import { githubRun, gitlabRun, sourceBase } from '../../forge/index.ts';
import type { Environment } from '../../model/index.ts';
import type { ForgeRun } from '../../forge/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { SourceLinks } from '../../report/index.ts';
import { repositoryFolder } from '../project/repository-folder.ts';
import type { Selection } from '../project/selection.ts';

/** Reads the forge run that this process is part of. Throws `forge/no-run`, and `forge/bad-event` for an unreadable payload. */
export async function readForgeRun(kind: ForgeRun['kind'], env: Environment): Promise<ForgeRun> {
  return kind === 'gitlab' ? gitlabRun(env) : githubRun(env, await readEvent(env['GITHUB_EVENT_PATH']));
}

/** Returns links to a project's files if a forge runs this process; null elsewhere. */
export async function sourceLinks(env: Environment, selection: Selection): Promise<SourceLinks> {
  const kind =
    env['GITHUB_REPOSITORY'] !== undefined ? 'github' : env['CI_API_V4_URL'] === undefined ? null : 'gitlab';
  if (kind === null) {
    return null;
  }
  return linksOf(await readForgeRun(kind, env), await repositoryFolder(selection));
}

/** Returns links to the files of a run; null if its commit or its web address is unknown. */
export function linksOf(run: ForgeRun, folder: string): SourceLinks {
  return run.sha === '' || run.webUrl === '' ? null : { base: sourceBase(run, folder) };
}

async function readEvent(path: string | undefined): Promise<unknown> {
  if (path === undefined || path === '') {
    return null;
  }
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new RulewrightError(`the event of this run (GITHUB_EVENT_PATH) cannot be read: ${path}`, {
      code: 'forge/bad-event',
      fault: 'user',
      hint: 'GitHub Actions writes it; without it nobody knows whether the files come from a fork',
      cause: error,
    });
  }
}
