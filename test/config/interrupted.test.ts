import { expect, test } from 'vitest';
import { readProject } from '../../src/config/read-project.ts';
import { inFolder, PROJECT } from './project-folder.ts';

test('readProject stops after the file during which it is interrupted', async () => {
  const interruption = new AbortController();
  const reason = new Error('stop');
  const read: string[] = [];
  const zones = Array.from({ length: 20 }, (_, number) => `zones/${String(number).padStart(2, '0')}.yaml`);
  const files = Object.fromEntries(zones.map((path) => [path, `zone: ${path.slice(6, 8)}.example\n`]));
  const reading = inFolder({ 'rulewright.yaml': PROJECT, ...files }, (root) =>
    readProject({ cwd: root, signal: interruption.signal }, ({ path }) => {
      read.push(path);
      if (path === zones[1]) {
        interruption.abort(reason);
      }
    }),
  );
  await expect(reading).rejects.toBe(reason);
  expect(read).toEqual(['rulewright.yaml', ...zones.slice(0, 2)]);
});
