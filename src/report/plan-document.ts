import type {
  Drift,
  EndingRule,
  Outcome,
  Permission,
  PhaseStage,
  Plan,
  PlannedScope,
  Preflight,
} from '../model/index.ts';
import {
  changesAnything,
  failedScopes,
  isUnchecked,
  phaseFacts,
  PHASES,
  serviceName,
} from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { alikeCount, countScopes } from './alike-plans.ts';
import { authorTraits, NO_AUTHORS, notKnownTexts, toldAuthors } from './authors.ts';
import { groupCallouts } from './attention-callouts.ts';
import type { AttentionItem, ReportMoment } from './attention.ts';
import { attentionCounts, attentionGroups, driftAttention, planAttention } from './attention.ts';
import type { Detail } from './layout.ts';
import { withLocalDrift, withLocalReasons } from './local-reasons.ts';
import { objectCounts, objectFacet } from './object-changes.ts';
import { carriedText, undeclaredText } from './notes.ts';
import type { ChangeCounts, PlacedScope, PlacedStep, PlanPlaces } from './plan-places.ts';
import { addCounts, planPlaces } from './plan-places.ts';
import { blastRadius } from './replay-document.ts';
import type { ScopeContext } from './plan-sections.ts';
import { scopeSection } from './plan-sections.ts';
import { inTurn } from './pieces.ts';
import { waveBlocks } from './rollout-document.ts';
import { preflightBlocks, preflightSpan } from './preflight-document.ts';
import { planNames } from './plan-names.ts';
import {
  driftSeverity,
  severeCounts,
  severeParts,
  loweringWord,
  MAY_END,
  MAY_OPEN,
  planSeverity,
} from './severity.ts';
import { countFailed, driftSummary, endsSummary, planSummary } from './summary.ts';
import type { Perspective } from './perspective.ts';
import { COUNT_WORDS, DRIFT, legendEntry, MARKS, PLAN } from './perspective.ts';
import type {
  Block,
  DocumentFilter,
  DocumentMap,
  Inline,
  OverviewBlock,
  OverviewNumber,
  PageParts,
  Document,
} from './tree.ts';
import { entry, message, section, span } from './tree.ts';

/** Facts shown with a plan that are not part of it. */
export interface BesidePlan {
  /** The service's answers to the plan's writes; null or absent when it was not asked. */
  readonly preflight?: Preflight | null | undefined;
  /** `review` unless given. */
  readonly moment?: ReportMoment | undefined;
  readonly detail?: Detail | undefined;
  /** What a run allows; without it the plan is one to review. */
  readonly allowed?: Permission | undefined;
  /** What live was compared with; `the files` unless given. */
  readonly against?: string | undefined;
}

/** Documents a plan: what must not be overlooked, an overview, the service's answers, then the scopes, most severe first, with each ruleset. */
export function planDocument(written: Plan, beside: BesidePlan = {}): Document {
  const plan = withLocalReasons(written);
  const { allowed, against, detail, preflight = null } = beside;
  const { replay = null } = plan;
  const { moment = allowed === undefined ? 'review' : 'run' } = beside;
  const items = planAttention(plan, allowed);
  const told = planParts(plan, { perspective: PLAN, items, moment, detail });
  return {
    title: 'Rulewright plan',
    heading: ['Plan for ', serviceSpan(plan)],
    summary: [
      ...closing(plan, planSummary(plan, against), detail),
      ...countText(items, detail),
      ...(preflight === null || preflight.steps.length === 0 ? [] : [[preflightSpan(preflight)]]),
      ...(replay === null ? [] : [blastRadius(replay, plan).summary]),
    ],
    body: inTurn<Block>(
      told.callouts,
      told.overview,
      waveBlocks(plan, detail),
      preflight === null ? [] : preflightBlocks(preflight),
      replay === null ? [] : [blastRadius(replay, plan).section],
      scopeSections(told),
    ),
    page: pageParts(plan, told),
  };
}

