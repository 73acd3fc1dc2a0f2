import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { selectionOf, serviceOptions } from '../../src/cli/service-choice.ts';
import { into, unattended } from './in-process.ts';

const quiet = into(() => undefined);

/** The context of a run in an example project. */
function started() {
  return unattended({
    stdout: quiet,
    stderr: quiet,
    cwd: join(import.meta.dirname, '..', '..', 'examples', 'first'),
  });
}

it.each([
  ['has no request limit on the embedded service', { emulator: true }, Infinity],
  ['has one there when a part of it is asked for', { emulator: true, budget: 0.5 }, 600],
  ['has that of the service elsewhere', {}, 1200],
])('a run %s', async (_title, flags, limit) => {
  const context = started();
  expect((await serviceOptions(context, flags, selectionOf(context, {}, []))).budget.limit).toBe(limit);
});

it('serviceOptions refuses --var without a project that could declare the variable', async () => {
  const context = started();
  const given = selectionOf(context, { var: [{ name: 'stage', value: 'test' }] }, []);
  expect((await serviceOptions(context, { emulator: true }, given)).service.kind).toBe('emulator');
  const elsewhere = { ...given, cwd: tmpdir() };
  await expect(serviceOptions(started(), { emulator: true }, elsewhere)).rejects.toMatchObject({
    code: 'usage/invalid',
    message: '--var gives stage a value, and there is no project here whose files could declare it',
  });
});

it('serviceOptions reports a missing project file before it refuses --var', async () => {
  const context = started();
  const given = selectionOf(context, { config: 'nope.yaml', var: [{ name: 'stage', value: 'test' }] }, []);
  await expect(serviceOptions(context, { emulator: true }, given)).rejects.toMatchObject({
    code: 'project/not-found',
    message: 'the project file nope.yaml does not exist',
    hint: expect.any(String),
  });
});

it('serviceOptions returns the same options, with one budget, throughout a run', async () => {
  const context = started();
  const [first, second] = await Promise.all(
    [[], ['zones']].map((paths) => serviceOptions(context, {}, selectionOf(context, {}, paths))),
  );
  expect(second).toBe(first);
  expect(first?.budget).toBeDefined();
});
