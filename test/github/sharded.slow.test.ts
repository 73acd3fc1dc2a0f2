import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { startEmulator } from '../../src/emulator/index.ts';
import { copyExample } from '../copy-project.ts';

// Runs the scripts of the examples unchanged, with the command line as users have it, against the embedded service.

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
let folder = '';
let bin = '';
let emulator: Awaited<ReturnType<typeof startEmulator>>;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-sharded-')));
  bin = join(folder, 'bin');
  await copyExample('shop', join(folder, 'project'));
  await mkdir(bin);
  const cli = join(ROOT, 'dist', 'cli', 'main.js');
  await writeFile(join(bin, 'rulewright'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  await chmod(join(bin, 'rulewright'), 0o755);
  emulator = await startEmulator({ port: 0 });
});

afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

interface ShellEnded {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script in the project with only these variables. */
async function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<ShellEnded> {
  const all = {
    PATH: `${bin}:/usr/bin:/bin`,
    CLOUDFLARE_BASE_URL: emulator.baseUrl,
    CLOUDFLARE_API_TOKEN: emulator.token,
    ...env,
  };
  const how = { cwd: join(folder, 'project'), env: all };
  return run('sh', ['-ec', script], how).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => failed(error),
  );
}

function failed(error: unknown): ShellEnded {
  if (error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error) {
    return { code: Number(error.code), stdout: String(error.stdout), stderr: String(error.stderr) };
  }
  throw error;
}

/** Returns the value at a path of keys in a parsed value. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([name]) => name === String(key))?.[1]
        : undefined,
    value,
  );
}

const yaml = async (path: string): Promise<unknown> => parse(await readFile(join(ROOT, path), 'utf8'));

const whole = async (): Promise<string> =>
  (await shell('rulewright drift --format json || test $? -eq 2')).stdout;

describe('examples/github/sharded.yml', () => {
  it('merges the reports of all shards into the report of a single machine', async () => {
    const document = await yaml('examples/github/sharded.yml');
    const shards = at(document, 'jobs', 'shard', 'strategy', 'matrix', 'shard');
    const count = String(at(document, 'env', 'SHARDS'));
    expect(shards).toEqual([1, 2, 3, 4]);
    expect(count).toBe('4');
    expect(at(document, 'env', 'VERSION')).toBe('');
    const steps = at(document, 'jobs', 'shard', 'steps');
    const [drift = ''] = scripts(steps, 'drift --shard');
    for (const shard of [1, 2, 3, 4]) {
      expect(await shell(drift, { SHARD: String(shard), SHARDS: count })).toMatchObject({ code: 0 });
    }
    const [merge = ''] = scripts(at(document, 'jobs', 'report', 'steps'), 'rulewright merge');
    expect(await shell(merge)).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'project', 'drift.json'), 'utf8')).toBe(await whole());
    expect(await readFile(join(folder, 'project', 'results', 'drift-1.prom'), 'utf8')).toContain('# EOF');
    // A shard that could not read everything fails, and its report is merged with the others.
    const unread = { SHARD: '4', SHARDS: count, CLOUDFLARE_API_TOKEN: 'a-token-that-nobody-has' };
    expect(await shell(drift, unread)).toMatchObject({ code: 1 });
    await rm(join(folder, 'project', 'drift.json'));
    expect(await shell(merge)).toMatchObject({ code: 1 });
    const merged: unknown = JSON.parse(await readFile(join(folder, 'project', 'drift.json'), 'utf8'));
    expect(merged).toMatchObject({ kind: 'drift' });
    expect(at(document, 'jobs', 'report', 'if')).toBe('${{ !cancelled() }}');
  });
});

/** The scripts of steps that hold a text. */
function scripts(steps: unknown, text: string): readonly string[] {
  return (Array.isArray(steps) ? steps : []).flatMap((step: unknown) => {
    const script = at(step, 'run');
    return typeof script === 'string' && script.includes(text) ? [script] : [];
  });
}

