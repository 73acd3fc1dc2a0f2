import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '..', '..', '.github', 'actions', 'reviewed-plan', 'find-run.mjs');

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

interface Artifact {
  readonly expired: boolean;
  readonly workflow_run: {
    readonly id: number;
    readonly head_sha: string;
    readonly head_repository_id: number;
    readonly repository_id: number;
  };
}

function artifact(
  id: number,
  head: string,
  more: { readonly expired?: boolean; readonly fork?: boolean } = {},
): Artifact {
  const repository = { repository_id: 1, head_repository_id: more.fork === true ? 2 : 1 };
  return { expired: more.expired ?? false, workflow_run: { id, head_sha: head, ...repository } };
}

/** Runs the script against a stand-in that answers as GitHub does: what merged the commit, and pages of artifacts. */
async function find(
  pulls: readonly object[] | number,
  artifacts: readonly Artifact[] = [],
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const page = Number(url.searchParams.get('page') ?? 1);
    if (typeof pulls === 'number') {
      response.writeHead(pulls).end('{}');
    } else if (url.pathname === '/repos/o/r/commits/merged/pulls') {
      response.end(JSON.stringify(pulls));
    } else if (
      url.pathname === '/repos/o/r/actions/artifacts' &&
      url.searchParams.get('name') === 'the plan'
    ) {
      response.end(JSON.stringify({ artifacts: artifacts.slice((page - 1) * 100, page * 100) }));
    } else {
      response.writeHead(404).end('{}');
    }
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const env = {
    PATH: process.env['PATH'],
    GITHUB_API_URL: `http://127.0.0.1:${port}`,
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_SHA: 'merged',
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REF_NAME: 'main',
    GH_TOKEN: 'token-of-the-run',
    RW_ARTIFACT: 'the plan',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SCRIPT], { env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const MERGED = { number: 7, merged_at: '2026-11-20T10:00:00Z', head: { sha: 'head' }, base: { ref: 'main' } };
const OPEN = { number: 8, merged_at: null, head: { sha: 'other' }, base: { ref: 'main' } };
const ELSEWHERE = { ...MERGED, number: 6, head: { sha: 'other' }, base: { ref: 'sandbox' } };

describe('the reviewed plan', () => {
  it('is the newest of the head of the merged pull request, on whichever page', async () => {
    const others = Array.from({ length: 130 }, (_, index) => artifact(index, 'other'));
    const found = await find(
      [OPEN, ELSEWHERE, MERGED],
      [...others, artifact(501, 'head'), artifact(500, 'head')],
    );
    expect(found).toEqual({ code: 0, stdout: '501\n', stderr: '' });
  });

  it('never comes from a fork, and not from what has expired', async () => {
    const { code, stdout, stderr } = await find(
      [MERGED],
      [artifact(1, 'head', { fork: true }), artifact(2, 'head', { expired: true }), artifact(3, 'other')],
    );
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('::error title=No reviewed plan::');
  });

  it('does not exist for a commit that no pull request brought', async () => {
    const { code, stderr } = await find([OPEN]);
    expect([code, stderr.includes('Nothing was reviewed')]).toEqual([3, true]);
  });

  it('is not the one that was merged into another branch, which nobody may have reviewed', async () => {
    const { code, stdout, stderr } = await find([ELSEWHERE], [artifact(1, 'other')]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('No merged pull request brought merged to main');
  });

  it('is not guessed when GitHub cannot be asked, and the token stays out of what is said', async () => {
    const { code, stdout, stderr } = await find(403);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('answered 403');
    expect(stderr).not.toContain('token-of-the-run');
  });
});
