import pLimit from 'p-limit';
import { getVersion, isForbidden, isNotFound, listVersions, orElse } from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type { LiveRuleset, LiveRulesetHead } from '../../model/index.ts';
import type { Lists } from '../../simulate/index.ts';
import type { EarlierRules } from '../../traffic/index.ts';
import { simulated } from '../requests/live-scopes.ts';

/** The most former versions that are read for one zone: what was in force before is not known then. */
const MOST_VERSIONS = 20;

const AT_ONCE = 4;

/** A version of a ruleset, and since when it was in force. */
interface Version {
  readonly since: number;
  /** Null where it is not known. */
  readonly ruleset: LiveRuleset | null;
}

/** What is asked of the past of a zone. */
interface PastChoice {
  readonly client: ReadClient;
  /** The lists that live rules name, and since when their items are as they are; null where that is not known. */
  readonly lists: Lists;
  readonly listsSince: number | null;
  /** When the records begin, in milliseconds since 1970. */
  readonly from: number;
}

/**
 * Reads which rules were in force before the live ones, back to a time, from the versions that the service keeps: each span in which nothing
 * changed. A span in which a version is no longer kept, or would take too many reads, is left out. Of a ruleset that was deleted since, nobody knows.
 */
export async function readEarlierRules(
  wholes: readonly WholeScope[],
  { client, lists, listsSince, from }: PastChoice,
): Promise<readonly EarlierRules[]> {
  const limit = pLimit(AT_ONCE);
  const heads = await Promise.all(
    wholes.flatMap((whole) =>
      whole.rulesets.map((live) => limit(() => headsOf(client, { whole, live, from }))),
    ),
  );
  const latest = heads
    .flatMap(({ whole, live, needed }) => needed.map((head) => ({ whole, live, head })))
    .toSorted((a, b) => timeOf(b.head) - timeOf(a.head))
    .slice(0, MOST_VERSIONS);
  const read = new Map(
    await Promise.all(
      latest.map(({ whole, live, head }) =>
        limit(
          async () =>
            [
              keyOf(live, head.version),
              await orElse(getVersion(client, whole.scope, live.id, head.version), () => null, isNotFound),
            ] as const,
        ),
      ),
    ),
  );
  const history = new Map(
    heads.map(({ live, needed, isWhole }) => [
      live,
      {
        isWhole,
        versions: [
          ...needed.map((head, index): Version => ({
            since: timeOf(head),
            ruleset: isFollowedBy(head, needed[index + 1] ?? live)
              ? (read.get(keyOf(live, head.version)) ?? null)
              : null,
          })),
          { since: timeOf(live), ruleset: live },
        ],
      },
    ]),
  );
  const changes = [...history.values()].flatMap(({ versions }) => versions.map(({ since }) => since));
  if (listsSince !== null) {
    changes.push(listsSince);
  }
  const bounds = [...new Set([from, ...changes])].filter((time) => time >= from).toSorted((a, b) => a - b);
  return bounds.slice(0, -1).flatMap((start, index) => {
    const until = bounds[index + 1] ?? start;
    const scopes = wholes.map((whole) => scopeAt(whole, history, start));
    return scopes.some((scope) => scope === null)
      ? []
      : [
          {
            from: start,
            until,
            rules: scopes.flatMap((scope) => (scope === null ? [] : [simulated(scope)])),
            lists: listsSince !== null && start >= listsSince ? lists : {},
          },
        ];
  });
}

interface Heads {
  readonly whole: WholeScope;
  readonly live: LiveRuleset;
  /** Former versions that were in force since the time that was asked for, oldest first. */
  readonly needed: readonly LiveRulesetHead[];
  /** Whether the service has the first version still: before it, the ruleset did not exist. */
  readonly isWhole: boolean;
}

async function headsOf(
  client: ReadClient,
  { whole, live, from }: { readonly whole: WholeScope; readonly live: LiveRuleset; readonly from: number },
): Promise<Heads> {
  if (timeOf(live) <= from) {
    return { whole, live, needed: [], isWhole: false };
  }
  const all = await orElse(listVersions(client, whole.scope, live.id), () => [], isForbidden);
  const former = all.filter(({ version }) => version !== live.version);
  const last = former.findLastIndex((head) => timeOf(head) <= from);
  const needed = former.slice(Math.max(0, last));
  return { whole, live, needed, isWhole: all[0]?.version === FIRST };
}

const FIRST = '1';

/** Whether no version is missing between two: one that was deleted may have been in force for any part of the time. */
function isFollowedBy({ version }: LiveRulesetHead, next: LiveRulesetHead): boolean {
  return Number(version) + 1 === Number(next.version);
}

function scopeAt(
  whole: WholeScope,
  history: ReadonlyMap<LiveRuleset, { readonly versions: readonly Version[]; readonly isWhole: boolean }>,
  time: number,
): WholeScope | null {
  const rulesets: LiveRuleset[] = [];
  for (const live of whole.rulesets) {
    const past = history.get(live);
    const then = past?.versions.findLast(({ since }) => since <= time);
    if (then === undefined && past?.isWhole === true) {
      continue;
    }
    if (then === undefined || then.ruleset === null) {
      return null;
    }
    rulesets.push(then.ruleset);
  }
  return { ...whole, rulesets };
}

/** Returns since when a version is in force; NaN where the service does not say it. */
function timeOf({ lastUpdated }: LiveRulesetHead): number {
  return Date.parse(lastUpdated);
}

function keyOf({ id }: LiveRuleset, version: string): string {
  return `${id} ${version}`;
}
