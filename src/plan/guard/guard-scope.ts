import type {
  PlannedScope,
  ScopePlan,
  Step,
  Plan,
  GuardFinding,
  Safety,
  Permission,
  Scope,
  RuleChange,
} from '../../model/index.ts';
import {
  scopeLabel,
  changingScopes,
  plannedScopes,
  isVersion,
  describedNameOf,
  isWritten,
  ruleNameOf,
  othersOf,
  ourRuleCounts,
  isNamed,
  isAllowed,
  reviewedBy,
} from '../../model/index.ts';
import { matchesAny, isNameless } from '../match/name-rules.ts';
import { counted, oneLine } from '../../text/index.ts';
import type { RuleCounts, Tally } from './thresholds.ts';
import { checkThresholds, countRules, totalCounts } from './thresholds.ts';

/**
 * Finds what is dangerous at any size: what cannot be undone, emptying a ruleset, deleting rules that nobody named, touching protected rules,
 * weakening protection, ending every request, letting every request past protection, taking rules of others along.
 */
function checkStep(step: Step, liveRules: number, safety: Safety): readonly GuardFinding[] {
  return [
    ...irreversible(step),
    ...emptied(step, liveRules),
    ...deletedWithRuleset(step),
    ...step.changes.flatMap((change) => changeFindings(change, step, safety)),
  ];
}

/** Finds what cannot be undone: a deleted ruleset loses its id and all its versions (api.md 2.1). */
function irreversible({ id, operation }: Step): readonly GuardFinding[] {
  const message = `${id} would be deleted with its id and all its versions, which never come back`;
  return operation === 'delete' ? [{ kind: 'irreversible', effect: 'refuse', step: id, message }] : [];
}

/** Counts the rules that are disabled afterwards, as far as the changes tell: a disabled rule protects nothing. */
function switchedOff(step: Step): number {
  return step.changes.filter((change) => isWritten(change) && !change.content.enabled).length;
}

function emptied(step: Step, liveRules: number): readonly GuardFinding[] {
  const { after } = ourRuleCounts(step);
  if (liveRules === 0 || after > switchedOff(step)) {
    return [];
  }
  return [{ kind: 'emptied', effect: 'refuse', step: step.id, message: emptiedText(step, liveRules, after) }];
}

/** Says how a step leaves nothing of ours in force: its rules go, or are switched off, or both. */
function emptiedText(step: Step, liveRules: number, after: number): string {
  const all = liveRules === 1 ? 'our only rule' : `all our ${liveRules} rules`;
  if (after > 0) {
    return after < liveRules || step.changes.some(({ kind }) => kind === 'delete')
      ? `${step.id} would be left with no rule of ours in force: what remains is switched off (\`enabled: false\`)`
      : `${step.id} would have ${all} switched off (\`enabled: false\`)`;
  }
  const what = step.operation === 'delete' ? 'would be deleted with' : 'would lose';
  const whose = step.operation === 'delete' && othersOf(step).length === 0 ? 'its' : 'our';
  return `${step.id} ${what} ${liveRules === 1 ? `${whose} only rule` : `all ${whose} ${liveRules} rules`}`;
}

/** Finds rules of others that would go with their ruleset. */
function deletedWithRuleset(step: Step): readonly GuardFinding[] {
  const others = new Set(step.operation === 'delete' ? othersOf(step) : []);
  return step.changes.flatMap((change) =>
    change.kind === 'delete' && others.has(change.id)
      ? [findingFor(step, change)('foreign', 'refuse', 'is not ours and would be deleted with its ruleset')]
      : [],
  );
}

/** Makes a finding about a change's rule; `reason` continues the sentence after the rule's name. */
type TellFinding = (
  kind: GuardFinding['kind'],
  effect: GuardFinding['effect'],
  reason: string,
) => GuardFinding;

/** Returns how to make findings about a change of a step. */
export function findingFor(step: Step, change: RuleChange): TellFinding {
  return (kind, effect, reason) => ({
    kind,
    effect,
    step: step.id,
    ...ruleNameOf(change),
    reason,
    message: `${step.id}: rule ${describedNameOf(change)} ${reason}`,
  });
}

function changeFindings(change: RuleChange, step: Step, safety: Safety): readonly GuardFinding[] {
  const tell = findingFor(step, change);
  const [ends, opens] = [change.ends?.forth, change.opens?.forth];
  const name = protectedName(change, safety);
  return [
    ...(change.kind !== 'delete' || isNamed(change) ? [] : [tell('unnamed', 'refuse', unnamed(step))]),
    ...(change.kind === 'add' || name === null
      ? []
      : [
          tell(
            'protected',
            'refuse',
            `is protected${name === change.ref ? '' : ` as ${oneLine(name)}`} and would be ${VERBS[change.kind]}`,
          ),
        ]),
    ...weakened(change, tell, safety),
    ...(ends === undefined ? [] : [tell('every-request', safety.everyRequest, `now ${ends}`)]),
    ...(opens === undefined ? [] : [tell('unprotected', safety.unprotected, `now ${opens}`)]),
  ];
}

function weakened({ protection }: RuleChange, tell: TellFinding, safety: Safety): readonly GuardFinding[] {
  if (protection.kind !== 'weakening') {
    return [];
  }
  const finding = tell('weakened', safety.weakened, protection.reason);
  return [protection.proven === false ? { ...finding, proven: false } : finding];
}