/** How drift is shown. */
interface BesideDrift extends Pick<BesidePlan, 'detail'> {
  /** Milliseconds since 1970; with it, windows say how long is left. */
  readonly now?: number | undefined;
}

/** Says by what a drift goes, and what can be done by it. */
function digestTexts({ digest }: Plan): readonly Inline[] {
  return [
    ['Digest: ', span('code', digest)],
    [
      span('code', 'apply --expect-drift'),
      ' undoes it, ',
      span('code', 'import --expect-drift'),
      ' takes it into the files.',
    ],
  ];
}

/** Documents the changes of a plan as drift: how live has come to differ from the files. */
export function driftDocument(found: Drift, { detail, now }: BesideDrift = {}): Document {
  const drift = withLocalDrift(found);
  const { plan } = drift;
  const items = driftAttention(drift);
  const told = planParts(plan, { perspective: DRIFT, items, drift, moment: 'review', detail, now });
  return {
    title: 'Rulewright drift',
    heading: ['Drift of ', serviceSpan(plan), ': live against the files'],
    summary: [
      ...closing(plan, driftSummary(plan), detail),
      ...countText(items, detail),
      ...(drift.ends.length === 0 ? [] : [[endsSummary(drift.ends)]]),
      ...notKnownTexts(drift),
      ...(changesAnything(plan) ? digestTexts(plan) : []),
    ],
    body: inTurn<Block>(
      changesAnything(plan) ? [legendEntry(LEGEND)] : [],
      told.callouts,
      endBlocks(drift.ends),
      told.overview,
      scopeSections(told),
    ),
    page: pageParts(plan, told),
  };
}

/** Returns the rules of the files that end, those that have ended first. */
function endBlocks(ends: readonly EndingRule[]): readonly Block[] {
  const gone = ends.filter(({ kind }) => kind === 'ended');
  const soon = ends.filter(({ kind }) => kind === 'ends-soon');
  const mark = { sign: '!', style: 'warning' } as const;
  return ends.length === 0
    ? []
    : [
        section(
          2,
          [span('strong', 'What ends')],
          [
            ...gone.map((one) => entry(mark, [message(one.message)], { facts: [[span('code', one.place)]] })),
            ...soon.map((one) =>
              entry(undefined, [message(one.message)], { facts: [[span('code', one.place)]] }),
            ),
          ],
        ),
      ];
}

/** What the signs of drift stand for, in the order of its counts. */
const LEGEND = COUNT_WORDS.drift.map(([kind]) => MARKS.drift[kind]);

/** The plan that an apply carried out, for below its outcomes. */
export function appliedPlan(
  written: Plan,
  outcomes: readonly Outcome[],
): { readonly blocks: Iterable<Block>; readonly page: PageParts } {
  const plan = withLocalReasons(written);
  const told = planParts(plan, { perspective: PLAN, items: planAttention(plan), moment: 'over', outcomes });
  return {
    blocks: inTurn(told.callouts, told.overview, scopeSections(told)),
    page: pageParts(plan, told),
  };
}

interface PlanTold {
  readonly perspective: Perspective;
  readonly items: readonly AttentionItem[];
  readonly drift?: Drift;
  readonly moment: ReportMoment;
  readonly now?: number | undefined;
  readonly detail?: Detail | undefined;
  readonly outcomes?: readonly Outcome[];
}

/** The parts of a document about a plan. */
interface PlanParts extends ScopeContext {
  readonly callouts: readonly Block[];
  readonly overview: readonly OverviewBlock[];
}

