import { shownChange, shownText, phaseFacts, isUnchecked, readStepId, causeText } from '../../model/index.ts';
import { assertNever } from '../../data/index.ts';
import type { Step, ListStep, RulesetTarget, PlannedScope } from '../../model/index.ts';
import { counted, someNames } from '../../text/index.ts';
import type { Line, StyledSpan, Detail } from '../layout.ts';
import { line, span, BLANK, hanging } from '../layout.ts';
import type { Graves } from '../severity.ts';
import { toldChanges } from '../folded-changes.ts';
import { momentText } from '../moment.ts';
import type { PlanNames } from '../plan-names.ts';
import { stepOrigin } from '../step-origin.ts';
import type { Telling } from '../telling.ts';
import { SYMBOLS } from '../telling.ts';
import { ALIKE, alikeCount } from '../alike-plans.ts';
import type { FailedGroup } from '../summary.ts';
import type { ToldNote } from '../notes.ts';
import { isWarning, noteRules, shownNotes, toldNotes } from '../notes.ts';
import { fieldLines, deletionsLines, ruleLines } from './rule-lines.ts';
import type { FieldPlace } from './rule-lines.ts';
import { messageLines } from './finding-lines.ts';
import { listLines } from './list-lines.ts';

/** How to show rulesets: which changes are grave, the names of rulesets, and whether each of many moves is shown. */
export interface StepLook extends FieldPlace {
  readonly graves: Graves;
  readonly names: PlanNames;
  readonly detail: Detail | undefined;
}

/** Returns lines about a ruleset with everything that changes in it. */
function stepLines(step: Step, look: StepLook): readonly Line[] {
  const { graves, names, detail, ...place } = look;
  const { changes, order, deletions } = toldChanges(step, {
    graves,
    detail,
    telling: place.telling.kind,
  });
  const { sign, style } = SYMBOLS[place.telling.kind].move;
  const inner = { ...place, indent: place.indent + 2 };
  const description =
    step.operation === 'update' && step.description !== undefined ? shownChange(step.description) : undefined;
  return [
    line(
      place.indent,
      ...operationSign(step, place.telling),
      ...targetSpans(step.target),
      ...stateSpans(step, place.telling),
      span('dim', `  ${stepOrigin(step)}`),
    ),
    ...(description === undefined
      ? []
      : fieldLines([{ label: 'description', group: '', value: { kind: 'differs', ...description } }], inner)),
    ...(step.operation === 'create' && step.description !== ''
      ? fieldLines(
          [{ label: 'description', group: '', value: { kind: 'is', value: shownText(step.description) } }],
          inner,
        )
      : []),
    ...(order === null
      ? []
      : [line(inner.indent, span(style, `${sign} `), order, span('dim', '; --verbose lists them'))]),
    ...changes.flatMap((change) =>
      ruleLines(change, {
        ...inner,
        places: step.operation === 'update',
        phase: step.target.phase,
        names,
        grave: graves(step, change),
      }),
    ),
    ...deletions.flatMap((group) => deletionsLines(group, inner)),
  ];
}

/** Returns the product of a ruleset's phase, or the name of a custom ruleset. */
function targetSpans(target: RulesetTarget): readonly StyledSpan[] {
  const product = phaseFacts(target.phase)?.product ?? target.phase;
  return target.level === 'custom'
    ? [span('strong', target.name), { text: ` · custom ruleset · ${target.phase}` }]
    : [span('strong', product), { text: product === target.phase ? '' : ` · ${target.phase}` }];
}

function operationSign(step: Step, telling: Telling): readonly StyledSpan[] {
  switch (step.operation) {
    case 'create':
    case 'delete': {
      const { sign, style } = SYMBOLS[telling.kind][step.operation === 'create' ? 'add' : 'delete'];
      return [span(style, `${sign} `)];
    }
    case 'update':
      return [];
    default:
      return assertNever(step);
  }
}

const OPERATIONS: Readonly<
  Record<Telling['kind'], Readonly<Record<Step['operation'], (rules: number) => string>>>
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

