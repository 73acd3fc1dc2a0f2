import type { ReadClient } from '../../api/client.ts';
import { getVersion } from '../../api/rulesets.ts';
import { orElse } from '../../api/service-error.ts';
import type { ForeignWrite, LiveDifference, LiveRuleName, VersionSpan } from '../../model/live-difference.ts';
import { identicalContent } from '../../model/rule-fields.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { ExpectedRule } from '../../plan/requests/expect.ts';
import { deviations, expectAfter } from '../../plan/requests/expect.ts';
import { liveDifference, liveRuleName } from '../../plan/difference/live-difference.ts';
import type { Write } from '../../plan/requests/writes.ts';
import type { Places } from './undone-moves.ts';
import { passedBy, undoneMoves } from './undone-moves.ts';

/** The versions from the base of a write to live, and whose they are. */
export interface History {
  /** The last version that our write made; null when it made none of those that could be read. */
  readonly ours: LiveRuleset | null;
  /** Writes of somebody else, oldest first. */
  readonly others: readonly ForeignWrite[];
  /** Versions that no longer exist or cannot be read: whose they are, and what they changed, is not known. */
  readonly unread: readonly VersionSpan[];
  /** Each landing of our write with the version that it landed on; only where no version in between is missing. */
  readonly landings: readonly Landing[];
}

/** The landings of our write beside writes of others, and the ruleset as it was last read. */
export interface Clash {
  readonly landings: readonly Landing[];
  readonly now: LiveRuleset;
}

/** One landing of our write. */
export interface Landing {
  /** The version before our write. */
  readonly met: LiveRuleset;
  readonly made: LiveRuleset;
  /** The versions after it that could be read; the live one is the last. */
  readonly since: readonly LiveRuleset[];
}

/** What to read the history of a write from. */
export interface HistoryTask {
  readonly client: ReadClient;
  readonly scope: Scope;
  /** Our write; null when all versions are somebody else's. */
  readonly write: Write | null;
  /** The version in the service's answer to our write; null when there was no answer. */
  readonly made: string | null;
  /** The ruleset that the write was made on; null when there was none. */
  readonly before: LiveRuleset | null;
  /** Ids of the rules that the plan of the write does not place, in their order. */
  readonly staying: readonly string[];
  readonly now: LiveRuleset;
}

/** Maximum number of versions that are read; the others are reported as unread. */
const MOST_VERSIONS = 10;

/**
 * Reads the versions between the base of a write and live, tells ours from those of others, and determines what our write undid of theirs, or would
 * undo should it still land. What versions that cannot be read have changed shows in the next one, but not whose change it is.
 */
export async function readHistory(task: HistoryTask): Promise<History> {
  const { before, now, write, made, staying } = task;
  const versions = [...(await versionsBetween(task)), now];
  const links = versions.map((after, index): Link => ({ before: versions[index - 1] ?? before, after }));
  // A write that was sent again, or arrived twice, made more than one version.
  const isOurs = (link: Link): boolean =>
    link.after.version === made || (write !== null && wouldMake(write, link));
  const at = links.findLastIndex(isOurs);
  const ours = links[at]?.after ?? null;
  // A creation never replaces an existing ruleset.
  const threat = ours === null && write !== null && write.kind !== 'create-ruleset' ? write : null;
  const others = links.flatMap((link, index): readonly ForeignWrite[] => {
    if (isOurs(link)) {
      return [];
    }
    const { version, lastUpdated } = link.after;
    const difference = liveDifference(link.before, link.after);
    const undone = (rules: readonly ExpectedRule[], landing: Landed): readonly LiveRuleName[] => [
      ...undoneBy(rules, difference, link.after),
      ...movesUndoneBy({ ...landing, staying }, link),
    ];
    const landed = links.find((later, place) => place > index && isOurs(later));
    const left = threat === null ? null : (expectAfter(now, threat)?.rules ?? []);
    return [
      {
        version,
        lastUpdated,
        difference,
        lost:
          ours === null || landed === undefined
            ? []
            : undone(ours.rules, { met: landed.before?.rules ?? [], made: landed.after.rules }),
        ...(left === null ? {} : { atRisk: undone(left, { met: now.rules, made: left }) }),
      },
    ];
  });
  const landings = links.flatMap((link, index): readonly Landing[] =>
    link.before !== null && isOurs(link) && gapOf(link).length === 0
      ? [{ met: link.before, made: link.after, since: versions.slice(index + 1) }]
      : [],
  );
  return { ours, others, unread: links.flatMap(gapOf), landings };
}

type Landed = Omit<Places, 'staying'>;

interface Link {
  readonly before: LiveRuleset | null;
  readonly after: LiveRuleset;
}

/** Whether a version is what our write makes of the one before it. */
function wouldMake(write: Write, { before, after }: Link): boolean {
  const expected = expectAfter(before, write);
  return expected !== null && deviations(expected, after).length === 0;
}

/** Returns the versions that are missing between two versions. */
function gapOf({ before, after }: Link): readonly VersionSpan[] {
  const from = next(before);
  const to = BigInt(after.version) - 1n;
  return from > to ? [] : [{ from: String(from), to: String(to) }];
}

function next(ruleset: LiveRuleset | null): bigint {
  return BigInt(ruleset?.version ?? '0') + 1n;
}

async function versionsBetween({ client, scope, before, now }: HistoryTask): Promise<readonly LiveRuleset[]> {
  const last = BigInt(now.version) - 1n;
  const first = next(before);
  const from = last - first >= BigInt(MOST_VERSIONS) ? last - BigInt(MOST_VERSIONS) + 1n : first;
  const found: LiveRuleset[] = [];
  for (let version = from; version <= last; version += 1n) {
    // A version that was deleted, or cannot be read, is reported as a gap.
    const read = await orElse(getVersion(client, scope, now.id, String(version)), () => null);
    found.push(...(read === null ? [] : [read]));
  }
  return found;
}

/** Returns the changes of somebody else that are missing in the rules that our write leaves. */
function undoneBy(
  rules: readonly ExpectedRule[],
  difference: LiveDifference,
  theirs: LiveRuleset,
): readonly LiveRuleName[] {
  const kept = new Map(rules.map((rule) => [rule.id, rule]));
  // A rule that our write removed and that was brought back has another id.
  const again = new Map(rules.map((rule) => [rule.ref, rule]));
  const made = new Map(theirs.rules.map((rule) => [rule.id, rule]));
  return [
    ...[...difference.added, ...difference.changed].filter(
      ({ id, ref }) => !isSameRule(kept.get(id) ?? again.get(ref), made.get(id)),
    ),
    ...difference.removed.filter(({ id }) => kept.has(id)),
  ].map(liveRuleName);
}

/** Returns the rules that somebody else moved and that our write put back. */
function movesUndoneBy(places: Places, { before, after }: Link): readonly LiveRuleName[] {
  const moved = new Set(
    undoneMoves(places)
      .filter(({ id, passed }) => passedBy(id, passed, [before?.rules ?? [], after.rules]).length > 0)
      .map(({ id }) => id),
  );
  return after.rules.filter(({ id }) => moved.has(id)).map(liveRuleName);
}

/** Whether two rules have the same `ref` and content, whatever their ids. */
export function isSameRule(a: ExpectedRule | undefined, b: ExpectedRule | undefined): boolean {
  return a !== undefined && b !== undefined && a.ref === b.ref && identicalContent(a.content, b.content);
}