function planParts(plan: Plan, told: PlanTold): PlanParts {
  const { perspective, items, drift, moment, now, detail, outcomes: all = [] } = told;
  const severityOf = drift === undefined ? planSeverity(plan) : driftSeverity(drift.changes);
  const outcomes = new Map(all.map((outcome) => [outcome.step, outcome]));
  const groups = attentionGroups(items, { moment, of: plan.scopes.length, detail });
  const authors = drift === undefined ? NO_AUTHORS : toldAuthors(drift);
  const beside = (scope: PlannedScope): unknown => [
    ...scope.steps.map(({ id }) => outcomes.get(id)?.kind ?? null),
    authorTraits(scope, authors),
  ];
  const places = planPlaces(plan, { severityOf, groups, detail, beside });
  return {
    perspective,
    severityOf,
    authors,
    names: planNames(plan, now),
    detail,
    outcomes,
    places,
    callouts: groupCallouts(groups, { detail, of: plan.scopes.length, placesOf: places.ofFinding }),
    overview: overviewOf(places, perspective),
  };
}

function* scopeSections(told: PlanParts): Iterable<Block> {
  for (const placed of told.places.scopes) {
    yield* scopeSection(placed, told);
  }
}

/** Returns the service as people call it. */
function serviceSpan({ baseUrl }: Plan): Inline[number] {
  const name = serviceName(baseUrl);
  return name === baseUrl ? span('code', name) : name;
}

/** Returns a sentence with the counts of what needs attention. */
function countText(items: readonly AttentionItem[], detail: Detail | undefined): readonly Inline[] {
  const text = attentionCounts(items, detail);
  return text === null ? [] : [[span('warning', text)]];
}

function closing(plan: Plan, summary: string, detail: Detail | undefined): readonly Inline[] {
  const unchecked = failedScopes(plan.scopes).filter(isUnchecked).length;
  const failed = countFailed(plan) - unchecked;
  const planned = plan.scopes.length - failed - unchecked;
  const carried = carriedText(plan);
  const undeclared = undeclaredText(plan);
  const scopes = plan.scopes.length;
  return [
    ...(planned === 0 && failed + unchecked > 0 ? [] : [[span('strong', summary)]]),
    ...(failed === 0
      ? []
      : [
          [
            span('error', `${counted(failed, 'scope')} of ${scopes} could not be planned`),
            `${failedNames(plan)}.`,
          ],
        ]),
    ...(unchecked === 0
      ? []
      : [[`${counted(unchecked, 'scope')} of ${scopes} not checked: the next run begins with them.`]]),
    ...(undeclared === null ? [] : [[undeclared]]),
    ...(carried === null || detail === 'each' ? [] : [[span('dim', `${carried}: see --verbose.`)]]),
  ];
}

/** The number of failed scopes named at the end: in a plan of many scopes, their errors have scrolled away. */
const NAMED = 3;

function failedNames({ scopes }: Plan): string {
  const failed = failedScopes(scopes).filter((scope) => !isUnchecked(scope));
  const names = failed.map(({ scope }) => `${scope.kind} ${scope.name}`);
  return scopes.length <= NAMED || failed.length === scopes.length ? '' : `: ${someNames(names, NAMED)}`;
}

/**
 * Returns an overview with a row for each ruleset. Severe changes stand before the others, and kinds of change that there are not have no column: the
 * comment of a forge is narrow, and what does not fit is out of sight.
 */
