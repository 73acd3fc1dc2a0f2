import type {
  ListStep,
  ObjectStep,
  Outcome,
  PlannedScope,
  RuleChange,
  RulesetTarget,
  Step,
} from '../model/index.ts';
import {
  beginning,
  changesScope,
  calledName,
  descriptionOf,
  ofObject,
  phaseFacts,
  readStepId,
  shortName,
  shownChange,
  shownText,
  isVersion,
} from '../model/index.ts';
import { counted, countsText, oneLine } from '../text/index.ts';
import { ALIKE, alikeCount } from './alike-plans.ts';
import type { ToldAuthors } from './authors.ts';
import { authorBlocks } from './authors.ts';
import { changeFields, toldRow } from './field-rows.ts';
import type { AlikeDeletions } from './shown-changes.ts';
import { toldChanges, orderBlock, rulesInOrder, ruleOrder } from './shown-changes.ts';
import type { Detail } from './layout.ts';
import { toldItems } from './list-changes.ts';
import { momentText, causeSpans } from './print-value.ts';
import type { ToldNote } from './notes.ts';
import { isAttention, isWarning, noteRules, shownNotes, toldNotes } from './notes.ts';
import { FATE_STYLES } from './outcomes-summary.ts';
import {
  objectFacet,
  objectStateText,
  objectStepCounts,
  objectTitle,
  settingRows,
} from './object-changes.ts';
import type { AnchoredObject, PlacedScope, PlacedStep, PlanPlaces } from './plan-places.ts';
import type { PlanNames } from './plan-names.ts';
import type { SevereEffects, SeverityOf } from './severity.ts';
import {
  allowedWeakening,
  everyRequestClause,
  severeCounts,
  countSevere,
  isSevereChange,
  MAY_END,
  MAY_OPEN,
} from './severity.ts';
import type { Perspective } from './perspective.ts';
import { COUNT_WORDS, MARKS, signOf } from './perspective.ts';
import type { Block, EntryBlock, EntryNote, FieldRow, Inline, SectionBlock, StyledSpan } from './tree.ts';
import { entry, message, paragraph, section, span } from './tree.ts';

/** How the scopes of a plan are shown. */
export interface ScopeContext {
  readonly perspective: Perspective;
  readonly severityOf: SeverityOf;
  readonly authors: ToldAuthors;
  readonly names: PlanNames;
  readonly detail: Detail | undefined;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly places: PlanPlaces;
}

/**
 * Returns a scope with its rulesets and notes, which are made on demand, and the other scopes that it stands for; nothing if all that is to
 * be said of it is what must not be overlooked, and has been said.
 */
export function scopeSection(placed: PlacedScope, told: ScopeContext): readonly SectionBlock[] {
  const { plan, others, anchor } = placed;
  const { kind, name } = plan.scope;
  const alike = alikeCount(kind, others);
  if (!changesScope(plan) && notesOf(plan, told).length === 0) {
    return [];
  }
  return [
    {
      kind: 'section',
      rank: 1,
      title: [`${kind} `, span('code', name), alike],
      stands: { count: others.length + 1, noun: 'scope' },
      anchor,
      body: scopeBlocks(placed, told),
    },
  ];
}

function* scopeBlocks(placed: PlacedScope, told: ScopeContext): Iterable<Block> {
  const { plan, others, steps, objects } = placed;
  const objectsOf = (turn: ObjectStep['turn']): readonly SectionBlock[] =>
    objects.filter(({ step }) => step.turn === turn).map((one) => objectSection(one, told));
  yield* objectsOf('first');
  for (const step of steps) {
    yield stepSection(step, placed, told);
  }
  yield* objectsOf('last');
  yield* noteSections(plan, placed, told);
  yield* alikeSections(others.map(({ scope }) => scope.name));
}