function stateSpans(step: Step, telling: Telling): readonly StyledSpan[] {
  const { base } = step;
  const changed = telling.kind === 'drift' && base.kind === 'version' && base.lastUpdated !== '';
  return [
    { text: OPERATIONS[telling.kind][step.operation](step.changes.length) },
    ...(base.kind === 'version' ? [span('dim', ` · version ${base.version}`)] : []),
    ...(changed ? [span('dim', `, changed ${momentText(base.lastUpdated)}`)] : []),
  ];
}

/** Returns lines about a scope with its rulesets and notes, and the other scopes that it stands for. */
export function scopeLines(
  plan: PlannedScope,
  others: readonly PlannedScope[],
  look: Omit<StepLook, 'indent'>,
): readonly Line[] {
  return [
    line(0, span('heading', `${plan.scope.kind} ${plan.scope.name}`), alikeCount(plan.scope.kind, others)),
    BLANK,
    ...objectLines(plan, 'first', look),
    ...plan.steps.flatMap((step) => [...stepLines(step, { ...look, indent: 2 }), BLANK]),
    ...objectLines(plan, 'last', look),
    ...noteLines(plan, look.detail),
    ...alikeLines(others.map(({ scope }) => scope.name)),
  ];
}

/** Returns lines with the names of all scopes that are grouped with another one. */
export function alikeLines(names: readonly string[]): readonly Line[] {
  return names.length === 0 ? [] : [line(2, `${ALIKE}:`), hanging(4, 0, names.join(', ')), BLANK];
}

/** Returns lines about the lists whose turn comes before the rulesets, or after them. */
function objectLines(
  { objects = [] }: PlannedScope,
  turn: ListStep['turn'],
  look: Omit<StepLook, 'indent'>,
): readonly Line[] {
  return objects.flatMap((step) =>
    step.turn === turn ? [...listLines(step, { ...look, indent: 2 }), BLANK] : [],
  );
}

/** The number of scopes named that failed for one reason. */
const NAMED = 5;

/** Returns lines about why scopes failed; `did` is the participle of what was not done. */
export function failedLines({ scopes, error }: FailedGroup, did = 'planned'): readonly Line[] {
  const names = scopes.map(({ kind, name }) => `${kind} ${name}`);
  if (isUnchecked({ error })) {
    return [
      line(
        0,
        span('heading', `${counted(names.length, 'scope')} not checked in this run`),
        `: ${someNames(names, NAMED)}`,
      ),
      BLANK,
      ...messageLines(2, error.message),
      ...messageLines(2, error.hint, 'info'),
      BLANK,
    ];
  }
  const heading =
    names.length === 1
      ? [span('heading', names.join('')), ` · not ${did}`]
      : [
          span('heading', `${counted(names.length, 'scope')} could not be ${did}`),
          `: ${someNames(names, NAMED)}`,
        ];
  return [
    line(0, ...heading),
    BLANK,
    line(2, span('error', `error ${error.code}`)),
    ...messageLines(4, error.message),
    ...messageLines(4, error.hint, 'info'),
    BLANK,
  ];
}

function noteLines(plan: PlannedScope, detail: Detail | undefined): readonly Line[] {
  const notes = toldNotes(shownNotes(plan, detail), detail);
  if (notes.length === 0) {
    return [];
  }
  return [line(2, 'Notes'), ...notes.flatMap(oneNote), BLANK];
}

function oneNote(told: ToldNote): readonly Line[] {
  const { kind, step, message, cause } = told.note;
  const about = noteRules(told, (name) => name);
  return [
    line(
      4,
      isWarning(kind) ? span('warning', '! ') : span('info', 'i '),
      ...(about === '' ? [] : [span('strong', about), ' · ']),
      readStepId(step).ruleset,
      ...(cause === undefined || told.rules.length > 0 ? [] : [span('dim', `  ${causeText(cause)}`)]),
    ),
    ...messageLines(8, message),
  ];
}
