import type { Outcome, RunResult, GuardFinding, Permission } from '../model/index.ts';
import { scopeLabel } from '../model/index.ts';
import { counted } from '../text/index.ts';
import {
  attentionGroups,
  entry,
  FATE_STYLES,
  FATE_WORDS,
  fateOf,
  findingsAttention,
  groupCallouts,
  hintBlocks,
  isFoundGroup,
  messageBlocks,
  momentText,
  paragraph,
  section,
  span,
} from '../report/index.ts';
import type { Detail, Document, EntryBlock, Inline, SectionBlock } from '../report/index.ts';
import type { KeptObject, OldObjectTarget, RetireStep, RetirementPlan } from './retirement-plan.ts';

const KINDS: Readonly<Record<OldObjectTarget['kind'], string>> = {
  firewall_rule: 'firewall rule',
  filter: 'filter',
  rate_limit: 'rate limit',
  waf_override: 'override',
  page_rule: 'page rule',
};

/** Documents a retirement: findings of guards, what is deleted, in order, and what has replaced it; what stays and why. */
export function retirementDocument(plan: RetirementPlan, allowed: Permission, detail?: Detail): Document {
  const { scope, entrypoints, steps, kept, findings } = plan;
  const groups = attentionGroups(findingsAttention(findings, allowed), { moment: 'run', detail });
  return {
    title: 'Rulewright retirement',
    heading: [
      'Old objects of ',
      span('code', scopeLabel(scope)),
      ...entrypoints.flatMap(({ phase, base }) => [
        ' · ',
        span('code', phase),
        ` · ${base.kind === 'version' ? `version ${base.version}` : 'no entry point'}`,
      ]),
    ],
    body: [
      ...groupCallouts(groups.filter(isFoundGroup), { detail: 'each' }),
      ...sectionOf('To be deleted, in this order', steps.map(stepEntry)),
      ...sectionOf('Stays', kept.map(keptEntry)),
    ],
    summary: [[span('strong', `${counted(steps.length, 'old object')} to delete, ${kept.length} to stay.`)]],
  };
}

function sectionOf(title: string, entries: readonly EntryBlock[]): readonly SectionBlock[] {
  return entries.length === 0 ? [] : [section(2, [span('strong', title)], entries)];
}

function stepEntry({ target, name, replacedBy, withFilter }: RetireStep): EntryBlock {
  return entry({ sign: '-', style: 'removed' }, [span('removed', KINDS[target.kind]), `  ${name}`], {
    facts: idFacts(name, target.id),
    body: [
      ...(replacedBy === null ? [] : [paragraph('live as ', span('code', replacedBy))]),
      ...(withFilter ? [paragraph(span('dim', 'with its filter, when nothing else uses it'))] : []),
    ],
  });
}

/** Returns the id of an object, unless it is already shown as the name. */
function idFacts(name: string, id: string): readonly Inline[] {
  return name === id ? [] : [[span('dim', id)]];
}

function keptEntry({ target, name, reason, next }: KeptObject): EntryBlock {
  return entry({ sign: '=', style: 'dim' }, [`${KINDS[target.kind]}  ${name}`], {
    facts: idFacts(name, target.id),
    body: [paragraph(span('warning', reason)), ...hintBlocks(next)],
  });
}

const WORDS = { ...FATE_WORDS, done: 'deleted', 'to-do': 'to delete' };

/** What became of a retirement; `next` is the command to continue, null when nothing is left. */
interface Retired {
  readonly outcomes: readonly Outcome[];
  readonly dryRun: boolean;
  readonly snapshot?: string | undefined;
  readonly next: string | null;
}

/** Documents the outcome for each old object, the counts, and the command to continue. */
export function retiredDocument(plan: RetirementPlan, retired: Retired): Document {
  const { outcomes, dryRun, snapshot, next } = retired;
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
  return {
    title: 'Rulewright retirement',
    body: [
      section(
        2,
        [span('strong', 'Deletions')],
        outcomes.map((outcome) => outcomeEntry(outcome, steps.get(outcome.step))),
        { facts: [[span('code', scopeLabel(plan.scope))]] },
      ),
    ],
    summary: [
      [span('strong', dryRun ? 'Dry run, nothing was deleted.' : `${counts.join(', ')}.`)],
      ...(snapshot === undefined ? [] : [['Snapshot: ', span('code', snapshot)]]),
      ...(next === null ? [] : [['To go on: ', span('code', next)]]),
    ],
  };
}

function outcomeEntry(outcome: Outcome, step: RetireStep | undefined): EntryBlock {
  const fate = fateOf(outcome);
  const below =
    fate === 'to-do'
      ? undefined
      : 'reason' in outcome
        ? outcome.reason
        : 'message' in outcome
          ? outcome.message
          : undefined;
  return entry(
    { word: WORDS[fate], style: FATE_STYLES[fate] },
    [step === undefined ? outcome.step : `${KINDS[step.target.kind]}  ${step.name}`],
    { body: [...messageBlocks(below), ...('hint' in outcome ? messageBlocks(outcome.hint, 'info') : [])] },
  );
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

/** Returns a retirement and its outcomes as one JSON value. */
export function retirementJson(
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

/** Documents what an unfinished retirement had deleted, and what became of the deletion that was under way. */
export function unfinishedRetirementDocument(
  run: { readonly at: number; readonly deleted: readonly string[]; readonly inHand: string | null },
  plan: RetirementPlan,
): Document {
  const { at, deleted, inHand } = run;
  const began = momentText(new Date(at).toISOString());
  return {
    title: 'Rulewright retirement',
    body: [
      paragraph(
        span('warning', 'An earlier retirement did not finish.'),
        ` It began ${began}; it crashed, or is still running. ${counted(deleted.length, 'old object')} had been deleted.`,
      ),
      ...(inHand === null
        ? []
        : [paragraph(`${inHand}: its deletion was sent, and no answer is known; ${becameOf(inHand, plan)}`)]),
      paragraph('What is left is planned again.'),
    ],
  };
}

function becameOf(step: string, { scope, steps, kept }: RetirementPlan): string {
  if (!step.startsWith(`${scopeLabel(scope)}/`)) {
    return 'retire in that zone looks';
  }
  const isThere =
    steps.some(({ id }) => id === step) || kept.some(({ target }) => step.endsWith(`/${target.id}`));
  return isThere ? 'it is still there' : 'it is gone';
}
