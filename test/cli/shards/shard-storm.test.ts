import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DISTURBANCES } from '../../apply/campaign/campaign-run.ts';
import { propertyRuns } from '../../property-runs.ts';
import type { Ended, Fate, Nth } from './shard-run.ts';
import { MAIN, applyWith, onMachine, stepsIn } from './shard-run.ts';
import type { World, ZoneCase } from './shard-world.ts';
import type { Seen } from './shard-check.ts';
import { problemsOf, problemsRemembered, writesTo } from './shard-check.ts';
import { openWorld, oursIn, stepOf, wantedOf, zoneCases } from './shard-world.ts';

// Machines plan their shards, the plans are merged and reviewed, and machines apply them concurrently, while other
// clients write, requests fail and processes are killed. The number of cases is a 50th of RULEWRIGHT_PROPERTY_RUNS.

/** What a shard applies: a fresh plan that has to match the reviewed plan of all shards, or its own saved plan. */
type Way = 'expect' | 'saved';

interface Machine {
  readonly way: Way;
  readonly fate: Fate;
  /** Whether a machine that is missing at apply has made its plan. */
  readonly planned: boolean;
}

interface Storm {
  readonly zones: readonly ZoneCase[];
  readonly machines: readonly Machine[];
  /** Zones that another client writes to between plan and apply. */
  readonly visited: readonly number[];
  /** Whether one machine applies the whole merged plan afterwards. */
  readonly again: boolean;
}

const request: fc.Arbitrary<Nth> = fc.oneof(
  fc.record({ of: fc.constant('requests' as const), nth: fc.integer({ min: 1, max: 14 }) }),
  fc.record({ of: fc.constant('writes' as const), nth: fc.integer({ min: 1, max: 3 }) }),
);
const zone = fc.nat({ max: 5 });

const fates: fc.Arbitrary<Fate> = fc.oneof(
  // Kills are rare, because each takes a separate process.
  {
    weight: 2,
    arbitrary: fc.constantFrom<Fate>({ kind: 'undisturbed' }, { kind: 'missing' }, { kind: 'twice' }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('killed' as const),
      request,
      moment: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('disturbed' as const),
      request,
      by: fc.constantFrom(...DISTURBANCES),
      zone,
    }),
  },
);

const storms: fc.Arbitrary<Storm> = fc.record({
  zones: zoneCases,
  machines: fc.array(
    fc.record({ way: fc.constantFrom<Way>('expect', 'saved'), fate: fates, planned: fc.boolean() }),
    { minLength: 2, maxLength: 4 },
  ),
  visited: fc.oneof(fc.constant([]), fc.uniqueArray(zone, { maxLength: 2 })),
  again: fc.boolean(),
});

/** The machine for commands about all shards. */
const OFFICE = 0;

const run = (world: World, ...words: readonly string[]) => onMachine(world, OFFICE, words);

const isPlanned = ({ fate, planned }: Machine): boolean => fate.kind !== 'missing' || planned;

/** Plans every shard on its machine, and merges the plans into `reviewed.json`. */
async function planAll(world: World, machines: readonly Machine[]): Promise<void> {
  const count = machines.length;
  const files: string[] = [];
  for (const [at, machine] of machines.entries()) {
    if (isPlanned(machine)) {
      const shard = `${at + 1}/${count}`;
      const file = `plan-${at + 1}.json`;
      const { code, stderr } = await onMachine(world, at + 1, [
        'plan',
        '--shard',
        shard,
        '--out',
        file,
        '--quiet',
      ]);
      expect([shard, code, stderr]).toEqual([shard, 0, '']);
      files.push(file);
    }
  }
  if (files.length === 0) {
    return;
  }
  const merge = ['merge', ...files, '--out', 'reviewed.json', '--quiet'];
  if (files.length === count) {
    expect((await run(world, ...merge)).code).toBe(0);
    expect((await run(world, 'plan', '--out', 'whole.json', '--quiet')).code).toBe(0);
    expect(await textOf(world, 'reviewed.json')).toBe(await textOf(world, 'whole.json'));
  } else {
    expect([(await run(world, ...merge)).code, (await run(world, ...merge, '--partial')).code]).toEqual([
      1, 1,
    ]);
  }
}

const textOf = (world: World, file: string): Promise<string> => readFile(join(world.folder, file), 'utf8');