/** Returns a list with what changes in its items, or a setting with the values that change. */
function objectSection({ step, anchor }: AnchoredObject, told: ScopeContext): SectionBlock {
  const { perspective, places } = told;
  const { protection, cause } = step;
  const { kind, sides } = perspective;
  const { name, what } = objectTitle(step);
  const state = objectStateText(step, kind);
  const weakens = kind === 'plan' && protection.kind === 'weakening';
  const strengthens = kind === 'plan' && protection.kind === 'strengthening';
  const rows: readonly FieldRow[] = [
    ...(protection.kind === 'neutral' || kind === 'drift'
      ? []
      : [toldRow(weakens ? 'weakens' : 'strengthens', [protection.reason])]),
    ...ofObject(step, { list: descriptionRows, setting: settingRows }),
  ];
  return section(
    2,
    [
      ...operationSign(step, perspective),
      span('strong', name),
      ` · ${what}${state === '' ? '' : ` · ${state}`}`,
    ],
    [
      ...authorBlocks(told.authors.ofObject(step)),
      ...(rows.length === 0 ? [] : [{ kind: 'fields' as const, rows, sides }]),
      ...ofObject(step, { list: (list) => itemBlocks(list, told), setting: () => [] }),
    ],
    {
      facts: cause === undefined ? [] : [causeSpans(cause)],
      tally: [[objectStepCounts(step, kind)], ...(weakens ? [['⚠️ weakens']] : [])],
      folded: true,
      anchor,
      mentions: places.mentionsOf(anchor),
      filtered: { facet: objectFacet(step), isSevere: weakens },
      ...(weakens ? { badge: span('warning', 'weakens') } : {}),
      ...(strengthens ? { badge: span('good', 'strengthens') } : {}),
    },
  );
}

/** Of a list that goes, its description goes too. */
function descriptionRows({ description, operation }: ListStep): readonly FieldRow[] {
  return description === undefined || operation === 'delete'
    ? []
    : [
        {
          label: 'description',
          group: '',
          value:
            operation === 'create'
              ? { kind: 'is', value: description.after }
              : { kind: 'differs', ...description },
        },
      ];
}

function itemBlocks(step: ListStep, { perspective: { kind }, detail }: ScopeContext): readonly Block[] {
  const { items, more } = toldItems(step, kind, detail);
  return [
    ...items.map((item) => entry(signOf(MARKS[kind][item.kind]), [span('code', item.text)], { parts: true })),
    ...(more === null ? [] : [paragraph(span('dim', `${more}; --verbose lists them`))]),
  ];
}

/** Returns the names of all scopes that are grouped with another one. */
export function alikeSections(names: readonly string[]): readonly SectionBlock[] {
  return names.length === 0
    ? []
    : [
        section(3, [ALIKE], [{ kind: 'names', names: names.map((name) => span('code', name)) }], {
          folded: true,
        }),
      ];
}

/** Returns a ruleset with everything that changes in it. */
function stepSection(placed: PlacedStep, scope: PlacedScope, told: ScopeContext): SectionBlock {
  const { step, anchor } = placed;
  const { perspective, severityOf, outcomes, places } = told;
  const outcome = outcomes.get(step.id);
  return {
    kind: 'section',
    rank: 2,
    title: [
      ...operationSign(step, perspective),
      ...targetSpans(step.target),
      OPERATIONS[perspective.kind][step.operation](step.changes.length),
    ],
    facts: [...versionFacts(step, perspective), originSpans(step)],
    tally: [
      [changeCounts(step.changes, perspective.kind)],
      ...severeCounts(countSevere([step], severityOf), perspective).map((text): Inline => [`⚠️ ${text}`]),
    ].filter(([text]) => text !== ''),
    folded: true,
    anchor,
    mentions: places.mentionsOf(anchor),
    ...(outcome === undefined ? {} : { badge: outcomeBadge(outcome) }),
    body: stepBlocks(placed, scope, told),
  };
}

function outcomeBadge(outcome: Outcome): StyledSpan {
  return span(FATE_STYLES[outcome.kind], outcome.kind.replace('-', ' '));
}

function* stepBlocks(placed: PlacedStep, scope: PlacedScope, told: ScopeContext): Iterable<Block> {
  const { step } = placed;
  const { perspective, severityOf, detail } = told;
  const shown = toldChanges(step, { severityOf, detail, perspective: perspective.kind });
  yield* descriptionBlocks(step, perspective);
  const order = ruleOrder(step);
  const open = new Set(shown.changes);
  const entryOf = (change: RuleChange): EntryBlock =>
    ruleEntry(change, { ...told, placed, scope, isOpen: open.has(change) });
  yield* orderBlock(order, perspective);
  const inOrder = rulesInOrder(order, step).map((one): Block =>
    one.kind === 'run'
      ? { kind: 'paragraph', text: [`${one.count} unchanged`], gap: true }
      : entryOf(one.change),
  );
  yield {
    kind: 'either',
    whole: inOrder,
    brief: [
      ...(shown.order === null
        ? []
        : [entry(MARKS[perspective.kind].move, [shown.order, span('dim', '; --verbose lists them')])]),
      ...shown.changes.map(entryOf),
      ...shown.deletions.map((group) => deletionsEntry(group, perspective)),
    ],
  };
}

