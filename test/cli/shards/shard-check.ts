import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import { isInShard } from '../../../src/plan/document/make-plan.ts';
import type { Ended, Fate } from './shard-run.ts';
import { toldOf } from './shard-run.ts';
import type { World } from './shard-world.ts';
import { oursIn, othersIn, stepOf, wantedOf, zoneName } from './shard-world.ts';

/** What the test knows after all shards have ended. */
export interface Seen {
  readonly fates: readonly Fate[];
  /** How each run of each shard ended. */
  readonly ended: readonly (readonly Ended[])[];
  readonly before: readonly (LiveRuleset | null)[];
  readonly after: readonly (LiveRuleset | null)[];
  /** The steps that were reviewed. */
  readonly steps: ReadonlySet<string>;
}

const versionOf = (ruleset: LiveRuleset | null): number => Number(ruleset?.version ?? 0);

/** The index of the shard of a zone, from 0. */
function shardOf(at: number, count: number): number {
  const scope = { kind: 'zone', name: zoneName(at) } as const;
  return Array.from({ length: count }, (_, index) => index).findIndex((index) =>
    isInShard(scope, { index: index + 1, count }),
  );
}

/** How often a zone was written by its plan, without the writes of guests and those that restored guest rules. */
export function writesTo({ guests }: World, { before, after }: Seen, at: number): number {
  const visits = guests.filter((guest) => guest.at === at);
  const now = new Map(after[at]?.rules.map(({ ref, id }) => [ref, id]));
  const back = visits.filter(({ ref, id }) => (now.get(ref) ?? id) !== id);
  return versionOf(after[at] ?? null) - versionOf(before[at] ?? null) - visits.length - back.length;
}

/** The problems of a zone: in its live rules, or in what the runs reported about it. */
export function problemsOf(world: World, seen: Seen, at: number): readonly string[] {
  const owner = shardOf(at, seen.fates.length);
  const fate = seen.fates[owner] ?? { kind: 'missing' };
  const planned = seen.steps.has(stepOf(at)) && fate.kind !== 'missing';
  const heard = planned && fate.kind !== 'killed';
  const told = (seen.ended[owner] ?? []).map((one) => toldOf(one, stepOf(at)));
  const spoke = told.flatMap((one) => (one === null ? [] : [one]));
  const [was, is] = [seen.before[at] ?? null, seen.after[at] ?? null];
  const written = writesTo(world, seen, at);
  const certain = spoke.reduce((sum, { writes }) => sum + writes, 0);
  // A request that timed out at a gateway and lands later may take effect besides its retry.
  const late = seen.fates.some((one) => one.kind === 'disturbed' && one.by === 'late 504') ? 1 : 0;
  const wanted = world.zones[at] === undefined ? [] : wantedOf(world.zones[at]);
  const gone = othersIn(was).filter(({ id }) => !othersIn(is).some((rule) => rule.id === id));
  const lost = world.guests.filter(
    (guest) => guest.at === at && !othersIn(is).some(({ ref }) => ref === guest.ref),
  );
  const checks: readonly (readonly [boolean, string])[] = [
    [written < 0 || written > 1 + late, `was written ${written} times`],
    [written > 0 && !planned, 'was written, and nobody was to write it'],
    [heard && told.includes(null), 'is not told of by a run of its shard'],
    [heard && certain > written, `has ${written} writes, and is told to have ${certain}`],
    [
      heard && certain + late < written && !spoke.some(({ inDoubt }) => inDoubt),
      `has ${written} writes, of which ${certain} are told`,
    ],
    [written === 0 && spoke.some(({ done }) => done), 'is told as done, and was not written'],
    [
      oursIn(is).join('\n') !== (written > 0 ? wanted : oursIn(was)).join('\n'),
      `was written ${written} times, and has ${oursIn(is).join(', ')}`,
    ],
    [
      gone.length > 0 && (written === 0 || world.zones[at]?.shared === true),
      'lost a rule of others that nobody was to delete',
    ],
    [
      heard && lost.some(({ ref }) => !spoke.some(({ outcome }) => JSON.stringify(outcome).includes(ref))),
      'lost a rule that somebody added meanwhile, and nobody tells',
    ],
  ];
  return checks.flatMap(([wrong, problem]) => (wrong ? [`${zoneName(at)} ${problem}`] : []));
}

/** The problems in what the journal reports about a zone of a shard whose process was killed before it reported anything. */
export function problemsRemembered(
  world: World,
  seen: Seen,
  { at, said }: { readonly at: number; readonly said: string },
): readonly string[] {
  const owner = shardOf(at, seen.fates.length);
  const [ended] = seen.ended[owner] ?? [];
  if (seen.fates[owner]?.kind !== 'killed' || ended?.code !== null || !said.includes('did not finish')) {
    return [];
  }
  const written = writesTo(world, seen, at);
  const line = said.split('\n').find((text) => text.startsWith('  ') && text.endsWith(` ${stepOf(at)}`));
  const state = line?.includes('not begun') === true ? 0 : line?.includes('done') === true ? 1 : null;
  return state === written || (line === undefined && written === 0)
    ? []
    : [`${zoneName(at)} was written ${written} times, and is remembered as: ${line}`];
}
