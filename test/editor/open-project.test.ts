import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openProject } from '../../src/editor/open-project.ts';
import { inFolder } from '../config/project-folder.ts';

it('does not take a text for the newest that was read while the file changed', async () => {
  await inFolder({ 'a.yaml': 'version: 0' }, async (root) => {
    const open = openProject(
      { root, file: 'a.yaml' },
      { today: () => '2026-01-01', now: () => 0, answered: async () => undefined },
    );
    // A read takes some turns of the event loop; the file changes at each of them once.
    for (let turns = 0; turns < 60; turns += 1) {
      open.forget('a.yaml');
      const reading = open.read('a.yaml');
      for (let turn = 0; turn < turns % 20; turn += 1) {
        await setImmediate();
      }
      const text = `version: ${turns}`;
      writeFileSync(join(root, 'a.yaml'), text);
      open.forget('a.yaml');
      await reading;
      expect(await open.read('a.yaml')).toMatchObject({ source: { text } });
    }
  });
});