/** Returns the product of a ruleset's phase, or the name of a custom ruleset. */
function targetSpans({ level, name, phase }: RulesetTarget): Inline {
  const product = phaseFacts(phase)?.product ?? phase;
  return level === 'custom'
    ? [span('strong', name), ' · custom ruleset · ', span('code', phase)]
    : product === phase
      ? [span('code', phase)]
      : [span('strong', product), ' · ', span('code', phase)];
}

function operationSign(step: Pick<Step, 'operation'>, { kind }: Perspective): Inline {
  if (step.operation === 'update') {
    return [];
  }
  const { sign = '', style } = MARKS[kind][step.operation === 'create' ? 'add' : 'delete'];
  return [span(style, sign), ' '];
}

const OPERATIONS: Readonly<
  Record<Perspective['kind'], Readonly<Record<Step['operation'], (rules: number) => string>>>
> = {
  plan: {
    create: () => ' · new ruleset',
    update: () => '',
    delete: (rules) => ` · ruleset deleted, with ${counted(rules, 'rule')}`,
  },
  drift: {
    create: () => ' · missing live',
    update: () => '',
    delete: (rules) => ` · only live, with ${counted(rules, 'rule')}`,
  },
};

function versionFacts({ base }: Step, { kind }: Perspective): readonly Inline[] {
  if (base.kind !== 'version') {
    return [];
  }
  const changed =
    kind === 'drift' && base.lastUpdated !== '' ? `, changed ${momentText(base.lastUpdated)}` : '';
  return [[span('dim', `version ${base.version}${changed}`)]];
}

/** Returns where a step comes from: the place that declares its ruleset, or the version that it restores. */
export function originSpans({ cause }: Pick<Step, 'cause'>): Inline {
  if (cause === undefined) {
    return [span('dim', 'no file declares it')];
  }
  return isVersion(cause) ? [span('dim', 'back to '), ...causeSpans(cause)] : causeSpans(cause);
}

function changeCounts(changes: readonly RuleChange[], perspective: Perspective['kind']): string {
  return countsText(
    COUNT_WORDS[perspective].map(([kind, what]) => [
      changes.filter((change) => change.kind === kind).length,
      what,
    ]),
  );
}

function descriptionBlocks(step: Step, { sides }: Perspective): readonly Block[] {
  const text = step.description;
  if (text === undefined || text === '' || step.operation === 'delete') {
    return [];
  }
  const value: FieldRow['value'] =
    typeof text === 'string'
      ? { kind: 'is', value: shownText(text) }
      : { kind: 'differs', ...shownChange(text) };
  return [{ kind: 'fields', rows: [{ label: 'description', group: '', value }], sides }];
}

/** Where a rule is shown. */
interface RuleChangeContext extends ScopeContext {
  readonly placed: PlacedStep;
  readonly scope: PlacedScope;
  readonly isOpen: boolean;
}

/** Returns a change of a rule: its sign and name, where it comes from, what differs, and why it is severe. */
function ruleEntry(change: RuleChange, told: RuleChangeContext): EntryBlock {
  const { perspective, placed, severityOf, names, scope, places, isOpen } = told;
  const { step } = placed;
  const severe = severityOf(step, change);
  const name = shortName(change.ref, descriptionOf(change));
  const { anchor, rank } = places.ofChange(scope, change);
  return entry(MARKS[perspective.kind][change.kind], [span('name', name)], {
    facts: [
      ...(name === oneLine(change.ref) ? [] : [[span('dim', change.ref)]]),
      ...(change.kind === 'delete' ? [] : [causeSpans(change.cause)]),
    ],
    notes: remarksOf(change, { perspective, severe }),
    anchor,
    body: [
      ...authorBlocks(told.authors.ofRule(step, change)),
      {
        kind: 'fields',
        rows: changeFields(change, {
          perspective,
          places: step.operation === 'update',
          phase: step.target.phase,
          names,
        }),
        sides: perspective.sides,
        side: change.kind === 'delete' ? 'before' : 'after',
      },
    ],
    page: {
      facet: change.kind,
      isSevere: isSevereChange(severe),
      rank,
      open: isOpen,
      about: aboutOf(change),
      mentions: places.mentionsOf(anchor),
    },
  });
}

