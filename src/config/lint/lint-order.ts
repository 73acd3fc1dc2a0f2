import type { Diagnostic, RuleOwnership } from '../../model/index.ts';
import type { DeclaredRuleset, DeclaredRule } from '../project/scope-file.ts';
import type { Condition, Tree, Demand } from '../../expression/index.ts';
import {
  excludes,
  implies,
  isAlwaysTrue,
  withOpaque,
  demandApart,
  demandsOf,
  firstDemand,
  takeInventory,
  parseExpression,
  flatten,
} from '../../expression/index.ts';
import {
  actsOnEveryMatch,
  skipsRest,
  hasReference,
  formatPlace,
  phaseFacts,
  phaseOrder,
  actionKind,
  isTerminating,
  executedReference,
} from '../../model/index.ts';
import {
  createCameBefore,
  createLimitedMap,
  jsonEqual,
  textOf,
  isJsonArray,
  isJsonObject,
} from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import { locateKey } from '../yaml/yaml-document.ts';
import type { JsonObject } from '../../data/index.ts';
import { oneOfThese } from '../schema/suggest.ts';

/** A rule that ends the evaluation for all requests that it matches. */
interface EarlierRule extends EarlierCondition {
  readonly rule: DeclaredRule;
}

/** What proofs need to know of the condition of such a rule. */
interface EarlierCondition {
  readonly tree: Tree;
  readonly demands: readonly Demand[];
  /** The fields of each of its clauses: a condition within this one has to name a field of each clause. */
  readonly fields: readonly (readonly string[])[];
  readonly isAlwaysTrue: boolean;
}

/** The earlier rule that makes a rule unreachable. */
interface Cover {
  readonly end: DeclaredRule;
  readonly matches: 'every request' | 'all that it matches' | 'the same';
}

/** Most proofs that are tried for one ruleset: any of a thousand rules could be covered by any other. */
const MOST_PROOFS = 2000;

/** Most values that are looked up for one ruleset to save proofs; about a second. */
const MOST_VALUES = 10_000_000;

/** What is left of the work that one ruleset may cost. */
interface ProofBudget {
  proofs: number;
  values: number;
}

/** Reports rules that no request reaches, because an earlier rule ends the evaluation for all that they match (api.md 4.3). */
function lintUnreachable(ruleset: DeclaredRuleset, rules: readonly DeclaredRule[]): readonly Diagnostic[] {
  const texts = new Map<string, DeclaredRule>();
  const ends = rulesByDemand();
  const findings: Diagnostic[] = [];
  const budget: ProofBudget = { proofs: MOST_PROOFS, values: MOST_VALUES };
  for (const [index, rule] of rules.entries()) {
    const { expression } = rule.value;
    if (typeof expression !== 'string') {
      continue;
    }
    const text = expression.trim();
    const same = texts.get(text);
    const cover: Cover | undefined =
      same === undefined ? coverOf(text, ends, budget) : { end: same, matches: 'the same' };
    if (cover !== undefined) {
      findings.push(neverReached(ruleset, rule, cover));
    } else if (endsEvaluation(rule, ruleset.address.phase)) {
      texts.set(text, rule);
      const end = readEnd(text);
      const next = rules[index + 1];
      if (end !== undefined && next !== undefined && end.isAlwaysTrue) {
        const more = rules.length - index - 2;
        return [...findings, neverReached(ruleset, next, { end: rule, matches: 'every request' }, more)];
      }
      if (end !== undefined) {
        ends.add({ rule, ...end });
      }
    }
  }
  return findings;
}

/** The earlier rules by what they demand: most rules of a long ruleset wait for another host or path. */
interface RulesByDemand {
  readonly add: (end: EarlierRule) => void;
  /** Returns those that do not demand another value of the field that a condition tests first, in their order. */
  readonly near: (text: string) => readonly EarlierRule[];
}

