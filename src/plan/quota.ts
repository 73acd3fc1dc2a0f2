import { customRulesetQuota, ruleQuota } from '../model/quota.ts';
import type { Quota } from '../model/quota.ts';
import type { GuardFinding, PlanNote, Step } from '../model/plan.ts';
import type { RuleContent } from '../model/rule.ts';
import type { LiveRuleset, RulesetAddress } from '../model/ruleset.ts';
import { slug } from '../model/slug.ts';
import type { LiveScope } from '../model/state.ts';
import { rulesetReferences } from './order-steps.ts';
import { addressOf } from './plan-ruleset.ts';

/** Steps with the order that the quota forces on them, and what it says about them. */
export interface QuotaCheck {
  readonly steps: readonly Step[];
  readonly findings: readonly GuardFinding[];
  readonly notes: readonly PlanNote[];
}

/** A ruleset of the simulation: how many rules it has, and which rulesets they run. */
interface Stock {
  readonly rules: number;
  readonly runs: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly level: 'entrypoint' | 'custom';
  readonly phase: string;
}

/**
 * Goes through the steps in their order and counts the rules of each phase after each of them, over the
 * entry point and the custom rulesets that it deploys, as far as they were read. A step whose additions
 * fit only once its deletions are done gets `deletesFirst`. `steps` are in order; O(rules).
 */
export function checkQuota(steps: readonly Step[], live: LiveScope): QuotaCheck {
  if (steps.length === 0) {
    return { steps, findings: [], notes: [] };
  }
  const { scope } = live;
  const stocks = new Map<string, Stock>(
    live.entries.flatMap(({ address, slot }) =>
      slot.kind === 'present' ? [[keyOf(address), stockOf(address, slot.ruleset)] as const] : [],
    ),
  );
  const findings: GuardFinding[] = [];
  const notes: PlanNote[] = [];
  let rulesets = live.catalogue.filter((head) => head.kind === 'custom').length;
  const checked = steps.map((step): Step => {
    const key = keyOf(addressOf(step.target));
    const before = stocks.get(key);
    rulesets += step.target.level === 'custom' ? { create: 1, update: 0, delete: -1 }[step.operation] : 0;
    findings.push(...tooManyRulesets(step, { rulesets, most: customRulesetQuota(scope.kind, scope.plan) }));
    if (step.operation === 'delete') {
      stocks.delete(key);
      return step;
    }
    const after = stockAfter(step, before);
    stocks.set(key, after);
    const quota = ruleQuota(step.target.phase, scope.kind, scope.plan);
    if (quota === undefined || after.rules <= (before?.rules ?? 0) - deletions(step)) {
      return step;
    }
    const total = rulesOf(step.target.phase, after, stocks);
    findings.push(...tooManyRules(step, { total, quota, plan: scope.plan }));
    const peak = total + (step.operation === 'update' ? deletions(step) : 0);
    if (step.operation !== 'update' || total > quota.limit || peak <= quota.limit) {
      return step;
    }
    const message = `deletes before it adds when rules are written one by one: both together would be ${peak} rules, at most ${quota.limit} fit${onPlan(scope.plan)}`;
    notes.push({ kind: 'quota-order', step: step.id, rule: '', message });
    return { ...step, deletesFirst: true };
  });
  return { steps: checked, findings, notes };
}

function keyOf(address: RulesetAddress): string {
  return address.kind === 'entrypoint' ? address.phase : `${address.phase}/${address.name}`;
}

function stockOf(address: RulesetAddress, ruleset: LiveRuleset): Stock {
  return {
    rules: ruleset.rules.length,
    runs: new Set(ruleset.rules.flatMap((rule) => executed(rule.content))),
    names: namesOf(address, ruleset.id),
    level: address.kind,
    phase: address.phase,
  };
}

/** What the ruleset runs afterwards; what it ran before may count once too often, never too rarely. */
function stockAfter(step: Exclude<Step, { operation: 'delete' }>, before: Stock | undefined): Stock {
  const address = addressOf(step.target);
  const added = step.changes.flatMap((change) =>
    change.kind === 'add' || change.kind === 'patch' ? executed(change.content) : [],
  );
  const gone = new Set(
    step.changes.flatMap((change) => (change.kind === 'delete' ? executed(change.before) : [])),
  );
  return {
    rules: step.order.length,
    runs: new Set([...[...(before?.runs ?? [])].filter((name) => !gone.has(name)), ...added]),
    names: before?.names ?? namesOf(address, step.base.kind === 'version' ? step.base.id : ''),
    level: address.kind,
    phase: address.phase,
  };
}

function executed(content: RuleContent): readonly string[] {
  return content.action === 'execute' ? rulesetReferences(content) : [];
}

function namesOf(address: RulesetAddress, id: string): ReadonlySet<string> {
  return new Set([id, ...(address.kind === 'custom' ? [`custom:${slug(address.name)}`] : [])]);
}

/** Rules of the phase: the entry point's, those of custom rulesets that it runs, and the changed one's. */
function rulesOf(phase: string, changed: Stock, stocks: ReadonlyMap<string, Stock>): number {
  const inPhase = [...stocks.values()].filter((stock) => stock.phase === phase);
  const entry = inPhase.find((stock) => stock.level === 'entrypoint');
  const counts = (stock: Stock): boolean =>
    stock === entry || stock === changed || [...stock.names].some((name) => entry?.runs.has(name) === true);
  return inPhase.filter(counts).reduce((sum, stock) => sum + stock.rules, 0);
}

function deletions(step: Step): number {
  return step.changes.filter((change) => change.kind === 'delete').length;
}

function tooManyRules(
  step: Step,
  { total, quota, plan }: { total: number; quota: Quota; plan: string | undefined },
): readonly GuardFinding[] {
  if (total <= quota.limit) {
    return [];
  }
  const more = quota.extended === undefined ? '' : `, or ${quota.extended.limit} with ${quota.extended.by}`;
  const message = `${step.id}: ${step.target.phase} would have ${total} rules; at most ${quota.limit} fit${onPlan(plan)}${more}. The service decides`;
  return [{ kind: 'quota', effect: 'warn', step: step.id, message }];
}

function tooManyRulesets(
  step: Step,
  { rulesets, most }: { rulesets: number; most: number | undefined },
): readonly GuardFinding[] {
  if (
    step.operation !== 'create' ||
    step.target.level !== 'custom' ||
    most === undefined ||
    rulesets <= most
  ) {
    return [];
  }
  const message = `${step.id}: there would be ${rulesets} custom rulesets; at most ${most} fit. The service decides`;
  return [{ kind: 'quota', effect: 'warn', step: step.id, message }];
}

function onPlan(plan: string | undefined): string {
  return plan === undefined ? '' : ` on the plan ${plan}`;
}
