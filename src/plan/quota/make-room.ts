import type { PlanNote, Step } from '../../model/plan.ts';
import type { Stocks } from './stocks.ts';
import { demandOf, excessOf, stocksAfter } from './stocks.ts';

/** Steps in an order in which each fits as far as any order lets it, and what was put before what. */
export interface RoomMade {
  readonly steps: readonly Step[];
  readonly notes: readonly PlanNote[];
}

/**
 * Puts steps that make room before one that would not fit without them, as few as it takes, and lets it wait
 * for them. Nothing is moved that needs the step itself, and nothing where it would not be enough.
 */
export function makeRoom(steps: readonly Step[], live: Stocks): RoomMade {
  const notes: PlanNote[] = [];
  let order = steps;
  let stocks = live;
  for (let at = 0; at < order.length;) {
    const [step, ...later] = order.slice(at);
    if (step === undefined) {
      break;
    }
    const done = order.slice(0, at);
    const first = roomMakers(step, later, { stocks, done: new Set(done.map(({ id }) => id)) });
    if (first.length === 0) {
      stocks = stocksAfter(stocks, step);
      at += 1;
    } else {
      const ids = first.map(({ id }) => id);
      const waiting: Step = { ...step, after: [...step.after, ...ids] };
      order = [...done, ...first, waiting, ...later.filter((other) => !first.includes(other))];
      notes.push({
        kind: 'quota-order',
        step: step.id,
        rule: '',
        message: `waits for ${ids.join(', ')}: the quota has no room before`,
      });
    }
  }
  return { steps: order, notes };
}

/** The later steps without which a step does not fit, and with which it does; none where no order helps. */
function roomMakers(
  step: Step,
  later: readonly Step[],
  { stocks, done }: { readonly stocks: Stocks; readonly done: ReadonlySet<string> },
): readonly Step[] {
  const first: Step[] = [];
  const before = new Set(done);
  let then = stocks;
  let excess = excessOf(demandOf(step, then));
  for (const other of later) {
    if (excess === 0) {
      break;
    }
    const trial = stocksAfter(then, other);
    const left = excessOf(demandOf(step, trial));
    if (left < excess && other.after.every((id) => before.has(id))) {
      first.push(other);
      before.add(other.id);
      then = trial;
      excess = left;
    }
  }
  return excess === 0 ? first : [];
}
