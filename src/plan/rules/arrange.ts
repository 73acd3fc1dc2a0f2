import type { Range } from '../protect/leeway.ts';
import type { PlaceAmongOthers } from '../../model/ruleset.ts';
import { gentlestIncreasing } from './gentlest-increasing.ts';
import { heaviestIncreasing } from './increasing.ts';

/**
 * A live rule, as far as order is concerned. `foreign`: not ours; `gone`: ours and not wanted any more;
 * `patched` rules move for free.
 */
export type Role = 'foreign' | 'untouched' | 'patched' | 'gone';

/**
 * One wanted rule: index of its live rule, or nothing when it is new. Rules of others may stand among ours to tell
 * where those go, in the order in which they live.
 */
export type Wanted = number | undefined;

/** An entry of the final order: a live rule, or one of ours that is new, by their indices. */
export type Arranged =
  | { readonly kind: 'live'; readonly live: number }
  | { readonly kind: 'new'; readonly wanted: number };

/** The final order, and which live rules change their place to get there. */
export interface Arrangement {
  readonly order: readonly Arranged[];
  readonly moved: ReadonlySet<number>;
}

/** Where rules of ours may go. */
export interface Choice {
  readonly place: PlaceAmongOthers;
  /** Where a live rule of ours can go and weaken nothing among the rules of others; absent where all is one. */
  readonly leeway?: ((live: number) => Range) | undefined;
}

/** The most rules of which the gentlest of equally cheap moves are sought: the effort grows with the square. */
const MOST_WEIGHED = 2000;

/**
 * Puts our rules in the order of the file with the fewest writes, and leaves everybody else's exactly
 * where they are.
 *
 * The rules that stay are the heaviest increasing subsequence of ours: an untouched rule that moves
 * costs a write, a patched one moves for free since its patch carries a position. So the number of
 * operations is minimal as far as rules of others stay. Among minimal answers wins the one in which the fewest rules leave
 * their leeway, then the one that leaves most patched rules in place.
 * Every other rule goes directly after its predecessor in the file, else before its successor, else
 * first or last. O(n log n), unless that makes a rule leave its leeway.
 */
export function arrange(
  live: readonly Role[],
  wanted: readonly Wanted[],
  { place, leeway }: Choice,
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
  const staying = stayingOf(live, matched, { room, leeway });

  // Runs of rules that follow each staying rule in the file; -1 is the run before the first of them.
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

/** Where rules of ours may stay. Where rules of others stand among the wanted ones, those tell. */
function roomOf(live: readonly Role[], wanted: readonly Wanted[], place: PlaceAmongOthers): Range {
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

/** Whether nothing is new and nothing moves. */
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

/** The live rules, of those that are wanted, that keep their place. */
function stayingOf(
  live: readonly Role[],
  matched: readonly number[],
  { room, leeway }: { readonly room: Range; readonly leeway: Choice['leeway'] },
): ReadonlySet<number> {
  const heavy = matched.length + 1;
  const weights = { foreign: heavy ** 3, untouched: heavy ** 2, patched: 1, gone: 1 };
  const items = matched.flatMap((position) =>
    isIn(room, position) ? [{ position, weight: weights[live[position] ?? 'gone'] }] : [],
  );
  const chain = heaviestIncreasing(items);
  // Where the place is given, whatever stays leads to one order.
  const gentle =
    leeway === undefined || room !== ANYWHERE || matched.length > MOST_WEIGHED
      ? chain
      : gentlestIncreasing(items, {
          heaviest: chain,
          price: heavy,
          strays: (at, beside) => !isIn(leeway(at), beside),
        });
  return new Set([...gentle].flatMap((index) => items[index]?.position ?? []));
}