function rulesByDemand(): RulesByDemand {
  const ends: EarlierRule[] = [];
  /** By field: the places of those that demand a value of it, and of all others. */
  const byField = new Map<string, { readonly values: Map<string, number[]>; readonly others: number[] }>();
  return {
    add: (end) => {
      for (const { field } of end.demands) {
        if (!byField.has(field)) {
          byField.set(field, { values: new Map(), others: [...ends.keys()] });
        }
      }
      for (const [field, { values, others }] of byField) {
        const demand = end.demands.find((one) => one.field === field);
        if (demand === undefined) {
          others.push(ends.length);
        }
        for (const value of new Set(demand?.values)) {
          const places = values.get(value) ?? [];
          places.push(ends.length);
          values.set(value, places);
        }
      }
      ends.push(end);
    },
    near: (text) => {
      const first = firstDemand(text);
      const known = first === undefined ? undefined : byField.get(first.field);
      if (first === undefined || known === undefined) {
        return ends;
      }
      const places = [...known.others, ...first.values.flatMap((value) => known.values.get(value) ?? [])];
      return places.toSorted((a, b) => a - b).flatMap((place) => ends[place] ?? []);
    },
  };
}

/** Most conditions that are remembered: those that come more than once, as in packs, and in an editor that checks the same file again. */
const MOST_KNOWN = 5000;
const knownEnds = createLimitedMap<{ readonly read: EarlierCondition | undefined }>(MOST_KNOWN);
const cameBefore = createCameBefore();

function readEnd(text: string): EarlierCondition | undefined {
  const known = knownEnds.get(text);
  if (known !== undefined) {
    return known.read;
  }
  const tree = readTree(text);
  const read = tree && {
    tree,
    demands: demandsOf(tree),
    fields: flatten(tree.root, 'and').map(fieldsOf),
    isAlwaysTrue: isAlwaysTrue(tree),
  };
  if (cameBefore(text)) {
    knownEnds.keep(text, { read });
  }
  return read;
}

function readTree(text: string): Extract<Tree, { readonly mode: 'filter' }> | undefined {
  const parsed = parseExpression(text);
  return parsed.ok && parsed.tree.mode === 'filter' ? withOpaque(parsed.tree, hasReference) : undefined;
}

function fieldsOf(clause: Condition): readonly string[] {
  return takeInventory('', { mode: 'filter', root: clause }).fields.map(({ name }) => name);
}

/** Returns the first rule that takes all requests that a condition matches. A condition that no request meets is reported elsewhere. */
function coverOf(text: string, ends: RulesByDemand, budget: ProofBudget): Cover | undefined {
  const likely = ends
    .near(text)
    .filter(({ fields }) => fields.every((some) => some.some((name) => text.includes(name))));
  const tree = likely.length === 0 ? undefined : readTree(text);
  if (tree === undefined) {
    return undefined;
  }
  const demands = demandsOf(tree);
  const values = demands.reduce((sum, demand) => sum + demand.values.length, 0);
  for (const end of likely) {
    budget.values -= values;
    if (budget.values < 0) {
      return undefined;
    }
    if (demandApart(demands, end.demands)) {
      continue;
    }
    budget.proofs -= 1;
    if (budget.proofs < 0) {
      return undefined;
    }
    if (implies(tree, end.tree) && !excludes(tree, end.tree)) {
      return {
        end: end.rule,
        matches: implies(end.tree, tree) ? 'the same' : 'all that it matches',
      };
    }
  }
  return undefined;
}

function neverReached(
  { document }: DeclaredRuleset,
  rule: DeclaredRule,
  { end, matches }: Cover,
  more = 0,
): Diagnostic {
  const name = textOf(end.value['action']);
  const done = actionKind(name) === 'skip' ? 'skips the rest for' : `applies \`${name}\` to`;
  const what =
    matches === 'every request'
      ? `every request${more === 0 ? '' : `, so ${more} more after this one are not reached either`}`
      : 'every request that this rule matches';
  return finding('lint/unreachable-rule', {
    message: `no request reaches this rule: an earlier one ${done} ${what}`,
    hint: `the earlier rule is at ${formatPlace(locateKey(document, end.path))}${adviceOf(rule, end, matches)}`,
    where: locateKey(document, rule.path),
  });
}

function adviceOf(rule: DeclaredRule, end: DeclaredRule, matches: Cover['matches']): string {
  if (DOING.every((key) => jsonEqual(rule.value[key], end.value[key]))) {
    return ' and does the same: remove this one';
  }
  // If both match the same requests, moving this rule first would only make the other one unreachable.
  return matches === 'the same'
    ? ' and matches the same requests: remove one of them'
    : '; move this rule before it, or remove one of them';
}

/** Members that say what a rule does with the requests it matches. */
const DOING = ['action', 'action_parameters', 'ratelimit', 'exposed_credential_check'];

