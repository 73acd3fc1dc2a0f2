import { assertNever, groupBy } from '../data/index.ts';
import type { Outcome, OutcomesDocument, Plan, PlanDifference, PlanNote, Rollback } from '../model/index.ts';
import { describedName, isAchieved, isFailure, isVersion, readStepId } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { alikeCount, alikeDifferences, alikeOutcomes } from './alike-plans.ts';
import type { AlikeScopes } from './alike-scopes.ts';
import { attentionCallouts } from './attention-callouts.ts';
import { outcomesAttention } from './attention.ts';
import { changeRows } from './field-rows.ts';
import type { Detail } from './layout.ts';
import { stepsText } from './object-changes.ts';
import { changedFields, foreignBlocks, liveDifferenceBlocks, refusalBlocks } from './live-blocks.ts';
import { noteRule } from './notes.ts';
import { FATE_STYLES, FATE_WORDS, fateOf, outcomeMessages, outcomesSummary } from './outcomes-summary.ts';
import { appliedPlan } from './plan-document.ts';
import { waveResultBlocks, waveSentences } from './rollout-document.ts';
import { alikeSections } from './plan-sections.ts';
import type {
  Block,
  DifferenceSides,
  EntryBlock,
  EntryMark,
  Inline,
  Document,
  SectionBlock,
} from './tree.ts';
import { entry, hintBlocks, message, paragraph, section, span } from './tree.ts';
import { legendEntry } from './perspective.ts';
import { kindOf, nameOf } from './own-names.ts';

/** What a command is called that carries out a plan. */
export type ApplyAct = 'apply' | 'rollback';

/** What is told of an apply besides its outcomes. */
interface BesideOutcomes {
  /** `apply` unless given. */
  readonly act?: ApplyAct | undefined;
  /** The plan that was carried out, which a page shows below. */
  readonly plan?: Plan;
  /** Whether the plan, with the scopes that it lacks, has been shown. */
  readonly isPlanShown?: boolean;
  /** The command for what is left; null for none. */
  readonly next?: string | null;
  readonly detail?: Detail | undefined;
}

/** Documents the result of an apply: what stopped it, then the outcome of each ruleset, trouble first. */
export function outcomesDocument(document: OutcomesDocument, beside: BesideOutcomes = {}): Document {
  const { act = 'apply', plan, next = null, detail, isPlanShown = false } = beside;
  const { outcomes, rollback, waves = [], leftOut = [], differences = [] } = document;
  const applied = plan === undefined ? null : appliedPlan(plan, outcomes);
  return {
    title: `Rulewright ${act}${document.dryRun ? ' --dry-run' : ''}`,
    summary: [
      [span('strong', outcomesSummary(document))],
      ...waveSentences(waves),
      ...stoppedText(outcomes),
      ...(next === null ? [] : [['To go on: ', ...fixFirst(outcomes), span('code', next)]]),
    ],
    body: [
      ...(isPlanShown
        ? []
        : attentionCallouts(outcomesAttention(document), {
            moment: 'run',
            of: document.plan.scopes,
            detail: 'each',
          })),
      ...differencesBlocks(differences, detail),
      ...waveResultBlocks(waves),
      ...scopeSections(alikeOutcomes(outcomes, detail), FATE_WORDS),
      ...rollbackBlocks(rollback, detail),
      ...(leftOut.length === 0
        ? []
        : [
            section(3, [`${counted(leftOut.length, 'change')} left out`], leftOut.map(noteEntry), {
              folded: true,
            }),
          ]),
      ...(applied === null ? [] : [{ kind: 'either' as const, whole: applied.blocks, brief: [] }]),
    ],
    ...(applied === null ? {} : { page: applied.page }),
  };
}

/** Documents how a plan that was made now differs from the reviewed one, and what has become of reviewed steps since. */
export function differencesDocument(
  differences: readonly PlanDifference[],
  outcomes: readonly Outcome[],
  detail: Detail | undefined,
): Document {
  return {
    title: 'Rulewright apply',
    body: [
      ...differencesBlocks(differences, detail),
      ...scopeSections(alikeOutcomes(outcomes, detail), FATE_WORDS),
    ],
  };
}

/** Documents what was put back of what an earlier run wrote. */
export function finishedRollbackDocument(rollback: Rollback, detail: Detail | undefined): Document {
  return { title: 'Rulewright apply', body: rollbackBlocks(rollback, detail) };
}

