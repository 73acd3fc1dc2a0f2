import type { Range } from '../impact/judge-moves.ts';
import type { PlaceAmongOthers } from '../../model/index.ts';

/** An item of a sequence: its current position, and the weight of leaving it there. */
interface Weighted {
  readonly position: number;
  readonly weight: number;
}

/**
 * Returns the indices of a strictly increasing subsequence (by `position`) with the greatest total weight. Positions are distinct. O(n log n):
 * a Fenwick tree of the best chain that ends at or below a position.
 */
export function heaviestIncreasing(items: readonly Weighted[]): ReadonlySet<number> {
  if (items.every(({ position }, index) => index === 0 || (items[index - 1]?.position ?? 0) < position)) {
    return new Set(items.keys());
  }
  const rank = new Map(
    items
      .map((item) => item.position)
      .sort((a, b) => a - b)
      .map((position, index) => [position, index + 1]),
  );
  const tree: number[] = Array.from({ length: items.length + 1 }, () => -1);
  const best: number[] = [];
  const previous: number[] = [];

  const better = (a: number, b: number): number => (b === -1 || (a !== -1 && total(a) >= total(b)) ? a : b);
  const total = (index: number): number => best[index] ?? 0;

  let last = -1;
  items.forEach((item, index) => {
    const place = rank.get(item.position) ?? 0;
    let chain = -1;
    for (let at = place - 1; at > 0; at -= at & -at) {
      chain = better(chain, tree[at] ?? -1);
    }
    previous.push(chain);
    best.push(item.weight + (chain === -1 ? 0 : total(chain)));
    for (let at = place; at < tree.length; at += at & -at) {
      tree[at] = better(tree[at] ?? -1, index);
    }
    last = better(last, index);
  });

  const chosen = new Set<number>();
  for (let at = last; at !== -1; at = previous[at] ?? -1) {
    chosen.add(at);
  }
  return chosen;
}

/** What becomes of a live rule. `foreign`: not ours; `gone`: ours and no longer wanted; `patched` rules move at no extra cost. */
export type ArrangementRole = 'foreign' | 'untouched' | 'patched' | 'gone';

/**
 * A wanted rule: the index of its live rule, or undefined when it is new. Rules of others may be listed among ours, in their live order, to
 * show where ours go.
 */
export type Wanted = number | undefined;

/** An entry of the final order, by index: a live rule, or a wanted rule that is new. */
export type Arranged =
  | { readonly kind: 'live'; readonly live: number }
  | { readonly kind: 'new'; readonly wanted: number };

/** The final order, and which live rules move to get there. */
export interface Arrangement {
  readonly order: readonly Arranged[];
  readonly moved: ReadonlySet<number>;
}

/** Where rules of ours may go. */
export interface Choice {
  readonly place: PlaceAmongOthers;
  /** The range within which a live rule of ours weakens nothing by passing rules of others; absent when that does not matter. */
  readonly safeRange?: ((live: number) => Range) | undefined;
}

/** The most rules for which of equally cheap moves those that disturb least are searched, since the effort is quadratic. */
const MOST_WEIGHED = 2000;

/**
 * Puts our rules in the order of the file with the fewest writes, and leaves everybody else's exactly where they are.
 *
 * The rules that stay are the heaviest increasing subsequence of ours: moving an untouched rule costs a write, moving a patched one is
 * free since its patch carries a position. So the number of writes is minimal given that rules of others stay. Among minimal results, the
 * one in which the fewest rules leave their safe range wins, then the one that leaves the most patched rules in place. Every other rule goes
 * directly after its predecessor in the file, else before its successor, else first or last. O(n log n), or O(n²) when that would make a
 * rule leave its safe range.
 */
export function arrange(
  live: readonly ArrangementRole[],
  wanted: readonly Wanted[],
  { place, safeRange }: Choice,
): Arrangement {
  const room = roomOf(live, wanted, place);
  if (standsInOrder(wanted, room)) {
    const order: Arranged[] = [];
    live.forEach((role, index) => {
      if (role !== 'gone') {
        order.push({ kind: 'live', live: index });
      }
    });
    return { order, moved: new Set() };
  }
  const matched = wanted.filter((at) => at !== undefined);
  const staying = stayingOf(live, matched, { room, safeRange });

  // The rules that follow each staying rule in the file; -1 is for those before the first staying one.
  const runs = new Map<number, Arranged[]>([[-1, []]]);
  let run = runs.get(-1) ?? [];
  wanted.forEach((at, index) => {
    if (at !== undefined && staying.has(at)) {
      run = [];
      runs.set(at, run);
    } else {
      run.push(at === undefined ? { kind: 'new', wanted: index } : { kind: 'live', live: at });
    }
  });

  const moved = new Set(matched.filter((at) => !staying.has(at)));
  const frame = live.flatMap((role, index) => (role === 'gone' || moved.has(index) ? [] : [index]));
  const leading = runs.get(-1) ?? [];
  const first = frame.find((index) => staying.has(index));
  const order: Arranged[] = [];
  if (first === undefined && place === 'first') {
    order.push(...leading);
  }
  for (const index of frame) {
    if (index === first) {
      order.push(...leading);
    }
    order.push({ kind: 'live', live: index }, ...(runs.get(index) ?? []));
  }
  if (first === undefined && place !== 'first') {
    order.push(...leading);
  }
  return { order, moved };
}

