import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rulewright } from './in-process.ts';

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@shop.example'];

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-unsaved-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

test('import --dry-run shows what the import would refuse, exits like the import, and reports no read failure', async () => {
  await rulewright(['import', '--zone', 'api.example', '--emulator'], { cwd });
  execFileSync('git', ['-C', cwd, 'init', '-q']);
  const unsaved =
    '  http_request_origin:\n    rules:\n      - { ref: unsaved, expression: ssl, action: route, action_parameters: { origin: { port: 8443 } } }\n';
  await appendFile(join(cwd, 'zones/api.example.yaml'), unsaved);
  const run = (...flags: readonly string[]) => rulewright(['import', '--emulator', ...flags], { cwd });

  const dry = await run('--dry-run');
  expect(dry).toMatchObject({ code: 1, stderr: 'read zone:api.example (1 of 1)\n' });
  expect(dry.stdout).toContain(
    '-      - { ref: unsaved, expression: ssl, action: route, action_parameters: { origin: { port: 8443 } } }',
  );
  expect(dry.stdout).toContain('The import itself would refuse, and write nothing of:\n  zone:api.example\n');
  expect(dry.stdout).toContain('0 files would be written, 1 more with --discard');

  expect(await run('--dry-run', '--format', 'json')).toMatchObject({ code: 1 });
  expect(await run('--dry-run', '--discard')).toMatchObject({ code: 2 });
  expect(await run()).toMatchObject({ code: 1, stderr: 'read zone:api.example (1 of 1)\n' });
});

test('import changes a file behind a link when the target of the link is committed', async () => {
  await rulewright(['import', '--zone', 'api.example', '--emulator'], { cwd });
  const [file, shared] = [join(cwd, 'zones/api.example.yaml'), join(cwd, 'shared.yaml')];
  await appendFile(
    file,
    '  http_request_origin:\n    rules:\n      - { ref: mine, expression: ssl, action: route, action_parameters: { origin: { port: 8443 } } }\n',
  );
  await rename(file, shared);
  await symlink('../shared.yaml', file);
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...AUTHOR, 'commit', '-qm', 'x'],
  ]) {
    execFileSync('git', ['-C', cwd, ...words]);
  }
  const { code } = await rulewright(['import', '--emulator'], { cwd });
  expect([code, await readFile(shared, 'utf8')]).toEqual([0, expect.not.stringContaining('mine')]);
});