/** Returns the outcome of each step by scope; scopes with trouble come first. */
function scopeSections(
  groups: readonly AlikeScopes<Outcome>[],
  words: typeof FATE_WORDS,
): readonly SectionBlock[] {
  const whole = ({ scope, members, others }: AlikeScopes<Outcome>, isFolded: boolean): SectionBlock =>
    section(
      2,
      [span('strong', scope), alikeCount(kindOf(scope), others)],
      [
        ...byReason(members).flatMap((some) => outcomeEntries(some, words)),
        ...alikeSections(others.map(nameOf)),
      ],
      isFolded ? { folded: true, tally: [[stepsText(members.map(({ step }) => step))]] } : {},
    );
  const isFine = ({ members }: AlikeScopes<Outcome>): boolean => members.every(isAchieved);
  const unreached = groups.filter((group) => soleReason(group) !== null);
  const trouble = groups.filter((group) => soleReason(group) === null && !isFine(group));
  return [
    ...trouble.map((group) => whole(group, false)),
    ...[...groupBy(unreached, soleReason)].map(([reason, some]) =>
      section(2, [span('strong', 'Not reached')], some.map(unreachedEntry), { facts: [[reason ?? '']] }),
    ),
    ...groups.filter(isFine).map((group) => whole(group, true)),
  ];
}

/** Returns why a scope was not reached at all; null where a step of it was, or for several reasons. */
function soleReason({ members }: AlikeScopes<Outcome>): string | null {
  const reasons = new Set(members.map((one) => (one.kind === 'not-reached' ? one.reason : null)));
  const [reason = null] = reasons;
  return reasons.size === 1 ? reason : null;
}

function unreachedEntry({ scope, members, others }: AlikeScopes<Outcome>): EntryBlock {
  return entry(undefined, [span('strong', scope), alikeCount(kindOf(scope), others)], {
    facts: [rulesetsOf(members)],
    body:
      others.length === 0 ? [] : [{ kind: 'names', names: others.map((text) => span('code', nameOf(text))) }],
  });
}

function rulesetsOf(outcomes: readonly Outcome[]): Inline {
  return outcomes.flatMap(({ step }, index): Inline => [
    ...(index === 0 ? [] : [', ']),
    span('code', readStepId(step).ruleset),
  ]);
}

/** Puts steps together that were not reached for the same reason. */
function byReason(outcomes: readonly Outcome[]): readonly (readonly Outcome[])[] {
  return [
    ...groupBy(outcomes, (one) =>
      one.kind === 'not-reached' ? `reason ${one.reason}` : `step ${one.step}`,
    ).values(),
  ];
}

/** The number of outcomes that are still visible when the last line is. */
const IN_SIGHT = 10;

/** The number of rulesets, or places, that are named. */
const NAMED = 3;

/** Returns what stopped a long run. */
function stoppedText(outcomes: readonly Outcome[]): readonly Inline[] {
  const names = outcomes.filter(isFailure).map(({ step }) => step);
  return outcomes.length <= IN_SIGHT || names.length === 0
    ? []
    : [[span('error', 'Stopped at'), ` ${someNames(names, NAMED)}.`]];
}

/** What has to be mended first, since a new plan would have it again: the rules of files that the service refused. */
function fixFirst(outcomes: readonly Outcome[]): Inline {
  const places = outcomes.flatMap((outcome) =>
    outcome.kind !== 'failed'
      ? []
      : (outcome.refusals ?? []).flatMap(({ cause }) =>
          cause === undefined || isVersion(cause) ? [] : [`${cause.file}:${cause.line}`],
        ),
  );
  return places.length === 0 ? [] : [`fix ${someNames([...new Set(places)], NAMED)}, then `];
}

/** Returns what was restored of the run's writes, and what could not be. */
function rollbackBlocks(rollback: Rollback | undefined, detail: Detail | undefined): readonly Block[] {
  if (rollback === undefined) {
    return [];
  }
  const { outcomes, notes } = rollback;
  return outcomes.length === 0
    ? [entry(undefined, ['Rollback: nothing was written, so there is nothing to put back.'], { apart: true })]
    : [
        section(
          2,
          [span('strong', 'Rollback')],
          [
            ...scopeSections(alikeOutcomes(outcomes, detail), { ...FATE_WORDS, done: 'put back' }),
            ...notes.map(noteEntry),
          ],
        ),
      ];
}

function noteEntry(note: PlanNote): EntryBlock {
  const rule = noteRule(note);
  return entry({ sign: '!', style: 'warning' }, [
    span('code', note.step),
    ...(rule === '' ? [] : [': ', span('name', rule)]),
    rule === '' ? ': ' : ' ',
    message(note.message),
  ]);
}

