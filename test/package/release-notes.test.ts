import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'release-notes.mjs');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-release-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Release {
  readonly tag?: string;
  readonly lock?: string;
  readonly isPrivate?: boolean;
  readonly title?: string;
}

/** Runs the script on a release of version 1.2.0; returns its exit code and what it printed. */
async function notesOf({
  tag = 'v1.2.0',
  lock = '1.2.0',
  isPrivate = false,
  title = '## 1.2.0 (2026-11-02)',
}: Release) {
  const manifest = { version: '1.2.0', ...(isPrivate && { private: true }) };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ version: lock }));
  await writeFile(
    join(folder, 'CHANGELOG.md'),
    `# Changelog\n\n${title}\n\n### Files\n\n- A new key.\n\n## 1.1.0 (2026-10-01)\n\n- Older.\n`,
  );
  return new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
    execFile(process.execPath, [SCRIPT, tag], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: `${stdout}${stderr}` });
    });
  });
}

it('prints what the changelog says about the version that is released', async () => {
  expect(await notesOf({})).toEqual({ code: 0, text: '### Files\n\n- A new key.\n' });
});

it.each<[Release, string]>([
  [{ tag: 'v1.2.1' }, 'the tag is v1.2.1, package.json has version 1.2.0'],
  [{ lock: '1.1.0' }, 'package-lock.json has version 1.1.0: run npm install'],
  [{ isPrivate: true }, 'package.json says "private": true'],
  [{ title: '## 1.2.0 (not yet released)' }, 'CHANGELOG.md gives no day of the release'],
  [{ title: '## 1.20.0 (2026-11-02)' }, 'CHANGELOG.md has no heading "## 1.2.0 (YYYY-MM-DD)"'],
])('refuses to release %j', async (release, message) => {
  const { code, text } = await notesOf(release);
  expect(code).toBe(1);
  expect(text).toContain(message);
});
