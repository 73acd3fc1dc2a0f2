import type {
  PlanNote,
  Step,
  GuardFinding,
  LiveScope,
  Quota,
  RuleContent,
  LiveRuleset,
  RulesetAddress,
} from '../../model/index.ts';
import {
  planName,
  customRulesetQuota,
  ruleQuota,
  isWritten,
  ruleCounts,
  addressKey,
  executedReference,
} from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import { tooManyRules, tooManyRulesets } from '../../entitlements/index.ts';
import { addressOf } from '../names/ruleset-names.ts';

/** A ruleset in the simulation of a plan: its number of rules, the rulesets that these execute, and its own names. */
interface Stock {
  readonly rules: number;
  readonly runs: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly level: 'entrypoint' | 'custom';
  readonly phase: string;
}

/** What counts towards a scope's quotas: its rulesets as far as they were read, and the number of custom ones. */
interface Stocks {
  readonly scope: LiveScope['scope'];
  readonly rulesets: ReadonlyMap<string, Stock>;
  readonly custom: number;
}

/** Returns the stocks before a plan. */
function stocksOf({ scope, entries, catalogue }: LiveScope): Stocks {
  const rulesets = new Map<string, Stock>(
    entries.flatMap(({ address, slot }) =>
      slot.kind === 'present' ? [[addressKey(address), stockOf(address, slot.ruleset)] as const] : [],
    ),
  );
  return { scope, rulesets, custom: catalogue.filter((head) => head.kind === 'custom').length };
}

/** Returns the stocks after a step. */
function stocksAfter(stocks: Stocks, step: Step): Stocks {
  const key = addressKey(addressOf(step.target));
  const rulesets = new Map(stocks.rulesets);
  if (step.operation === 'delete') {
    rulesets.delete(key);
  } else {
    rulesets.set(key, stockAfter(step, stocks.rulesets.get(key)));
  }
  const more = { create: 1, update: 0, delete: -1 }[step.operation];
  return { ...stocks, rulesets, custom: stocks.custom + (step.target.level === 'custom' ? more : 0) };
}

/** What a step requires of the quotas: the number of rules of its phase, and of custom rulesets, after the step. */
interface QuotaDemand {
  /** Null when the step adds nothing, or no limit is known. */
  readonly rules: { readonly total: number; readonly quota: Quota } | null;
  readonly rulesets: { readonly total: number; readonly most: number } | null;
}

/** Returns what a step requires of the quotas when it is carried out on these stocks. */
function demandOf(step: Step, stocks: Stocks): QuotaDemand {
  const { kind, plan } = stocks.scope;
  const key = addressKey(addressOf(step.target));
  const before = stocks.rulesets.get(key);
  const then = stocksAfter(stocks, step);
  const after = then.rulesets.get(key);
  const quota = ruleQuota(step.target.phase, kind, plan);
  const most = customRulesetQuota(kind, plan);
  const adds = after !== undefined && after.rules > (before?.rules ?? 0) - deletions(step);
  return {
    rules:
      adds && quota !== undefined ? { total: rulesOf(step.target.phase, after, then.rulesets), quota } : null,
    rulesets:
      step.operation === 'create' && step.target.level === 'custom' && most !== undefined
        ? { total: then.custom, most }
        : null,
  };
}

/** Returns by how many rules and rulesets a demand exceeds the quotas. */
function excessOf({ rules, rulesets }: QuotaDemand): number {
  return (
    Math.max(0, rules === null ? 0 : rules.total - rules.quota.limit) +
    Math.max(0, rulesets === null ? 0 : rulesets.total - rulesets.most)
  );
}

function deletions(step: Step): number {
  return step.changes.filter((change) => change.kind === 'delete').length;
}

function stockOf(address: RulesetAddress, ruleset: LiveRuleset): Stock {
  return {
    rules: ruleset.rules.length,
    runs: runsOf(ruleset),
    names: namesOf(address, ruleset.id),
    level: address.kind,
    phase: address.phase,
  };
}

function runsOf({ rules }: LiveRuleset): ReadonlySet<string> {
  const runs = new Set<string>();
  for (const { content } of rules) {
    for (const name of executed(content)) {
      runs.add(name);
    }
  }
  return runs;
}

/** Returns the stock after a step. A ruleset that a changed rule executed before still counts: this may count too much, never too little. */
function stockAfter(step: Exclude<Step, { operation: 'delete' }>, before: Stock | undefined): Stock {
  const address = addressOf(step.target);
  const added = step.changes.filter(isWritten).flatMap(({ content }) => executed(content));
  const gone = new Set(
    step.changes.flatMap((change) => (change.kind === 'delete' ? executed(change.before) : [])),
  );
  return {
    rules: ruleCounts(step).after,
    runs: new Set([...[...(before?.runs ?? [])].filter((name) => !gone.has(name)), ...added]),
    names: before?.names ?? namesOf(address, step.base.kind === 'version' ? step.base.id : ''),
    level: address.kind,
    phase: address.phase,
  };
}

const NONE: readonly string[] = [];

function executed(content: RuleContent): readonly string[] {
  const reference = executedReference(content);
  return reference === undefined ? NONE : [reference];
}

function namesOf(address: RulesetAddress, id: string): ReadonlySet<string> {
  return new Set([id, ...(address.kind === 'custom' ? [`custom:${slug(address.name)}`] : [])]);
}

/** Counts the rules of a phase: the entry point's, those of custom rulesets that it executes, and those of the changed ruleset. */
function rulesOf(phase: string, changed: Stock, stocks: ReadonlyMap<string, Stock>): number {
  const inPhase = [...stocks.values()].filter((stock) => stock.phase === phase);
  const entry = inPhase.find((stock) => stock.level === 'entrypoint');
  const counts = (stock: Stock): boolean =>
    stock === entry || stock === changed || [...stock.names].some((name) => entry?.runs.has(name) === true);
  return inPhase.filter(counts).reduce((sum, stock) => sum + stock.rules, 0);
}

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
    findings.push(...tooMany(step, demand, live.scope));
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

function tooMany(
  step: Step,
  { rules, rulesets }: QuotaDemand,
  scope: LiveScope['scope'],
): readonly GuardFinding[] {
  return [
    rulesets === null ? undefined : tooManyRulesets(rulesets.total, scope),
    rules === null ? undefined : tooManyRules(step.target.phase, rules.total, scope),
  ]
    .filter((says) => says !== undefined)
    .map((says) => ({
      kind: 'quota',
      effect: 'warn',
      step: step.id,
      message: `${step.id}: ${says}. The service has the last word`,
    }));
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
