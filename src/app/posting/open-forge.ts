import type { Clock } from '../../network/index.ts';
import type { Forge, ForgeRun } from '../../forge/index.ts';
import type { Environment } from '../../model/index.ts';
import { RulewrightError } from '../../model/index.ts';
import { proxyFor } from '../../network/index.ts';

/** What access to a forge needs from the process. */
export interface ForgeContext {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** The clock for waits, and for the times in comments. */
  readonly clock: Clock;
  /** Called before a long wait. */
  readonly onWait: (ms: number, reason: string) => void;
}

const TOKENS: Readonly<Record<ForgeRun['kind'], string>> = { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN' };

/** Opens the forge that a run belongs to. Throws `forge/no-token` and `api/bad-proxy`; sends nothing yet. */
export async function openForge(run: ForgeRun, { env, signal, clock, onWait }: ForgeContext): Promise<Forge> {
  const tokenName = TOKENS[run.kind];
  const token = env[tokenName] ?? '';
  if (token === '') {
    throw new RulewrightError(`${tokenName} is not set`, {
      code: 'forge/no-token',
      fault: 'user',
      hint:
        run.kind === 'github'
          ? 'Give the step env: GITHUB_TOKEN: ${{ github.token }}, and the job permissions: pull-requests: write, issues: write.'
          : 'Make a project access token with the scope api, and put it into a masked CI/CD variable.',
    });
  }
  const proxy = proxyFor(run.apiUrl, env);
  const connection = { apiUrl: run.apiUrl, token, tokenName, clock, proxy, signal, onWait };
  // Each forge is loaded on demand, since their clients are large.
  return run.kind === 'github'
    ? (await import('../../forge/index.ts')).githubForge(connection, run.repository)
    : (await import('../../forge/index.ts')).gitlabForge(connection, run.repository);
}