/** Returns the beginning of the description for a change whose fields do not say what the rule is about. */
function aboutOf(change: RuleChange): string {
  const isNamed = calledName(change.ref, descriptionOf(change)) === '';
  return (change.kind === 'move' || change.kind === 'patch') && isNamed
    ? beginning(descriptionOf(change))
    : '';
}

/** Returns why a change is severe, or what it does to protection otherwise. */
function remarksOf(
  change: RuleChange,
  { perspective, severe }: { readonly perspective: Perspective; readonly severe: SevereEffects },
): readonly EntryNote[] {
  const { kind } = perspective;
  const { lowers, ends, opens } = severe;
  const [ending, opening, lowering] =
    kind === 'plan' ? ['effect', 'effect', 'weakens'] : ['live', 'live', 'weaker'];
  const note = (label: string, text: string | undefined, badge: string): readonly EntryNote[] =>
    text === undefined ? [] : [{ label, text, level: 'warning', badge }];
  const allowed = allowedWeakening(change, { kind, lowers });
  const isStronger = kind === 'plan' && change.protection.kind === 'strengthening' && !isSevereChange(severe);
  return [
    ...note(ending, ends, everyRequestClause(MAY_END, perspective)),
    ...note(opening, opens, everyRequestClause(MAY_OPEN, perspective)),
    ...note(lowering, lowers, kind === 'plan' ? 'weakens' : 'live is weaker'),
    ...(allowed === undefined ? [] : [{ label: 'weakens', text: allowed, level: 'plain' } as const]),
    // Formally more protection is no merit if it is an outage.
    ...(isStronger && change.protection.kind === 'strengthening'
      ? [
          {
            label: 'strengthens',
            text: change.protection.reason,
            level: 'good',
            badge: 'strengthens',
            pageOnly: true,
          } as const,
        ]
      : []),
  ];
}

/** Returns many similar deleted rules: what they have in common, and all names. */
function deletionsEntry(
  { action, enabled, lowers, names }: AlikeDeletions,
  { kind, sides }: Perspective,
): EntryBlock {
  return entry(
    MARKS[kind].delete,
    [span('strong', counted(names.length, 'rule')), span('dim', '; --verbose shows each')],
    {
      notes: remarksOfDeletions(lowers, kind),
      body: [
        {
          kind: 'fields',
          rows: [toldRow('action', [action]), ...(enabled ? [] : [toldRow('enabled', ['false'])])],
          sides,
        },
        { kind: 'names', names: names.map((name) => span('code', name)) },
      ],
    },
  );
}

function remarksOfDeletions(lowers: string | undefined, kind: Perspective['kind']): readonly EntryNote[] {
  return lowers === undefined
    ? []
    : [{ label: kind === 'plan' ? 'weakens' : 'weaker', text: lowers, level: 'warning' }];
}

/** Returns the notes about a scope; those that warn are among what must not be overlooked. */
function notesOf(plan: PlannedScope, { detail }: ScopeContext): readonly ToldNote[] {
  return toldNotes(
    shownNotes(plan, detail).filter((note) => !isAttention(note)),
    detail,
  );
}

function noteSections(plan: PlannedScope, placed: PlacedScope, told: ScopeContext): readonly SectionBlock[] {
  const notes = notesOf(plan, told);
  return notes.length === 0
    ? []
    : [
        section(
          3,
          ['Notes'],
          notes.map((note) => noteEntry(note, placed)),
          { tally: [[counted(notes.length, 'note')]], folded: true },
        ),
      ];
}

function noteEntry(told: ToldNote, { steps }: PlacedScope): EntryBlock {
  const { kind, step, message: text, cause } = told.note;
  const about = noteRules(told, (name) => name);
  const anchor = steps.find((placed) => placed.step.id === step)?.anchor;
  const to = anchor === undefined ? undefined : ({ kind: 'anchor', anchor } as const);
  return entry(
    isWarning(kind) ? { sign: '!', style: 'warning' } : { sign: 'i', style: 'info' },
    [...(about === '' ? [] : [span('strong', about), ' · ']), span('code', readStepId(step).ruleset, to)],
    {
      facts: cause === undefined || told.rules.length > 0 ? [] : [causeSpans(cause)],
      body: [paragraph(message(text))],
    },
  );
}
