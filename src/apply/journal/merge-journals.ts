import { createHash } from 'node:crypto';
import type { JsonObject } from '../../data/index.ts';
import { canonicalJson, isJsonObject, objectsIn } from '../../data/index.ts';
import type { RunResult } from '../../model/index.ts';
import { timeOf } from './journal-values.ts';
import { lastRunOf, linesOf } from './read-journal.ts';

/** The text of a journal, and the name of its file. */
export interface NamedJournal {
  readonly file: string;
  readonly text: string;
}

/** The merged journal of all shards, or the reasons why the journals do not belong together. */
export type MergedJournals =
  | {
      readonly kind: 'merged';
      readonly text: string;
      readonly runs: number;
      readonly unfinished: number;
      /** Journals of machines that stopped before their run began, and so wrote nothing. */
      readonly unbegun: readonly string[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

type JournalRun = NonNullable<ReturnType<typeof lastRunOf>> & { readonly file: string };

/**
 * Merges the last runs of the journals of several shards into one run that `readLastRun` can read: one head with all steps, then the other entries in
 * order of time, and an end only when every shard's run ended. Leaves out journals whose run never began, and names their files.
 */
export function mergeJournals(journals: readonly NamedJournal[]): MergedJournals {
  const read = journals.map(({ file, text }) => ({ file, text, last: lastRunOf(text) }));
  const runs = read.flatMap(({ file, last }): readonly JournalRun[] =>
    last === null ? [] : [{ file, ...last }],
  );
  const without = read.filter(({ last }) => last === null);
  // A run that is killed or refused before the head of its plan is on disk leaves such a journal; it has written nothing.
  const unbegun = runs.length === 0 ? [] : without.filter(({ text }) => isUnbegun(text));
  const problems = [
    ...without.filter((one) => !unbegun.includes(one)).map(({ file }) => `${file} has no run of apply in it`),
    ...strangers(runs),
    ...opposed(toldRuns(runs)),
    ...overlaps(runs),
  ];
  const [first] = runs;
  if (first === undefined || problems.length > 0) {
    return { kind: 'refused', problems };
  }
  const run = digestOf(runs.map((one) => one.run));
  const ends = runs.map(endIn);
  const unfinished = ends.filter((end) => end === undefined).length;
  const told = toldRuns(runs);
  const { service } = first.head;
  const entries: readonly JsonObject[] = [
    {
      at: Math.min(...runs.map(({ head }) => timeOf(head))),
      run,
      kind: 'run',
      purpose: told[0]?.head['purpose'] ?? 'apply',
      plan: digestOf(runs.map(({ head }) => canonicalJson(head['plan']))),
      ...(service === undefined ? {} : { service }),
      steps: told.flatMap(({ head }) => stepsOf(head)),
      ...objectsOf(told, 'lists'),
      ...objectsOf(told, 'settings'),
    },
    ...runs
      .flatMap(timed)
      .sort((a, b) => a.time - b.time)
      .map(({ entry }) => ({ ...entry, run })),
    ...(unfinished > 0 ? [] : [endOf(ends, run)]),
  ];
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const files = unbegun.map(({ file }) => file);
  return { kind: 'merged', text, runs: runs.length, unfinished, unbegun: files };
}

/** Returns the steps on lists or settings of all runs, as a head has them. */
function objectsOf(runs: readonly JournalRun[], kind: 'lists' | 'settings'): JsonObject {
  const all = runs.flatMap(({ head }) => objectsIn(head[kind]));
  return all.length === 0 ? {} : { [kind]: all };
}

/** What a journal says of a run before its head, and after it. */
const BESIDE_HEAD: ReadonlySet<unknown> = new Set(['rollout', 'wave', 'end']);

/** Whether a journal contains no more than what stands beside the head of a run, because that was not written or is torn. Any other text without a run is not accepted. */
function isUnbegun(text: string): boolean {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const torn = text.slice(whole.length);
  const entries = linesOf(whole);
  return (
    entries.length === whole.split('\n').length - 1 &&
    entries.every(({ kind }) => BESIDE_HEAD.has(kind)) &&
    (torn === '' || torn.startsWith('{'))
  );
}

/**
 * Returns the runs whose steps the merged head lists: all of them, or, when only some are rollbacks of what a shard wrote, those that did not end.
 */
function toldRuns(runs: readonly JournalRun[]): readonly JournalRun[] {
  const purposes = new Set(runs.map(({ head }) => head['purpose']));
  return purposes.size < 2 ? runs : runs.filter((run) => endIn(run) === undefined);
}

function endIn({ own }: JournalRun): JsonObject | undefined {
  return own.findLast(({ kind }) => kind === 'end');
}

/** Reports runs against different services, with different numbers of shards, or of different files. */
function strangers(runs: readonly JournalRun[]): readonly string[] {
  const [first, ...others] = runs;
  return first === undefined
    ? []
    : others.flatMap((other) => {
        const facts: readonly (readonly [string, (run: JournalRun) => unknown])[] = [
          ['are about different services', ({ head }) => head['service']],
          ['are of runs with another number of shards', ({ head }) => shardOf(head)?.['count']],
          [
            'are of runs of other files, settings or selections of scopes',
            ({ head }) => shardOf(head)?.['run'],
          ],
        ];
        const found = facts.find(([, fact]) => fact(other) !== fact(first));
        return found === undefined ? [] : [`${other.file} and ${first.file} ${found[0]}`];
      });
}

/** Reports the rollback of one shard beside the apply run of another. */
function opposed([first, ...others]: readonly JournalRun[]): readonly string[] {
  return others
    .filter(({ head }) => head['purpose'] !== first?.head['purpose'])
    .map(({ file }) => `${file} and ${first?.file ?? ''} are not both the way back of a failed run`);
}

/** Reports a shard, or a step, that occurs in two journals. */
function overlaps(runs: readonly JournalRun[]): readonly string[] {
  const owners = new Map<string, string>();
  return runs.flatMap(({ file, head }) => {
    const index = shardOf(head)?.['index'];
    const names = [
      ...(typeof index === 'number' ? [`shard ${index}`] : []),
      ...[...stepsOf(head), ...objectsIn(head['lists']), ...objectsIn(head['settings'])].flatMap(({ step }) =>
        typeof step === 'string' ? [step] : [],
      ),
    ];
    const twice = names.find((name) => owners.has(name));
    const other = owners.get(twice ?? '') ?? '';
    names.forEach((name) => owners.set(name, file));
    return twice === undefined ? [] : [`${file} and ${other} are both about ${twice}`];
  });
}

function shardOf(head: JsonObject): JsonObject | null {
  const { shard } = head;
  return isJsonObject(shard) ? shard : null;
}

function stepsOf({ steps }: JsonObject): readonly JsonObject[] {
  return objectsIn(steps);
}

/** Returns the entries of a run without head and end, each at the latest time so far: a clock that is set back does not change their order. */
function timed({ own }: JournalRun): readonly { readonly entry: JsonObject; readonly time: number }[] {
  let time = 0;
  return own.flatMap((entry) => {
    time = Math.max(time, timeOf(entry));
    return entry['kind'] === 'run' || entry['kind'] === 'end' ? [] : [{ entry, time }];
  });
}

/** Results of runs, the worst first. A run that a later one settled counts as done. */
const WORST_FIRST: readonly RunResult[] = ['partial', 'failed', 'refused', 'done'];

function endOf(ends: readonly (JsonObject | undefined)[], run: string): JsonObject {
  const known = ends.filter((end) => end !== undefined);
  const result = WORST_FIRST.find((word) => known.some((end) => end['result'] === word)) ?? 'done';
  return { at: Math.max(...known.map((end) => timeOf(end))), run, kind: 'end', result };
}

/** Returns one name for several runs, which does not depend on their order. */
function digestOf(texts: readonly string[]): string {
  return createHash('sha256')
    .update([...texts].sort().join('\n'))
    .digest('hex');
}
