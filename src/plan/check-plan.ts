import { canonicalJson, isJsonObject } from '../model/json.ts';
import type { Plan, Step } from '../model/plan.ts';
import { validatePlan } from './generated/validate-plan.mjs';
import { integrityOf } from './make-plan.ts';
import { factsOf, wholeOf } from './scope-facts.ts';

/** A value that is a plan, or what is wrong with it. */
export type CheckedPlan =
  | { readonly kind: 'valid'; readonly plan: Plan }
  /** A plan of another version of this program; only the own format is read. */
  | { readonly kind: 'other-format'; readonly problem: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** The format that is written, and the only one that is read. */
const FORMAT: Plan['formatVersion'] = 2;

/** The most problems that are shown; a file that is no plan at all has hundreds. */
const MOST_PROBLEMS = 10;

/**
 * Checks a plan that comes from outside: its schema, that every step's order and changes agree, that
 * its digest is that of its effect, and that its summary counts what is there. So a plan that was edited
 * by hand does not pass for the one that was reviewed.
 */
export function checkPlan(value: unknown): CheckedPlan {
  const format = formatOf(value);
  if (format !== undefined && format !== FORMAT) {
    const problem = `made by another version of rulewright (format ${format}; this one reads ${FORMAT})`;
    return { kind: 'other-format', problem };
  }
  if (!validatePlan(value)) {
    const problems = (validatePlan.errors ?? []).map(
      (error) =>
        `${error.instancePath === '' ? 'the file' : error.instancePath} ${describe(error.keyword, error.params)}`,
    );
    return { kind: 'invalid', problems: [...new Set(problems)].slice(0, MOST_PROBLEMS) };
  }
  const facts = value.scopes.map((scope) => factsOf(scope));
  const { summary, digest } = wholeOf(facts);
  const problems = [
    ...(namesScopeTwice(value.scopes) ? ['a scope is in it twice'] : []),
    ...value.scopes.flatMap((scope) =>
      scope.kind === 'planned' ? scope.steps.flatMap((step) => inconsistencies(step)) : [],
    ),
    ...(canonicalJson(summary) === canonicalJson(value.summary)
      ? []
      : ['the summary does not count what the steps change']),
    ...(digest === value.digest ? [] : ['the digest is not that of the effect']),
    ...(integrityOf(value, facts) === value.integrity ? [] : ['it was changed after it was made']),
  ];
  return problems.length === 0
    ? { kind: 'valid', plan: value }
    : { kind: 'invalid', problems: problems.slice(0, MOST_PROBLEMS) };
}

/** What a plan shows of a scope in one place would not be all that happens to it. */
function namesScopeTwice(scopes: Plan['scopes']): boolean {
  const ids = scopes.flatMap(({ kind, scope }) => (kind === 'planned' ? [`${scope.kind} ${scope.id}`] : []));
  return new Set(ids).size < ids.length;
}

/** The number of the format that a plan says it has. */
function formatOf(value: unknown): number | undefined {
  const format = isJsonObject(value) && value['kind'] === 'plan' ? value['formatVersion'] : undefined;
  return typeof format === 'number' ? format : undefined;
}

function describe(keyword: string, params: Readonly<Record<string, unknown>>): string {
  return `breaks the plan's schema (${keyword} ${JSON.stringify(params)})`;
}

/** A step whose order and changes do not speak of the same rules would do other than it shows. */
function inconsistencies(step: Step): readonly string[] {
  const wrongBase = step.operation === 'create' ? step.base.kind === 'version' : step.base.kind !== 'version';
  const base = wrongBase ? [`${step.id}: a ${step.operation} cannot have this base`] : [];
  if (step.operation === 'delete') {
    return step.changes.every((change) => change.kind === 'delete')
      ? base
      : [...base, `${step.id}: a ruleset that is deleted can only lose rules`];
  }
  const live = new Set(step.order.flatMap((entry) => (entry.kind === 'live' ? [entry.id] : [])));
  const fresh = new Set(step.order.flatMap((entry) => (entry.kind === 'new' ? [entry.ref] : [])));
  const added = step.changes.flatMap((change) => (change.kind === 'add' ? [change.ref] : []));
  const disagree = step.changes.some((change) =>
    change.kind === 'add' ? !fresh.has(change.ref) : live.has(change.id) === (change.kind === 'delete'),
  );
  const twice = live.size + fresh.size !== step.order.length || new Set(added).size !== added.length;
  return disagree || twice || added.length !== fresh.size
    ? [...base, `${step.id}: its order and its changes do not agree`]
    : base;
}