/** The reason for deleting a nameless rule. When going back to a version, the hint is left out, since no file can keep the rule. */
function unnamed({ cause }: Step): string {
  return cause !== undefined && isVersion(cause)
    ? 'is newer than that version and has no ref of its own (its ref is an id), and would be deleted'
    : 'has no ref of its own (its ref is an id), like rules made outside the files, and would be deleted. ' +
        'To keep it, write a rule with this ref into the files, or with its `id` and a ref of your choice';
}

const VERBS = { patch: 'changed', move: 'moved', delete: 'deleted' } as const;

/** Returns the name by which a rule is protected, its current or its former one; null when it is not protected. */
function protectedName(change: RuleChange, { protect }: Safety): string | null {
  return namesOf(change).find((name) => matchesAny(protect, name)) ?? null;
}

/** The names by which a rule may be protected. The new name of a rule that had none does not count, since nobody could have protected it. */
function namesOf(change: RuleChange): readonly string[] {
  if (change.kind !== 'patch' || change.adopts === undefined) {
    return [change.ref];
  }
  const { id, ref, adopts } = change;
  return isNameless({ id, ref: adopts }) ? [adopts] : [ref, adopts];
}

/** Adds the findings of guards to the plan of a scope, after those of planning itself (quotas). `today` is `YYYY-MM-DD`, for allowances that end. */
export function guardScope(plan: PlannedScope, safety: Safety, today: string): PlannedScope {
  const tallies = plan.steps.map((step): Tally => ({ subject: step.id, step: step.id, ...countRules(step) }));
  const findings = [
    ...otherAccount(plan, safety),
    ...plan.findings,
    ...plan.steps.flatMap((step, index) => checkStep(step, tallies[index]?.live ?? 0, safety)),
    ...tallies.flatMap((tally) => checkThresholds(tally, safety)),
    ...(plan.steps.length > 1
      ? checkThresholds({ subject: scopeLabel(plan.scope), ...totalCounts(tallies) }, safety)
      : []),
  ];
  return { ...plan, findings: withoutAllowed(findings, safety, today) };
}

/** Finds that a changing scope is in none of the accounts that the files name. */
export function otherAccount(
  { scope, steps }: { readonly scope: Scope; readonly steps: readonly unknown[] },
  { accounts }: Safety,
): readonly GuardFinding[] {
  const { kind, accountId } = scope;
  if (steps.length === 0 || accounts === undefined || accounts.includes(accountId)) {
    return [];
  }
  const where = kind === 'zone' ? `is in the account ${accountId}` : `is ${accountId}`;
  const message = `${scopeLabel(scope)} ${where}, which \`safety.accounts\` does not name: is this the right token?`;
  return [{ kind: 'account', effect: 'refuse', message }];
}

/** Runs the guards that concern all scopes together. */
export function guardRun(
  scopes: readonly ScopePlan[],
  safety: Safety,
  today: string,
): readonly GuardFinding[] {
  const counts = changingScopes(scopes).map(({ steps }) => totalCounts(steps.map(countRules)));
  return guardCounts(counts, safety, today);
}

/** Runs the guards on the counts of the changing scopes together; nothing for a single scope, whose own guards cover it. */
export function guardCounts(
  counts: readonly RuleCounts[],
  safety: Safety,
  today: string,
): readonly GuardFinding[] {
  const subject = `the whole run (${counts.length} scopes)`;
  return counts.length < 2
    ? []
    : withoutAllowed(
        [...fanOut(counts.length, safety), ...checkThresholds({ subject, ...totalCounts(counts) }, safety)],
        safety,
        today,
      );
}

/** Finds that more scopes change than the files allow in one run; one edit of a pack can reach every zone. */
function fanOut(changed: number, { maxScopes = Infinity }: Safety): readonly GuardFinding[] {
  const message = `${counted(changed, 'scope')} would change in the whole run; max_scopes allows ${maxScopes}. Change some of them first (--target)`;
  return changed > maxScopes ? [{ kind: 'scopes', effect: 'refuse', message }] : [];
}

/** Returns the findings that the files do not allow. */
export function withoutAllowed(
  findings: readonly GuardFinding[],
  safety: Safety,
  today: string,
): readonly GuardFinding[] {
  return findings.filter((finding) => !isAllowedByFile(finding, safety, today));
}

function isAllowedByFile(finding: GuardFinding, safety: Safety, today: string): boolean {
  return safety.allow.some(
    (allowance) =>
      allowance.kind === finding.kind &&
      today <= allowance.until &&
      (allowance.rule === undefined ||
        (finding.rule !== undefined && matchesAny([allowance.rule], finding.rule))),
  );
}

/** Returns all findings of guards: about the run, then scope by scope. */
export function findingsOf(plan: Pick<Plan, 'findings' | 'scopes'>): readonly GuardFinding[] {
  return [...(plan.findings ?? []), ...plannedScopes(plan.scopes).flatMap(({ findings }) => findings)];
}

/**
 * Returns the findings that stop this run: refusals neither allowed by a flag nor shown in the reviewed plan, and refusals that nothing can
 * allow.
 */
export function refusals(findings: readonly GuardFinding[], permission: Permission): readonly GuardFinding[] {
  const isReviewed = reviewedBy(permission);
  return findings.filter(
    (finding) =>
      finding.effect === 'refuse' && !isAllowed(finding.kind, permission.kinds) && !isReviewed(finding),
  );
}