/** Applies the shards of all machines that are not missing, concurrently; returns the result of each run. */
function applyAll(world: World, machines: readonly Machine[]): Promise<readonly (readonly Ended[])[]> {
  const count = machines.length;
  return Promise.all(
    machines.map(async ({ way, fate }, at): Promise<readonly Ended[]> => {
      const shard = at + 1;
      const what =
        way === 'saved'
          ? [`plan-${shard}.json`]
          : ['--shard', `${shard}/${count}`, '--expect', 'reviewed.json'];
      const apply = { machine: shard, words: [...what, '--journal', `journal-${shard}.jsonl`], fate };
      if (fate.kind === 'missing') {
        return [];
      }
      const first = await applyWith(world, apply);
      return fate.kind === 'twice' ? [first, await applyWith(world, apply)] : [first];
    }),
  );
}

describe.skipIf(!existsSync(MAIN))('shards (skipped if dist/cli/main.js is not built)', () => {
  it('carry out the merged plan once in all and report what they did not do, whatever fails meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(storms, async (storm) => {
        const world = await openWorld(storm.zones);
        try {
          expect(await weather(world, storm)).toEqual([]);
        } finally {
          await world.close();
        }
      }),
      { numRuns: Math.ceil(propertyRuns() / 50) },
    );
  }, 3_600_000);
});

/** Applies the rest on one machine with the merged journals of the shards, and returns what it reports about their runs. */
async function rememberAll(world: World): Promise<string> {
  const journals = (await readdir(world.folder)).filter((name) => /^journal-\d+\.jsonl$/u.test(name));
  const merged = await run(world, 'merge', ...journals, '--out', 'journal.jsonl');
  const begun = (await Promise.all(journals.map((name) => textOf(world, name)))).some((text) =>
    text.includes('"kind":"run"'),
  );
  expect([journals, merged.code]).toEqual([journals, journals.length === 0 ? 64 : begun ? 0 : 1]);
  const rest = await run(world, 'apply', '--yes', '--allow', 'all', '--journal', 'journal.jsonl');
  expect([rest.code, rest.stderr]).toEqual([0, rest.stderr]);
  return rest.stderr;
}

/** Applies the whole merged plan: it must write each planned zone that no shard has written, or none if it is refused. */
async function applyAgain(world: World, seen: Seen): Promise<readonly string[]> {
  const { code } = await run(world, 'apply', 'reviewed.json', '--yes', '--allow', 'all');
  const all = world.zones.map((_zone, at) => at);
  const after = await Promise.all(all.map((at) => world.live(at)));
  return all.flatMap((at) => {
    const had = writesTo(world, seen, at);
    const written = writesTo(world, { ...seen, after }, at) - had;
    const wanted = code === 0 && had === 0 && seen.steps.has(stepOf(at)) ? 1 : 0;
    return written === wanted
      ? []
      : [`${stepOf(at)} has ${had} writes, and ${written} of the plan as a whole (exit ${code})`];
  });
}

/** Runs one case, and returns the problems that it finds. */
async function weather(world: World, storm: Storm): Promise<readonly string[]> {
  const { machines, zones, visited } = storm;
  await planAll(world, machines);
  const all = zones.map((_zone, at) => at);
  const look = () => Promise.all(all.map((at) => world.live(at)));
  const before = await look();
  for (const at of visited) {
    await world.visit(at);
  }
  const reviewed = machines.some(isPlanned) ? await textOf(world, 'reviewed.json') : '';
  const ended = await applyAll(world, machines);
  const fates = machines.map(({ fate }) => fate);
  const seen: Seen = { fates, ended, before, after: await look(), steps: new Set(stepsIn(reviewed)) };
  const again = storm.again && reviewed !== '';
  const doubled = again ? await applyAgain(world, seen) : [];

  // One machine then does the rest, and reads in the journals what the killed processes had done.
  const said = await rememberAll(world);
  const last = await look();
  expect(last.map(oursIn)).toEqual(zones.map(wantedOf));
  expect((await run(world, 'plan', '--exit-code', '--quiet')).code).toBe(0);
  return [
    ...all.flatMap((at) => problemsOf(world, seen, at)),
    ...(again ? doubled : all.flatMap((at) => problemsRemembered(world, seen, { at, said }))),
  ];
}
