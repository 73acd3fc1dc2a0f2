import type { ReadClient } from '../api/client.ts';
import { getVersion } from '../api/rulesets.ts';
import { ServiceError } from '../api/service-error.ts';
import { jsonEqual } from '../model/json.ts';
import type { ForeignWrite, LiveDifference, LiveRuleName } from '../model/live-difference.ts';
import { contentToWire } from '../model/rule-fields.ts';
import type { LiveRule } from '../model/rule.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { deviations, expectAfter } from '../plan/expect.ts';
import { liveDifference } from '../plan/live-difference.ts';
import type { Write } from '../plan/writes.ts';

/** The versions from the base of a write to what is live. */
export interface History {
  /** The version that our write made; null when it made none of them. */
  readonly ours: LiveRuleset | null;
  /** What somebody else wrote, oldest first. */
  readonly others: readonly ForeignWrite[];
}

/** Where to look for the writes of others. */
export interface HistoryTask {
  readonly client: ReadClient;
  readonly scope: Scope;
  readonly write: Write;
  /** The ruleset that the write was made on; null: there was none. */
  readonly before: LiveRuleset | null;
  readonly now: LiveRuleset;
  /** `answered`: the service answered our write with this version. `unknown`: no answer came. */
  readonly answer: 'answered' | 'unknown';
}

/** The most versions that are read; of older ones only the sum of their changes is told. */
const MOST_VERSIONS = 10;

/**
 * Reads the versions between the base of a write and live, tells ours from those of others, and what our
 * write undid of theirs. Versions that are not there any more count into the next one.
 */
export async function readHistory(task: HistoryTask): Promise<History> {
  const { before, now, answer } = task;
  const chain = [before, ...(await versionsBetween(task)), now];
  const pairs = chain.flatMap((after, index): readonly Pair[] => {
    const earlier = chain[index - 1];
    return index === 0 || after === null || earlier === undefined ? [] : [{ before: earlier, after }];
  });
  const ours = answer === 'answered' ? pairs.at(-1) : pairs.findLast((pair) => isOurs(pair, task.write));
  const at = ours === undefined ? -1 : pairs.indexOf(ours);
  const others = pairs.flatMap((pair, index): readonly ForeignWrite[] => {
    // What was sent again, or arrived twice on its way, made two versions.
    if (pair === ours || isOurs(pair, task.write)) {
      return [];
    }
    const difference = liveDifference(pair.before, pair.after);
    const lost = ours !== undefined && index < at ? lostBy(ours.after, difference, pair.after) : [];
    return [{ version: pair.after.version, lastUpdated: pair.after.lastUpdated, difference, lost }];
  });
  return { ours: ours?.after ?? null, others };
}

interface Pair {
  readonly before: LiveRuleset | null;
  readonly after: LiveRuleset;
}

/** Whether a version is what our write makes of the one before it. */
function isOurs({ before, after }: Pair, write: Write): boolean {
  const expected = expectAfter(before, write);
  return expected !== null && deviations(expected, after).length === 0;
}

async function versionsBetween({ client, scope, before, now }: HistoryTask): Promise<readonly LiveRuleset[]> {
  const last = BigInt(now.version) - 1n;
  const first = BigInt(before?.version ?? '0') + 1n;
  const from = last - first >= BigInt(MOST_VERSIONS) ? last - BigInt(MOST_VERSIONS) + 1n : first;
  const found: LiveRuleset[] = [];
  for (let version = from; version <= last; version += 1n) {
    try {
      found.push(await getVersion(client, scope, now.id, String(version)));
    } catch (error) {
      // A version that was deleted, or cannot be read: its changes are seen in the next one.
      if (!(error instanceof ServiceError)) {
        throw error;
      }
    }
  }
  return found;
}

/** What our write undid of the changes that another one made. */
function lostBy(ours: LiveRuleset, difference: LiveDifference, theirs: LiveRuleset): readonly LiveRuleName[] {
  const kept = new Map(ours.rules.map((rule) => [rule.id, rule]));
  const made = new Map(theirs.rules.map((rule) => [rule.id, rule]));
  return [
    ...[...difference.added, ...difference.changed].filter(({ id }) => !isSame(kept.get(id), made.get(id))),
    ...difference.removed.filter(({ id }) => kept.has(id)),
  ].map(({ id, ref }) => ({ id, ref }));
}

function isSame(a: LiveRule | undefined, b: LiveRule | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.ref === b.ref &&
    jsonEqual(contentToWire(a.content), contentToWire(b.content))
  );
}
