import type { ReadClient } from '../../api/index.ts';
import { getVersion, orElse } from '../../api/index.ts';
import type {
  ConcurrentWrite,
  LiveDifference,
  LiveRuleName,
  VersionSpan,
  LiveRuleset,
  Scope,
  LiveRule,
} from '../../model/index.ts';
import { identicalContent, ruleToWire, isNamed } from '../../model/index.ts';
import type { ExpectedRule, Write, Anchor } from '../../plan/index.ts';
import {
  deviations,
  expectAfter,
  liveDifference,
  liveRuleName,
  heaviestIncreasing,
} from '../../plan/index.ts';

/** Orders of the rules: as our plan wants it, as our write met it, and as our write left it. */
interface Places {
  /** Ids of the rules that our plan does not place, in the order that they have in the plan. */
  readonly staying: readonly string[];
  readonly met: readonly ExpectedRule[];
  readonly made: readonly ExpectedRule[];
}

/** A rule that somebody moved and that our write put back. */
export interface UndoneMove {
  readonly id: string;
  /** Ids of the rules that it had passed. */
  readonly passed: readonly string[];
}

/**
 * Returns the fewest moves by others that explain the order which our write met and undid, in that order. A PUT of the rule list sets the order of
 * all rules, including those that nobody wanted to move. Rules that our plan places itself are left out: they are meant to stand where it puts them.
 */
function undoneMoves({ staying, met, made }: Places): readonly UndoneMove[] {
  const alive = placesOf(met);
  const left = placesOf(made);
  const kept = staying.filter((id) => alive.has(id) && left.has(id));
  const wanted = new Map(kept.map((id, index) => [id, index]));
  const placed = kept.map((id) => left.get(id) ?? 0);
  if (placed.some((place, index) => place < (placed[index - 1] ?? 0))) {
    // Requests for single rules leave the order of the other rules alone.
    return [];
  }
  const found = kept.toSorted((a, b) => (alive.get(a) ?? 0) - (alive.get(b) ?? 0));
  const chain = heaviestIncreasing(found.map((id) => ({ position: wanted.get(id) ?? 0, weight: 1 })));
  return found
    .filter((_id, index) => !chain.has(index))
    .map((id) => ({ id, passed: passedBy(id, kept, [made, met]) }));
}

/** Returns which of some rules a rule has passed from one version to another, among those that are in both versions. */
function passedBy(
  id: string,
  others: readonly string[],
  [before, after]: readonly [readonly ExpectedRule[], readonly ExpectedRule[]],
): readonly string[] {
  const [from, to] = [placesOf(before), placesOf(after)];
  const isBehind = (places: ReadonlyMap<string | null, number>, other: string): boolean =>
    (places.get(id) ?? 0) > (places.get(other) ?? 0);
  return others.filter(
    (other) =>
      [id, other].every((one) => from.has(one) && to.has(one)) &&
      isBehind(from, other) !== isBehind(to, other),
  );
}

function placesOf(rules: readonly ExpectedRule[]): ReadonlyMap<string | null, number> {
  return new Map(rules.map(({ id }, index) => [id, index]));
}

/** The versions from the base of a write to live, and whose they are. */
export interface History {
  /** The last version that our write made; null when it made none of those that could be read. */
  readonly ours: LiveRuleset | null;
  /** Writes of somebody else, oldest first. */
  readonly others: readonly ConcurrentWrite[];
  /** Versions that no longer exist or cannot be read: whose they are, and what they changed, is not known. */
  readonly unread: readonly VersionSpan[];
  /** Each landing of our write with the version that it landed on; only where no version in between is missing. */
  readonly landings: readonly Landing[];
}

/** The landings of our write beside writes of others, and the ruleset as it was last read. */
export interface WriteRace {
  readonly landings: readonly Landing[];
  readonly now: LiveRuleset;
}