/** Returns the outcome of a step, or of several for which all but their names is the same. */
function outcomeEntries(outcomes: readonly Outcome[], words: typeof FATE_WORDS): readonly EntryBlock[] {
  return outcomes.slice(0, 1).map((outcome) => {
    const fate = fateOf(outcome);
    const { facts = [], body = [], hint } = detailsOf(outcome);
    return entry({ word: words[fate], style: FATE_STYLES[fate] }, rulesetsOf(outcomes), {
      facts: facts.map((text) => [span('dim', text)]),
      body: [
        ...outcomeMessages(outcome).map((text) => paragraph(message(text))),
        ...body,
        ...hintBlocks(hint),
      ],
    });
  });
}

interface OutcomeDetails {
  /** What follows the name. */
  readonly facts?: readonly string[];
  /** What follows the messages. */
  readonly body?: readonly Block[];
  readonly hint?: string | undefined;
}

function detailsOf(outcome: Outcome): OutcomeDetails {
  switch (outcome.kind) {
    case 'done': {
      const version = outcome.version === null ? '' : `version ${outcome.version}, `;
      return {
        facts: [`${version}${counted(outcome.writes, 'write')}`],
        body: (outcome.normalised ?? []).map(({ rule, fields }) =>
          entry(undefined, [span('name', rule), span('dim', '  kept by the service in its own form:')], {
            parts: true,
            body: [changedFields(fields)],
          }),
        ),
      };
    }
    case 'skipped':
      return { facts: outcome.toWrite === undefined ? [] : [counted(outcome.toWrite, 'write')] };
    case 'not-reached':
      return {};
    case 'failed':
      return { facts: [outcome.code], body: refusalBlocks(outcome.refusals ?? []), hint: outcome.hint };
    case 'refused':
      return {
        facts: [outcome.code],
        body: outcome.difference === undefined ? [] : liveDifferenceBlocks(outcome.difference),
        hint: outcome.hint,
      };
    case 'conflict':
      return { body: foreignBlocks(outcome), hint: outcome.hint };
    default:
      return assertNever(outcome);
  }
}

/** What the two values of a field are: of the two plans if both change the rule, otherwise of the one that does. */
const SIDES: Readonly<Record<PlanDifference['kind'], DifferenceSides>> = {
  'only-reviewed': between('live at the review', 'reviewed'),
  'only-fresh': between('live', 'after apply'),
  different: between('reviewed', 'now'),
};

function between(before: string, after: string): DifferenceSides {
  const column = Math.max(before.length, after.length) + 2;
  return {
    before: {
      inline: `${before} `,
      leading: before.padEnd(column),
      word: before,
      sign: '-',
      style: 'removed',
    },
    after: { inline: `${after} `, leading: after.padEnd(column), word: after, sign: '+', style: 'added' },
    between: ' · ',
  };
}

const MARKS: Readonly<Record<PlanDifference['kind'], EntryMark>> = {
  'only-reviewed': { sign: '-', word: 'only reviewed', style: 'removed' },
  'only-fresh': { sign: '+', word: 'only now', style: 'added' },
  different: { sign: '~', word: 'differs', style: 'changed' },
};

/** Returns how a plan that was made now differs from the reviewed one, place by place. */
function differencesBlocks(
  differences: readonly PlanDifference[],
  detail: Detail | undefined,
): readonly Block[] {
  if (differences.length === 0) {
    return [];
  }
  return [
    paragraph('The plan is not the one that was reviewed:'),
    legendEntry(Object.values(MARKS)),
    ...alikeDifferences(differences, detail).flatMap(({ places, others }) =>
      [...places].map(([place, members], index) =>
        section(
          2,
          [span('heading', place), alikeCount(kindOf(place), others)],
          [
            ...members.map(differenceEntry),
            ...(index === places.size - 1 ? alikeSections(others.map(nameOf)) : []),
          ],
        ),
      ),
    ),
  ];
}

function differenceEntry({
  kind,
  rule,
  description = '',
  message: text,
  fields = [],
}: PlanDifference): EntryBlock {
  return entry(
    MARKS[kind],
    [...(rule === undefined ? [] : [span('name', describedName(rule, description)), '  ']), message(text)],
    { body: fields.length === 0 ? [] : [{ kind: 'fields', rows: changeRows(fields), sides: SIDES[kind] }] },
  );
}
