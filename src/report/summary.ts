import type { EndingRule, Plan, PlanNote, PlanSummary, FailedScope } from '../model/index.ts';
import { changesAnything, failedScopes, isUnchecked, plannedScopes } from '../model/index.ts';
import { counted, grouped } from '../text/index.ts';
import { groupBy } from '../data/index.ts';
import { objectCounts } from './object-changes.ts';
import { COUNT_WORDS } from './perspective.ts';
import type { Perspective } from './perspective.ts';
import { namesOf, withoutWhole } from './own-names.ts';

/** Returns the notes about what a plan leaves out on purpose, and why. */
export function leftOut(plan: Pick<Plan, 'scopes'>): readonly PlanNote[] {
  return plannedScopes(plan.scopes).flatMap(({ notes }) => notes.filter(({ kind }) => kind === 'left-out'));
}

/** Counts the scopes that could not be planned. */
export function countFailed({ scopes }: Pick<Plan, 'scopes'>): number {
  return failedScopes(scopes).length;
}

/** Whether a shard is missing, so that part of the run is not in its plan. */
export function lacksShards({ findings = [] }: Plan): boolean {
  return findings.some(({ kind }) => kind === 'incomplete');
}

/**
 * Whether a plan is incomplete: a shard is missing, a scope failed for another reason than being left for the next run, or no scope was
 * planned.
 */
export function isIncomplete(plan: Plan): boolean {
  const failed = failedScopes(plan.scopes);
  return (
    lacksShards(plan) ||
    failed.some((scope) => !isUnchecked(scope)) ||
    (failed.length > 0 && failed.length === plan.scopes.length)
  );
}

/** Returns the last line of a plan: `Plan: 3 to add, 1 to move · 1 ruleset to create, 2 to update.` */
export function planSummary(plan: Plan, against = 'the files'): string {
  const { rules, rulesets } = plan.summary;
  return changesAnything(plan)
    ? `Plan: ${sentence([
        half(countsOf('plan', rules), ''),
        half(
          [
            [rulesets.create, 'to create'],
            [rulesets.update, 'to update'],
            [rulesets.delete, 'to delete'],
          ],
          'ruleset',
        ),
        ...objectCounts(plan.summary, 'plan'),
      ])}.${leftOutText(plan)}`
    : leftOut(plan).length > 0
      ? nothingStrengthens(leftOut(plan).length)
      : nothing('No changes', plan, against);
}

/** What a run that only strengthens says where it leaves everything out. */
export function nothingStrengthens(left: number): string {
  const them = left === 1 ? 'it' : 'them';
  return `Nothing that only strengthens is left to do, so nothing is written. ${counted(left, 'change')} left out: apply without --only-strengthening makes ${them}.`;
}

/** Returns the last line of a drift report: `Drift: 1 rule only live, 1 different · 2 rulesets different.` */
export function driftSummary(plan: Plan): string {
  const { rules, rulesets } = plan.summary;
  return changesAnything(plan)
    ? `Drift: ${sentence([
        half(countsOf('drift', rules), 'rule'),
        half(
          [
            [rulesets.delete, 'only live'],
            [rulesets.create, 'missing live'],
            [rulesets.update, 'different'],
          ],
          'ruleset',
        ),
        ...objectCounts(plan.summary, 'drift'),
      ])}.`
    : nothing('No drift', plan, 'the files');
}

/** Says how many rules of the files have ended, and how many end soon. */
export function endsSummary(ends: readonly EndingRule[]): string {
  const gone = ends.filter(({ kind }) => kind === 'ended').length;
  const soon = ends.length - gone;
  return `${[
    ...(gone === 0 ? [] : [counted(gone, 'rule of the files has ended', 'rules of the files have ended')]),
    ...(soon === 0 ? [] : [counted(soon, 'rule of the files ends soon', 'rules of the files end soon')]),
  ].join(', ')}.`;
}

function leftOutText(plan: Plan): string {
  const count = leftOut(plan).length;
  return count === 0 ? '' : ` ${counted(count, 'change')} left out, see the notes.`;
}

function countsOf(kind: Perspective['kind'], rules: PlanSummary['rules']): CountedWords {
  return COUNT_WORDS[kind].map(([change, words]) => [rules[change], words]);
}

type CountedWords = readonly (readonly [count: number, what: string])[];

/** Joins the parts that count something. */
function sentence(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** Joins the counts that are not zero; the first is followed by its noun. */
function half(counts: CountedWords, noun: string): string {
  return counts
    .filter(([count]) => count > 0)
    .map(
      ([count, what], index) =>
        `${index === 0 && noun !== '' ? counted(count, noun) : grouped(count)} ${what}`,
    )
    .join(', ');
}

/** What a plan without scopes says: live may differ as it likes, nobody has looked. */
export const NOTHING_COMPARED = 'Nothing was compared: no scope changed, or none was chosen.';

function nothing(what: string, plan: Plan, against: string): string {
  if (plan.scopes.length === 0) {
    // A finding says which parts of the run are missing.
    return lacksShards(plan) ? 'Nothing was compared.' : NOTHING_COMPARED;
  }
  const planned = plannedScopes(plan.scopes);
  const rulesets = planned.reduce((count, scope) => count + scope.bases.length, 0);
  const lists = planned.reduce((count, { compared }) => count + (compared?.lists ?? 0), 0);
  const settings = planned.reduce((count, { compared }) => count + (compared?.settings ?? 0), 0);
  const looked = [
    ...(rulesets > 0 || lists + settings === 0 ? [counted(rulesets, 'ruleset')] : []),
    ...(lists === 0 ? [] : [counted(lists, 'list')]),
    ...(settings === 0 ? [] : [counted(settings, 'setting')]),
  ];
  const where = `${looked.join(', ').replace(/, (?=[^,]*$)/u, ' and ')} in ${counted(planned.length, 'scope')}`;
  return countFailed(plan) === 0
    ? `${what}. Live equals ${against} (${where}).`
    : `${what} in what could be read (${where}).`;
}

/** Scopes that could not be planned for the same reason. */
export interface FailedGroup {
  readonly scopes: readonly FailedScope['scope'][];
  /** The reason; for several scopes their names in it are replaced by `…`. */
  readonly error: FailedScope['error'];
}

/** A scope that could not be planned, and why. */
type ScopeFailure = Pick<FailedScope, 'scope' | 'error'>;

/** Groups failed scopes by reason, in the order of the first of each group. */
export function groupFailed(failed: readonly ScopeFailure[]): readonly FailedGroup[] {
  const groups = groupBy(failed, (scope) => {
    const { code, message, hint = '' } = general(scope);
    return JSON.stringify([code, message, hint]);
  });
  return [...groups.values()].flatMap((members): readonly FailedGroup[] => {
    const [first] = members;
    return first === undefined
      ? []
      : [
          {
            scopes: members.map(({ scope }) => scope),
            error: members.length === 1 ? first.error : general(first),
          },
        ];
  });
}

/** Returns a reason without what is specific to its scope: the name, also as in a URL, and ids. */
function general({ scope, error }: ScopeFailure): FailedScope['error'] {
  const names = namesOf(scope);
  // A lone surrogate, which only another program's plan file can contain, cannot be encoded in a URL.
  const inUrls = names.map((name) => encodeURIComponent(name.replaceAll(/\p{Cs}/gu, '')));
  const message = [...names, ...inUrls]
    .filter((name) => name !== '')
    .reduce((text, name) => withoutWhole(text, name, '…'), error.message)
    .replaceAll(/\b[0-9a-f]{32}\b/g, '…');
  return { ...error, message };
}