/** One landing of our write. */
interface Landing {
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
  const links = versions.map((after, index): VersionPair => ({
    before: versions[index - 1] ?? before,
    after,
  }));
  // A write that was sent again, or arrived twice, made more than one version.
  const isOurs = (link: VersionPair): boolean =>
    link.after.version === made || (write !== null && wouldMake(write, link));
  const at = links.findLastIndex(isOurs);
  const ours = links[at]?.after ?? null;
  // A creation never replaces an existing ruleset.
  const threat = ours === null && write !== null && write.kind !== 'create-ruleset' ? write : null;
  const others = links.flatMap((link, index): readonly ConcurrentWrite[] => {
    if (isOurs(link)) {
      return [];
    }
    const { version, lastUpdated } = link.after;
    const difference = liveDifference(link.before, link.after);
    const undone = (rules: readonly ExpectedRule[], landing: LandedPlaces): readonly LiveRuleName[] => [
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

type LandedPlaces = Omit<Places, 'staying'>;

interface VersionPair {
  readonly before: LiveRuleset | null;
  readonly after: LiveRuleset;
}

/** Whether a version is what our write makes of the one before it. */
function wouldMake(write: Write, { before, after }: VersionPair): boolean {
  const expected = expectAfter(before, write);
  return expected !== null && deviations(expected, after).length === 0;
}

/** Returns the versions that are missing between two versions. */
function gapOf({ before, after }: VersionPair): readonly VersionSpan[] {
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
function movesUndoneBy(places: Places, { before, after }: VersionPair): readonly LiveRuleName[] {
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

/** A rule of somebody else that our write removed or reverted, and the write that brings it back. */
export interface RevertedRule {
  readonly rule: LiveRule;
  readonly write: (live: LiveRuleset) => Write;
}

/** A write of ours that landed beside writes of others. */
export interface PassedEdit {
  /** The ruleset that the write was planned on. */
  readonly planned: LiveRuleset | null;
  /** Ids of the rules that the plan of the write does not place, in their order. */
  readonly staying: readonly string[];
  readonly race: WriteRace;
}

/**
 * Returns the rules of others that our write removed or reverted because they appeared between plan and write. Leaves out rules that the step itself
 * changes, places or deletes, even if their id changed since, and rules that somebody has brought back, changed or moved again since.
 */
export function overwrittenRules({
  planned,
  staying,
  race: { landings, now },
}: PassedEdit): readonly RevertedRule[] {
  const base = byId(planned);
  const live = byId(now);
  const unplaced = new Set(staying);
  const taken = landings.flatMap((landing) => {
    const { met, made, since } = landing;
    const left = byId(made);
    const deleted = new Set(planned?.rules.flatMap(({ id, ref }) => (left.has(id) ? [] : [ref])));
    const moved = movesTaken(landing, staying);
    return met.rules.flatMap((rule, index): readonly RevertedRule[] => {
      // A rule that our plan has placed elsewhere says nothing about the place of another rule.
      const earlier = (): readonly LiveRule[] =>
        met.rules.slice(0, index).filter(({ id }) => !base.has(id) || unplaced.has(id));
      const before = base.get(rule.id);
      const after = left.get(rule.id);
      if (before === undefined) {
        const isLost =
          after === undefined && !deleted.has(rule.ref) && !since.some((later) => hasAgain(later, rule, met));
        return isLost ? [{ rule, write: (on) => addition(rule, earlier(), on) }] : [];
      }
      const isOverwritten =
        after !== undefined &&
        !isSameRule(rule, before) &&
        isSameRule(after, before) &&
        isSameRule(live.get(rule.id), after);
      const isMoved = moved.has(rule.id) && live.has(rule.id);
      return isOverwritten || isMoved
        ? [
            {
              rule,
              write: (on) => ({
                kind: 'patch-rule',
                id: on.id,
                ruleId: rule.id,
                rule: isOverwritten ? ruleToWire(rule) : null,
                behind: isMoved ? anchor(earlier(), on) : null,
              }),
            },
          ]
        : [];
    });
  });
  // A rule that was taken along twice comes back once, in its last state.
  return [...new Map(taken.map((one) => [one.rule.ref, one])).values()];
}

/** Returns the ids of the rules whose move a landing undid, and that nobody has moved since. */
function movesTaken({ met, made, since }: Landing, staying: readonly string[]): ReadonlySet<string> {
  return new Set(
    undoneMoves({ staying, met: met.rules, made: made.rules })
      .filter(({ id, passed }) =>
        since.every(({ rules }) => passedBy(id, passed, [made.rules, rules]).length === 0),
      )
      .map(({ id }) => id),
  );
}

/** Whether a later version has the rule again: by its `ref`, or, if nobody named the rule, as a new unnamed rule with the same content. */
function hasAgain({ rules }: LiveRuleset, rule: LiveRule, met: LiveRuleset): boolean {
  const known = new Set(met.rules.map(({ ref }) => ref));
  return rules.some(
    (one) =>
      one.ref === rule.ref ||
      (!isNamed(rule) && !isNamed(one) && !known.has(one.ref) && identicalContent(one.content, rule.content)),
  );
}

function byId(ruleset: LiveRuleset | null): ReadonlyMap<string, LiveRule> {
  return new Map(ruleset?.rules.map((rule) => [rule.id, rule]));
}

/**
 * Returns the write that adds the rule again. If nobody named the rule, its `ref` becomes the id that it had: without a known `ref` it could not be
 * found after a lost answer, a repeated request would not be refused, and others could not recognise it.
 */
function addition(rule: LiveRule, earlier: readonly LiveRule[], live: LiveRuleset): Write {
  return {
    kind: 'add-rule',
    id: live.id,
    ref: rule.ref,
    rule: ruleToWire(rule),
    behind: anchor(earlier, live),
  };
}

/** Returns the place behind the nearest earlier rule that still exists, or the first place when none does. */
function anchor(earlier: readonly LiveRule[], live: LiveRuleset): Anchor {
  const alive = byId(live);
  const byRef = new Map(live.rules.map((one) => [one.ref, one]));
  const near = earlier.findLast(({ id, ref }) => alive.has(id) || byRef.has(ref));
  const found = near === undefined ? undefined : (alive.get(near.id) ?? byRef.get(near.ref));
  return found === undefined ? { kind: 'first' } : { kind: 'live', id: found.id };
}
