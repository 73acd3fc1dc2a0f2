import type { Outcome, RunResult, GuardFinding, Permission } from '../model/index.ts';
import { scopeLabel } from '../model/index.ts';
import { counted } from '../text/index.ts';
import {
  findingsAttention,
  attentionGroups,
  isFoundGroup,
  findingLines,
  messageLines,
  BLANK,
  layOut,
  line,
  span,
  momentText,
  FATE_WORDS,
  fateOf,
  FATE_STYLES,
} from '../report/index.ts';
import type { Line, StyledSpan, Look } from '../report/index.ts';
import type { KeptObject, OldObjectTarget, RetireStep, RetirementPlan } from './retirement-plan.ts';

const KINDS: Readonly<Record<OldObjectTarget['kind'], string>> = {
  firewall_rule: 'firewall rule',
  filter: 'filter',
  rate_limit: 'rate limit',
  waf_override: 'override',
};

/** Formats a retirement: what is deleted, in order, and what has replaced it; what stays and why; findings of guards. */
export function retirementText(plan: RetirementPlan, look: Look & { readonly allowed: Permission }): string {
  const { scope, phase, base, steps, kept, findings } = plan;
  const version = base.kind === 'version' ? `version ${base.version}` : 'no entry point';
  return layOut(
    [
      ...attentionGroups(findingsAttention(findings, look.allowed), { moment: 'run', detail: look.detail })
        .filter(isFoundGroup)
        .flatMap(findingLines),
      line(0, span('heading', scopeLabel(scope)), ` · ${phase} · ${version}`),
      ...(steps.length === 0 ? [] : [BLANK, line(0, span('strong', 'To be deleted, in this order'))]),
      ...steps.flatMap(stepLines),
      ...(kept.length === 0 ? [] : [BLANK, line(0, span('strong', 'Stays'))]),
      ...kept.flatMap(keptLines),
      BLANK,
      line(0, span('strong', `${counted(steps.length, 'old object')} to delete, ${kept.length} to stay.`)),
    ],
    look,
  );
}

function stepLines({ target, name, replacedBy, withFilter }: RetireStep): readonly Line[] {
  return [
    line(2, span('removed', `- ${KINDS[target.kind]}`), `  ${name}`, ...idSpan(name, target.id)),
    ...(replacedBy === null ? [] : [line(6, 'live as ', replacedBy)]),
    ...(withFilter ? [line(6, span('dim', 'with its filter, when nothing else uses it'))] : []),
  ];
}

/** Returns the id of an object, unless it is already shown as the name. */
function idSpan(name: string, id: string): readonly StyledSpan[] {
  return name === id ? [] : [span('dim', `  ${id}`)];
}

function keptLines({ target, name, reason }: KeptObject): readonly Line[] {
  return [
    line(2, `  ${KINDS[target.kind]}  ${name}`, ...idSpan(name, target.id)),
    line(6, span('warning', reason)),
  ];
}

const WORDS = { ...FATE_WORDS, done: 'deleted', 'to-do': 'to delete' };

/** Formats the outcome for each old object, the counts, and the command to continue; `next` is null when nothing is left. */
export function retiredText(
  plan: RetirementPlan,
  {
    outcomes,
    dryRun,
    snapshot,
    next,
  }: {
    readonly outcomes: readonly Outcome[];
    readonly dryRun: boolean;
    readonly snapshot?: string | undefined;
    readonly next: string | null;
  },
  look: Look,
): string {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const deleted = outcomes.filter((outcome) => 'writes' in outcome && outcome.writes > 0).length;
  const gone = outcomes.filter(({ kind }) => kind === 'skipped').length;
  const left = outcomes.length - deleted - gone;
  const counts = [
    `${counted(deleted, 'old object')} deleted`,
    ...(gone === 0 ? [] : [`${gone} skipped`]),
    ...(left === 0 ? [] : [`${left} not done`]),
    ...(plan.kept.length === 0 ? [] : [`${plan.kept.length} stay`]),
  ];
  return layOut(
    [
      ...outcomes.flatMap((outcome) => outcomeLines(outcome, steps.get(outcome.step))),
      BLANK,
      line(0, span('strong', dryRun ? 'Dry run, nothing was deleted.' : `${counts.join(', ')}.`)),
      ...(snapshot === undefined ? [] : [line(0, 'snapshot: ', snapshot)]),
      ...(next === null ? [] : [line(0, 'To go on: ', span('strong', next))]),
    ],
    look,
  );
}

function outcomeLines(outcome: Outcome, step: RetireStep | undefined): readonly Line[] {
  const fate = fateOf(outcome);
  const word = WORDS[fate];
  const below =
    fate === 'to-do'
      ? undefined
      : 'reason' in outcome
        ? outcome.reason
        : 'message' in outcome
          ? outcome.message
          : undefined;
  return [
    line(
      2,
      span(FATE_STYLES[fate], word),
      ' '.repeat(13 - word.length),
      step === undefined ? outcome.step : `${KINDS[step.target.kind]}  ${step.name}`,
    ),
    ...messageLines(6, below),
    ...('hint' in outcome ? messageLines(6, outcome.hint, 'info') : []),
  ];
}

/** A retirement and its outcomes as one JSON value. */
export interface RetirementDocument {
  readonly kind: 'retired';
  readonly formatVersion: 1;
  readonly dryRun: boolean;
  readonly result: RunResult;
  readonly plan: RetirementPlan;
  readonly outcomes: readonly Outcome[];
  readonly refusals: readonly GuardFinding[];
  /** Where the snapshot of the old WAF is kept; only when its overrides are retired. */
  readonly snapshot?: string | undefined;
}

/** Returns the document of `retire`. */
export function retirementDocument(
  plan: RetirementPlan,
  rest: Omit<RetirementDocument, 'kind' | 'formatVersion' | 'plan'>,
): RetirementDocument {
  const { dryRun, result, outcomes, refusals, snapshot } = rest;
  return {
    kind: 'retired',
    formatVersion: 1,
    dryRun,
    result,
    plan,
    outcomes,
    refusals,
    snapshot,
  };
}

/** Formats what an unfinished retirement had deleted, and what became of the deletion that was under way. */
export function unfinishedRetirementText(
  run: { readonly at: number; readonly deleted: readonly string[]; readonly inHand: string | null },
  plan: RetirementPlan,
  look: Look,
): string {
  const { at, deleted, inHand } = run;
  return layOut(
    [
      line(
        0,
        span('warning', 'An earlier retirement did not finish.'),
        ` It began ${momentText(new Date(at).toISOString())}; it crashed, or is still running. ${counted(deleted.length, 'old object')} had been deleted.`,
      ),
      ...(inHand === null
        ? []
        : [line(2, `${inHand}: its deletion was sent, and no answer is known; `, becameOf(inHand, plan))]),
      line(0, 'What is left is planned again.'),
    ],
    look,
  );
}

function becameOf(step: string, { scope, steps, kept }: RetirementPlan): string {
  if (!step.startsWith(`${scopeLabel(scope)}/`)) {
    return 'retire in that zone looks';
  }
  const isThere =
    steps.some(({ id }) => id === step) || kept.some(({ target }) => step.endsWith(`/${target.id}`));
  return isThere ? 'it is still there' : 'it is gone';
}