const ANYWHERE: Range = { after: -1, before: Infinity };

/** Returns where our rules may stay. Rules of others among the wanted ones, if any, decide the place instead. */
function roomOf(live: readonly ArrangementRole[], wanted: readonly Wanted[], place: PlaceAmongOthers): Range {
  if (place === 'any' || wanted.some((at) => at !== undefined && live[at] === 'foreign')) {
    return ANYWHERE;
  }
  const first = live.indexOf('foreign');
  return place === 'last'
    ? { after: live.lastIndexOf('foreign'), before: Infinity }
    : { after: -1, before: first === -1 ? Infinity : first };
}

function isIn({ after, before }: Range, at: number): boolean {
  return after < at && at < before;
}

/** Whether no rule is new or has to move. */
function standsInOrder(wanted: readonly Wanted[], { after, before }: Range): boolean {
  let last = after;
  for (const at of wanted) {
    if (at === undefined || at <= last) {
      return false;
    }
    last = at;
  }
  return last < before;
}

/** Returns the wanted live rules that keep their place. */
function stayingOf(
  live: readonly ArrangementRole[],
  matched: readonly number[],
  { room, safeRange }: { readonly room: Range; readonly safeRange: Choice['safeRange'] },
): ReadonlySet<number> {
  const heavy = matched.length + 1;
  const weights = { foreign: heavy ** 3, untouched: heavy ** 2, patched: 1, gone: 1 };
  const items = matched.flatMap((position) =>
    isIn(room, position) ? [{ position, weight: weights[live[position] ?? 'gone'] }] : [],
  );
  const chain = heaviestIncreasing(items);
  // When the place among rules of others is fixed, every choice leads to the same order.
  const leastImpact =
    safeRange === undefined || room !== ANYWHERE || matched.length > MOST_WEIGHED
      ? chain
      : leastImpactIncreasing(items, {
          heaviest: chain,
          price: heavy,
          strays: (at, beside) => !isIn(safeRange(at), beside),
        });
  return new Set([...leastImpact].flatMap((index) => items[index]?.position ?? []));
}

/** The price of items that do not stay. */
interface Straying {
  /** The heaviest increasing subsequence regardless of the price; it is the result when nothing strays. */
  readonly heaviest: ReadonlySet<number>;
  readonly price: number;
  /** Whether moving the item at a position beside the item at another position costs the price. */
  readonly strays: (position: number, beside: number) => boolean;
}

/**
 * Returns the indices of a strictly increasing subsequence (by `position`) with the greatest total weight, less the price for each item outside
 * it that strays. An item outside goes beside its predecessor in the subsequence, or beside the first item if it has none. O(n²), or O(n) when
 * nothing strays.
 */
function leastImpactIncreasing(
  items: readonly Weighted[],
  { heaviest, price, strays }: Straying,
): ReadonlySet<number> {
  if (!someStray(items, heaviest, strays)) {
    return heaviest;
  }
  const isAstray = (index: number, beside: Weighted): boolean =>
    strays(items[index]?.position ?? 0, beside.position);
  // The best total of a subsequence that ends at each item, including the price for items before it.
  const best = items.map((item, index) => {
    let total = item.weight;
    for (let leading = 0; leading < index; leading += 1) {
      total -= isAstray(leading, item) ? price : 0;
    }
    return total;
  });
  const previous = items.map(() => -1);
  let [last, most] = [-1, -Infinity];
  items.forEach((item, index) => {
    let total = best[index] ?? 0;
    for (let next = index + 1; next < items.length; next += 1) {
      const { position, weight } = items[next] ?? item;
      if (position > item.position && total + weight > (best[next] ?? 0)) {
        best[next] = total + weight;
        previous[next] = index;
      }
      total -= isAstray(next, item) ? price : 0;
    }
    if (total > most) {
      [last, most] = [index, total];
    }
  });
  const chosen = new Set<number>();
  for (let at = last; at !== -1; at = previous[at] ?? -1) {
    chosen.add(at);
  }
  return chosen;
}

function someStray(
  items: readonly Weighted[],
  chosen: ReadonlySet<number>,
  strays: Straying['strays'],
): boolean {
  let beside = items.find((_item, index) => chosen.has(index))?.position ?? -1;
  return items.some(({ position }, index) => {
    beside = chosen.has(index) ? position : beside;
    return !chosen.has(index) && strays(position, beside);
  });
}
