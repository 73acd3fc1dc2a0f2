import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rulewright } from './in-process.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-unsaved-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

test('a dry run shows what the import would refuse, ends as that would, and does not say that it could not read', async () => {
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
