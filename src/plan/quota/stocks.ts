import { isWritten } from '../../model/change.ts';
import { customRulesetQuota, ruleQuota } from '../../model/quota.ts';
import type { Quota } from '../../model/quota.ts';
import type { Step } from '../../model/plan.ts';
import { ruleCounts } from '../../model/rule-order.ts';
import type { RuleContent } from '../../model/rule.ts';
import { addressKey } from '../../model/ruleset.ts';
import type { LiveRuleset, RulesetAddress } from '../../model/ruleset.ts';
import { rulesetReferences } from '../../model/ruleset-references.ts';
import { slug } from '../../model/slug.ts';
import type { LiveScope } from '../../model/state.ts';
import { addressOf } from '../names/address.ts';

/** A ruleset in the simulation of a plan: its number of rules, the rulesets that these execute, and its own names. */
interface Stock {
  readonly rules: number;
  readonly runs: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly level: 'entrypoint' | 'custom';
  readonly phase: string;
}

/** What counts towards a scope's quotas: its rulesets as far as they were read, and the number of custom ones. */
export interface Stocks {
  readonly scope: LiveScope['scope'];
  readonly rulesets: ReadonlyMap<string, Stock>;
  readonly custom: number;
}

/** Returns the stocks before a plan. */
export function stocksOf({ scope, entries, catalogue }: LiveScope): Stocks {
  const rulesets = new Map<string, Stock>(
    entries.flatMap(({ address, slot }) =>
      slot.kind === 'present' ? [[addressKey(address), stockOf(address, slot.ruleset)] as const] : [],
    ),
  );
  return { scope, rulesets, custom: catalogue.filter((head) => head.kind === 'custom').length };
}

/** Returns the stocks after a step. */
export function stocksAfter(stocks: Stocks, step: Step): Stocks {
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
export interface Demand {
  /** Null when the step adds nothing, or no limit is known. */
  readonly rules: { readonly total: number; readonly quota: Quota } | null;
  readonly rulesets: { readonly total: number; readonly most: number } | null;
}

/** Returns what a step requires of the quotas when it is carried out on these stocks. */
export function demandOf(step: Step, stocks: Stocks): Demand {
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
export function excessOf({ rules, rulesets }: Demand): number {
  return (
    Math.max(0, rules === null ? 0 : rules.total - rules.quota.limit) +
    Math.max(0, rulesets === null ? 0 : rulesets.total - rulesets.most)
  );
}

export function deletions(step: Step): number {
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
  return content.action === 'execute' ? rulesetReferences(content) : NONE;
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
