import type { PlanNote, Step } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import { planName } from '../../model/plan-level.ts';
import type { LiveScope } from '../../model/state.ts';
import type { Demand, Stocks } from './stocks.ts';
import { deletions, demandOf, excessOf, stocksAfter, stocksOf } from './stocks.ts';

/** The steps in the order that the quota requires, with findings and notes. */
interface QuotaCheck {
  readonly steps: readonly Step[];
  readonly findings: readonly GuardFinding[];
  readonly notes: readonly PlanNote[];
}

/**
 * Counts the rules of each phase after each step, over the entry point and the custom rulesets that it deploys, as far as they were read. A
 * step that fits only once others have made room waits for them; a step whose additions fit only after its own deletions gets `deletesFirst`.
 * `steps` are in order; O(rules) when there is room.
 */
export function checkQuota(steps: readonly Step[], live: LiveScope): QuotaCheck {
  if (!steps.some(addsAnything)) {
    return { steps, findings: [], notes: [] };
  }
  const { plan } = live.scope;
  let stocks = stocksOf(live);
  const made = makeRoom(steps, stocks);
  const findings: GuardFinding[] = [];
  const notes: PlanNote[] = [...made.notes];
  const checked = made.steps.map((step): Step => {
    const demand = demandOf(step, stocks);
    stocks = stocksAfter(stocks, step);
    findings.push(...tooMany(step, demand, plan));
    const { rules } = demand;
    if (step.operation !== 'update' || rules === null || rules.total > rules.quota.limit) {
      return step;
    }
    const peak = rules.total + deletions(step);
    if (peak <= rules.quota.limit) {
      return step;
    }
    const message = `deletes before it adds when rules are written one by one: both together would be ${peak} rules, at most ${rules.quota.limit} fit${onPlan(plan)}`;
    notes.push({ kind: 'quota-order', step: step.id, rule: '', message });
    return { ...step, deletesFirst: true };
  });
  return { steps: checked, findings, notes };
}

/** Whether a step adds anything; only then it can need room. */
function addsAnything(step: Step): boolean {
  return step.operation === 'create' || step.changes.some(({ kind }) => kind === 'add');
}

function tooMany(step: Step, { rules, rulesets }: Demand, plan: string | undefined): readonly GuardFinding[] {
  const warn = (message: string): GuardFinding => ({ kind: 'quota', effect: 'warn', step: step.id, message });
  const findings: GuardFinding[] = [];
  if (rulesets !== null && rulesets.total > rulesets.most) {
    findings.push(
      warn(
        `${step.id}: there would be ${rulesets.total} custom rulesets; at most ${rulesets.most} fit. The service has the last word`,
      ),
    );
  }
  if (rules !== null && rules.total > rules.quota.limit) {
    const { limit, extended } = rules.quota;
    const more = extended === undefined ? '' : `, or ${extended.limit} with ${extended.by}`;
    findings.push(
      warn(
        `${step.id}: ${step.target.phase} would have ${rules.total} rules; at most ${limit} fit${onPlan(plan)}${more}. The service has the last word`,
      ),
    );
  }
  return findings;
}

function onPlan(plan: string | undefined): string {
  return plan === undefined ? '' : ` on the ${planName(plan)} plan`;
}

/** Steps ordered so that each fits as far as any order allows, with notes on what goes first. */
interface RoomMade {
  readonly steps: readonly Step[];
  readonly notes: readonly PlanNote[];
}

/**
 * Moves the fewest steps that make room before a step that would not fit without them, and lets that step wait for them. Steps that depend on
 * it are not moved, and none is when that would not be enough.
 */
function makeRoom(steps: readonly Step[], live: Stocks): RoomMade {
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

/** Returns the later steps that make enough room for a step; none when it fits already or no order helps. */
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
