import { join } from 'node:path';
import { expect, it } from 'vitest';
import { selectionOf, serviceOptions } from '../../src/cli/service-choice.ts';
import { into, unattended } from './in-process.ts';

const quiet = into(() => undefined);

const context = unattended({
  stdout: quiet,
  stderr: quiet,
  cwd: join(import.meta.dirname, '..', '..', 'examples', 'first'),
});

it.each([
  ['has no request limit on the embedded service', { emulator: true }, Infinity],
  ['has one there when a part of it is asked for', { emulator: true, budget: 0.5 }, 0.5],
  ['has that of the service elsewhere', {}, undefined],
])('a run %s', async (_title, flags, share) => {
  expect((await serviceOptions(context, flags, selectionOf(context, {}, []))).share).toBe(share);
});
