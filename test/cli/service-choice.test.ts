import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CliContext } from '../../src/cli/context.ts';
import { selectionOf, serviceOptions } from '../../src/cli/service-choice.ts';
import { into } from './in-process.ts';

const quiet = into(() => undefined);

const context: CliContext = {
  stdout: { ...quiet, isTTY: false, columns: 80 },
  stderr: { ...quiet, isTTY: false, columns: 80 },
  env: {},
  cwd: join(import.meta.dirname, '..', '..', 'examples', 'first'),
  lines: async function* () {},
  signal: new AbortController().signal,
  confirm: null,
  ask: null,
  version: () => '0.0.0',
};

it.each([
  ['has no request limit on the embedded service', { emulator: true }, Infinity],
  ['has one there when a part of it is asked for', { emulator: true, budget: 0.5 }, 0.5],
  ['has that of the service elsewhere', {}, undefined],
])('a run %s', async (_title, flags, share) => {
  expect((await serviceOptions(context, flags, selectionOf(context, {}, []))).share).toBe(share);
});