function overviewOf({ scopes }: PlanPlaces, perspective: Perspective): readonly OverviewBlock[] {
  const rows = scopes.flatMap((scope) => scope.steps.map((step) => ({ scope, step })));
  const severe = GRAVE_COLUMNS.filter(
    ({ of }) => of === 'lowering' || rows.some(({ step: { counts } }) => counts[of] > 0),
  );
  const kinds = COUNT_WORDS[perspective.kind].filter(([kind]) =>
    rows.some(({ step }) => countOf(step, kind) > 0),
  );
  const numbers: readonly OverviewNumber[] = [
    ...severe.map(({ title, words }) => ({
      title: title[perspective.kind],
      words: (count: number) => words(count, perspective),
      isSevere: true,
    })),
    ...kinds.map(([kind, words]) => ({
      title: TITLES[perspective.kind][kind],
      words: () => words,
      isSevere: false,
    })),
  ];
  return rows.length === 0
    ? []
    : [
        {
          kind: 'overview',
          title: [
            `${counted(rows.length, 'ruleset')} at a glance${rows.some(({ step: { counts } }) => counts.severe > 0) ? ', worst first' : ''}`,
          ],
          words: ['Scope', 'Ruleset'],
          numbers,
          noun: 'ruleset',
          rows: rows.map(({ scope, step }) => ({
            words: [scopeWords(scope), targetWords(step)],
            numbers: [
              ...severe.map(({ of }) => step.counts[of]),
              ...kinds.map(([kind]) => countOf(step, kind)),
            ].map((count) => count * (scope.others.length + 1)),
            stands: scope.others.length + 1,
          })),
        },
      ];
}

/** The titles of columns of changes. */
const TITLES = {
  plan: { add: 'Add', patch: 'Patch', move: 'Move', delete: 'Delete' },
  drift: { delete: 'Only live', add: 'Missing', patch: 'Changed', move: 'Moved' },
} as const;

/** The columns of severe changes; the first two are shown only if they are not empty. */
const GRAVE_COLUMNS: readonly {
  readonly title: Readonly<Record<Perspective['kind'], string>>;
  readonly words: (count: number, perspective: Perspective) => string;
  readonly of: 'ending' | 'opening' | 'lowering';
}[] = [
  {
    title: { plan: 'May stop or redirect every request', drift: 'May stop or redirect every request' },
    words: () => MAY_END,
    of: 'ending',
  },
  {
    title: { plan: 'May bypass protection', drift: 'May bypass protection' },
    words: () => MAY_OPEN,
    of: 'opening',
  },
  { title: { plan: 'Weakens', drift: 'Weaker' }, words: loweringWord, of: 'lowering' },
];

function countOf({ step }: PlacedStep, kind: keyof (typeof TITLES)['plan']): number {
  return step.changes.filter((change) => change.kind === kind).length;
}

function scopeWords({ plan: { scope }, others, anchor }: PlacedScope): Inline {
  return [
    `${scope.kind} `,
    span('code', scope.name, { kind: 'anchor', anchor }),
    alikeCount(scope.kind, others),
  ];
}

/** Names a ruleset: its product and phase, or the name of a custom ruleset and its phase. */
function targetWords({ step: { target } }: PlacedStep): Inline {
  const { level, name, phase } = target;
  const product = phaseFacts(phase)?.product;
  return level === 'custom'
    ? ['custom ', span('code', name), ', ', span('code', phase)]
    : [...(product === undefined ? [] : [`${product} `]), span('code', phase)];
}

/** Returns what only a page shows of a plan. */
function pageParts(plan: Plan, { perspective, places }: PlanParts): PageParts {
  const { scopes } = places;
  const total = scopes
    .map(({ counts, others }) => ({ counts, times: others.length + 1 }))
    .reduce((sum, { counts, times }) => addCounts(sum, counts, times), NOTHING);
  const changes = changesAnything(plan);
  return {
    counts: changes
      ? [
          ...severeParts(total, perspective).map(([count, what]) => ({
            count,
            what,
            style: 'warning' as const,
          })),
          ...COUNT_WORDS[perspective.kind].map(([kind, what]) => ({
            count: plan.summary.rules[kind],
            what,
            style: MARKS[perspective.kind][kind].style,
          })),
        ]
      : [],
    map: changes ? phaseMap(places, perspective) : null,
    filter: filterOf(plan, places, perspective),
    footer: [
      ...(changes ? [`${reach(plan, places, perspective)} `] : []),
      'Rules stand in the order in which they are evaluated. Plan digest: ',
      span('code', plan.digest.slice(0, 16)),
    ],
  };
}

const NOTHING: ChangeCounts = { steps: 0, changes: 0, ending: 0, opening: 0, lowering: 0, severe: 0 };