describe('examples/kubernetes', () => {
  it('runs each index of the Job as a shard, and merges their reports', async () => {
    const text = await readFile(join(ROOT, 'examples/kubernetes/drift.yaml'), 'utf8');
    const documents = parseAllDocuments(text).map((document): unknown => document.toJS());
    const job = documents.find((document) => at(document, 'kind') === 'Job');
    expect(at(job, 'spec')).toMatchObject({ completionMode: 'Indexed', completions: 4, parallelism: 4 });
    const state = join(folder, 'state');
    await mkdir(state);
    const script = String(at(job, 'spec', 'template', 'spec', 'containers', 0, 'command', 2)).replaceAll(
      '/state/',
      `${state}/`,
    );
    for (const index of ['0', '1', '2', '3']) {
      expect(await shell(script, { JOB_COMPLETION_INDEX: index })).toMatchObject({ code: 0 });
    }
    const merging = await yaml('examples/kubernetes/merge.yaml');
    const merge = String(at(merging, 'spec', 'template', 'spec', 'containers', 0, 'command', 2)).replaceAll(
      '/state/',
      `${state}/`,
    );
    const merged = await shell(merge);
    expect(merged.code).toBe(2);
    const { stdout } = await shell('rulewright drift || test $? -eq 2');
    expect(merged.stdout).toBe(stdout);
    // An index that fails leaves no report of an earlier run; one that could not read everything leaves its own.
    const unread = { JOB_COMPLETION_INDEX: '3', CLOUDFLARE_API_TOKEN: 'a-token-that-nobody-has' };
    expect(await shell(script, unread)).toMatchObject({ code: 0 });
    expect(await shell(merge)).toMatchObject({ code: 1 });
    expect(
      await shell(script.replace('--shard', '--shards'), { JOB_COMPLETION_INDEX: '2' }),
    ).not.toMatchObject({
      code: 0,
    });
    const { code, stderr } = await shell(merge);
    expect([code, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([
      1,
      expect.stringContaining('drift-3.json tells of a shard that failed: there is no flag --shards'),
    ]);
  });

  it.each(['drift', 'merge', 'replay'])('restricts the pods of %s', async (name) => {
    const text = await readFile(join(ROOT, `examples/kubernetes/${name}.yaml`), 'utf8');
    const job = parseAllDocuments(text)
      .map((document): unknown => document.toJS())
      .find((document) => at(document, 'kind') === 'Job');
    const pod = at(job, 'spec', 'template', 'spec');
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const containers = [at(pod, 'initContainers'), at(pod, 'containers')].flatMap(
      (list): readonly unknown[] => (Array.isArray(list) ? list : []),
    );
    const volumes = at(pod, 'volumes');
    expect(containers.length).toBeGreaterThan(0);
    for (const container of containers) {
      expect(at(container, 'securityContext')).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounts = at(container, 'volumeMounts');
      for (const mount of Array.isArray(mounts) ? mounts : []) {
        expect(volumes).toContainEqual(expect.objectContaining({ name: at(mount, 'name') }));
      }
    }
  });
});

describe('examples/container/Dockerfile', () => {
  it('pins its base image, builds from the files that are let in, and does not run as root', async () => {
    const text = await readFile(join(ROOT, 'examples/container/Dockerfile'), 'utf8');
    const lines = text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const words = new Set(['ARG', 'FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENTRYPOINT']);
    expect(lines.filter((line) => !words.has(line.split(' ')[0] ?? ''))).toEqual([]);
    expect(lines[0]).toMatch(/^ARG BASE=node:\d+\.\d+\.\d+-alpine\d+\.\d+$/);
    expect(lines.filter((line) => line.startsWith('FROM'))).toEqual([
      'FROM ${BASE} AS build',
      'FROM ${BASE}',
    ]);
    expect(lines.findLast((line) => line.startsWith('USER'))).toBe('USER 1000:1000');
    // The last stage copies from the build only what the build lets in or makes.
    const ignored = await readFile(join(ROOT, 'examples/container/Dockerfile.dockerignore'), 'utf8');
    const lets = ignored.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const taken = lines.flatMap((line) => /^COPY --from=build \/build\/(\S+)/.exec(line)?.[1] ?? []);
    expect(taken).toEqual(['package.json', 'schemas', 'dist', 'node_modules']);
    expect(lets).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'schemas', 'scripts/build.mjs', 'src']),
    );
    await Promise.all(
      lets.map((path) => cp(join(ROOT, path), join(folder, 'build', path), { recursive: true })),
    );
    await symlink(join(ROOT, 'node_modules'), join(folder, 'build', 'node_modules'));
    await run('node', ['scripts/build.mjs', '--quiet'], { cwd: join(folder, 'build') });
    const built = await run('node', [join(folder, 'build', 'dist', 'cli', 'main.js'), '--version']);
    expect(built.stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
