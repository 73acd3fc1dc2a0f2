import type { AddRule, DeleteRule, RuleChange, Step, RuleContent } from '../../model/index.ts';
import { groupBy, canonicalJson, omit } from '../../data/index.ts';
import { canonicalContent, orderAfter, orderBefore } from '../../model/index.ts';

/**
 * Pairs new rules with deleted ones that say the same, apart from the description. A rule that continues under a new name loses only its id, so
 * it counts neither as deleted nor as added, but as possibly moved. Each rule is paired once, copies in the order of their lists; numbers are
 * indices into these lists.
 */
export function pairRecreated(
  made: readonly RuleContent[],
  gone: readonly RuleContent[],
): ReadonlyMap<number, number> {
  if (made.length === 0 || gone.length === 0) {
    return new Map();
  }
  const groups = groupBy(gone.entries(), ([, content]) => textOf(content));
  const free = new Map([...groups].map(([text, same]) => [text, same.values()]));
  return new Map(
    made.flatMap((content, index) => {
      const [twin] = free.get(textOf(content))?.next().value ?? [];
      return twin === undefined ? [] : [[index, twin] as const];
    }),
  );
}

/** Like `pairRecreated`, for the changes of a step. */
export function recreatedIn(changes: readonly RuleChange[]): ReadonlyMap<AddRule, DeleteRule> {
  const made = changes.filter((change) => change.kind === 'add');
  const gone = changes.filter((change) => change.kind === 'delete');
  const pairs = pairRecreated(
    made.map(({ content }) => content),
    gone.map(({ before }) => before),
  );
  return new Map(
    made.flatMap((add, index) => {
      const twin = gone[pairs.get(index) ?? -1];
      return twin === undefined ? [] : [[add, twin] as const];
    }),
  );
}

/** Returns all changes that are part of a pair. */
export function pairedChanges(pairs: ReadonlyMap<AddRule, DeleteRule>): ReadonlySet<RuleChange> {
  return new Set<RuleChange>([...pairs].flat());
}

/**
 * Returns the changes that only give a rule another name: the rule is recreated at its former place relative to the staying rules and the other
 * recreated ones. Rules that move are judged by themselves.
 */
export function renamedIn(step: Step): ReadonlySet<RuleChange> {
  const pairs = recreatedIn(step.changes);
  if (pairs.size === 0) {
    return new Set();
  }
  const places = new Map(orderBefore(step).map((id, index) => [id, index]));
  const moved = new Set(
    step.changes.flatMap((change) => ('move' in change && change.move !== undefined ? [change.id] : [])),
  );
  const byRef = new Map([...pairs].map(([add, twin]) => [add.ref, { add, twin }]));
  const standing = orderAfter(step).flatMap((entry) => {
    const pair = entry.kind === 'new' ? byRef.get(entry.ref) : undefined;
    const id = entry.kind === 'live' ? entry.id : pair?.twin.id;
    const place = id === undefined || moved.has(id) ? undefined : places.get(id);
    return place === undefined ? [] : [{ place, pair }];
  });
  const following: number[] = [];
  standing.reduceRight((least, { place }, index) => {
    following[index] = least;
    return Math.min(least, place);
  }, Number.POSITIVE_INFINITY);
  const names = new Set<RuleChange>();
  standing.reduce((last, { place, pair }, index) => {
    if (pair !== undefined && last < place && place < (following[index] ?? 0)) {
      names.add(pair.add).add(pair.twin);
    }
    return Math.max(last, place);
  }, -1);
  return names;
}

function textOf(content: RuleContent): string {
  return canonicalJson(omit(canonicalContent(content), ['description']));
}