/** Returns the extent of the changes. */
function reach({ summary }: Plan, { scopes }: PlanPlaces, { kind }: Perspective): string {
  const { create, update, delete: gone } = summary.rulesets;
  const changed = countScopes(scopes.filter(({ steps }) => steps.length > 0));
  const rulesets = create + update + gone;
  const differ = rulesets === 1 ? 'differs from the files' : 'differ from the files';
  const objects = objectCounts(summary, kind).filter((text) => text !== '');
  return `${counted(rulesets, 'ruleset')} of ${counted(changed, 'scope')} ${kind === 'plan' ? 'in the plan' : differ}.${objects.map((text) => ` ${text}.`).join('')}`;
}

function filterOf({ summary }: Plan, { scopes }: PlanPlaces, { kind }: Perspective): DocumentFilter | null {
  const changes = scopes.reduce((sum, { counts, objects }) => sum + counts.changes + objects.length, 0);
  const ofObjects = new Set(
    scopes.flatMap(({ objects }) => objects.map(({ step }): string => objectFacet(step))),
  );
  const lowers = kind === 'plan' ? 'weakens' : 'is weaker live';
  return changes < 2
    ? null
    : {
        facets: FACETS.filter((facet) => summary.rules[facet] > 0 || ofObjects.has(facet)).map(
          (facet) => [facet, MARKS[kind][facet].word ?? facet] as const,
        ),
        severe: `only what ${lowers} or affects every request`,
        sections: scopes.flatMap(({ plan, others, anchor }) =>
          [plan, ...others].map(({ scope }) => [anchor, scope.name] as const),
        ),
      };
}

const FACETS = ['add', 'patch', 'move', 'delete'] as const;

const STAGES: readonly (readonly [stage: PhaseStage, title: string])[] = [
  ['network', 'Network'],
  ['request', 'Request'],
  ['response', 'Response'],
];

/** Returns the phases in the order in which a request passes them; those with changes link to their rulesets. */
function phaseMap({ scopes }: PlanPlaces, perspective: Perspective): DocumentMap {
  const byPhase = new Map<string, { readonly counts: ChangeCounts; readonly anchor: string }>();
  for (const { steps, others } of scopes) {
    for (const { step, counts, anchor } of steps) {
      const { phase } = step.target;
      const known = byPhase.get(phase) ?? { counts: NOTHING, anchor };
      byPhase.set(phase, { ...known, counts: addCounts(known.counts, counts, others.length + 1) });
    }
  }
  const kinds = new Set(scopes.map(({ plan }) => plan.scope.kind));
  const unknown = [...byPhase.keys()].filter((phase) => phaseFacts(phase) === undefined);
  const stages = STAGES.map(([stage, title]) => ({
    title,
    phases: PHASES.filter(
      (phase) =>
        phase.stage === stage &&
        ([...phase.entrypoints, ...phase.custom].some((kind) => kinds.has(kind)) || byPhase.has(phase.name)),
    ).map(({ name, product }) => ({ name, product })),
  }));
  return {
    label: 'Phases in the order that a request takes',
    groups: [...stages, { title: 'Other', phases: unknown.map((name) => ({ name, product: name })) }]
      .filter(({ phases }) => phases.length > 0)
      .map(({ title, phases }) => ({
        title,
        stations: phases.map(({ name, product }) => {
          const there = byPhase.get(name);
          return {
            name: product,
            note: there === undefined ? null : stationNote(there.counts, perspective),
            isSevere: (there?.counts.severe ?? 0) > 0,
            anchor: there?.anchor ?? null,
          };
        }),
      })),
  };
}

function stationNote(counts: ChangeCounts, perspective: Perspective): string {
  const { changes } = counts;
  return [
    changes === 0 ? 'description' : counted(changes, 'change'),
    ...severeCounts(counts, perspective),
  ].join(', ');
}