/** Whether evaluation ends for all that a rule matches; challenges let through those who have solved one. */
function endsEvaluation({ value }: DeclaredRule, phase: string): boolean {
  const ends = isTerminating(value['action']) && actionKind(value['action']) !== 'challenge';
  return (ends || skipsRest(value, phase)) && actsOnEveryMatch(value);
}

/** Reports what can be wrong with the order of a ruleset's rules (api.md 4.3, 4.4). */
export function lintOrder(ruleset: DeclaredRuleset): readonly Diagnostic[] {
  const enabled = ruleset.rules.filter(({ value }) => value['enabled'] !== false);
  return lintUnreachable(ruleset, enabled);
}

/**
 * Reports skip rules that change nothing (api.md 5.4): what they skip has run before, or does not follow. Where other owners have rules in the
 * same ruleset, nothing is said about what follows.
 */
export function lintSkips(ruleset: DeclaredRuleset, ownership: RuleOwnership): readonly Diagnostic[] {
  return ruleset.rules.flatMap((rule, index) => {
    const { action, action_parameters: parameters, enabled } = rule.value;
    if (actionKind(action) !== 'skip' || enabled === false || !isJsonObject(parameters)) {
      return [];
    }
    const after = ownership.kind === 'all' ? ruleset.rules.slice(index + 1).filter(isEnabled) : undefined;
    const reason = reasonOf(parameters, { ruleset, after });
    return reason === undefined
      ? []
      : [
          finding('lint/skip-without-effect', {
            message: `this rule skips nothing: ${reason}`,
            hint: 'move it before what it should skip, or remove it',
            where: locateKey(ruleset.document, rule.path),
          }),
        ];
  });
}

interface RulesBehindSkip {
  readonly ruleset: DeclaredRuleset;
  /** The enabled rules behind the skip rule; undefined when the ruleset may have rules of other owners. */
  readonly after: readonly DeclaredRule[] | undefined;
}

/** Returns why none of the parameters has an effect; undefined when one may have. */
function reasonOf(parameters: JsonObject, place: RulesBehindSkip): string | undefined {
  const { ruleset, phase, rulesets, rules, phases, ...others } = parameters;
  const reasons = [
    ...(ruleset === undefined && phase === undefined ? [] : [restReason(place)]),
    ...(isJsonArray(phases) ? [phasesReason(phases, place)] : []),
    ...(isJsonArray(rulesets) ? [exceptionReason(rulesets, place)] : []),
    ...(isJsonObject(rules) ? [exceptionReason(Object.keys(rules), place)] : []),
  ];
  const known = reasons.filter((reason) => reason !== undefined);
  return Object.keys(others).length > 0 || known.length < reasons.length || known.length === 0
    ? undefined
    : known.join(', and ');
}

function restReason({ ruleset, after }: RulesBehindSkip): string | undefined {
  // Behind a custom ruleset the entry point continues.
  return after?.length === 0 && ruleset.address.kind === 'entrypoint'
    ? 'no enabled rule follows it in this ruleset'
    : undefined;
}

function phasesReason(phases: readonly unknown[], { ruleset }: RulesBehindSkip): string | undefined {
  const here = phaseOrder(ruleset.address.phase);
  const names = phases.filter((name) => typeof name === 'string');
  const isKnown = phaseFacts(ruleset.address.phase) !== undefined;
  return isKnown && names.length === phases.length && names.every((name) => phaseOrder(name) < here)
    ? `${oneOfThese(names, 'and')} ${names.length === 1 ? 'runs' : 'run'} before ${ruleset.address.phase}`
    : undefined;
}

/**
 * Returns why an exception has no effect: it acts only on `execute` rules behind it. A name cannot be compared with an id, so such a pair counts
 * as a match.
 */
function exceptionReason(
  skipped: readonly unknown[],
  { ruleset, after }: RulesBehindSkip,
): string | undefined {
  const { address } = ruleset;
  if (
    address.kind !== 'entrypoint' ||
    phaseFacts(address.phase)?.hasExceptions !== true ||
    after === undefined
  ) {
    return undefined;
  }
  const executed = after.flatMap(({ value }) => executedReference(value) ?? []);
  const comparable = [...skipped, ...executed].every((id) => typeof id === 'string' && id.includes(':'));
  const meets = executed.some((id) => !comparable || skipped.includes(id));
  return meets ? undefined : 'no enabled `execute` rule after it runs what it names';
}

function isEnabled({ value }: DeclaredRule): boolean {
  return value['enabled'] !== false;
}
