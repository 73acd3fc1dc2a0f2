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

/**
 * Puts our rules in the order of the file with the fewest writes, and leaves everybody else's exactly
 * where they are.
 *
 * The rules that stay are the heaviest increasing subsequence of ours: an untouched rule that moves
 * costs a write, a patched one moves for free since its patch carries a position. So the number of
 * operations is minimal as far as rules of others stay; among minimal answers the one that leaves most patched rules in place wins.
 * Every other rule goes directly after its predecessor in the file, else before its successor, else
 * where `place` says. O(n log n).
 */
export function arrange(
  live: readonly Role[],
  wanted: readonly Wanted[],
  place: 'first' | 'last',
): Arrangement {
  if (standsInOrder(wanted)) {
    const order: Arranged[] = [];
    live.forEach((role, index) => {
      if (role !== 'gone') {
        order.push({ kind: 'live', live: index });
      }
    });
    return { order, moved: new Set() };
  }
  const matched = wanted.filter((at) => at !== undefined);
  const heavy = matched.length + 1;
  const weights = { foreign: heavy * heavy, untouched: heavy, patched: 1, gone: 1 };
  const chain = heaviestIncreasing(
    matched.map((position) => ({ position, weight: weights[live[position] ?? 'gone'] })),
  );
  const staying = new Set([...chain].map((index) => matched[index]));

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
  if (first === undefined && place === 'last') {
    order.push(...leading);
  }
  return { order, moved };
}

/** Whether nothing is new and nothing moves. */
function standsInOrder(wanted: readonly Wanted[]): boolean {
  let last = -1;
  for (const at of wanted) {
    if (at === undefined || at <= last) {
      return false;
    }
    last = at;
  }
  return true;
}
