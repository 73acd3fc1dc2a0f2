import { isUnchecked } from '../../model/scope-plans.ts';
import type { PlannedScope } from '../../model/plan.ts';
import { readStepId } from '../../model/step-id.ts';
import { someNames } from '../../model/some-names.ts';
import { ALIKE, alikeCount } from '../alike-plans.ts';
import { counted } from '../../model/count.ts';
import type { FailedGroup } from '../failed-scopes.ts';
import type { Line } from '../layout.ts';
import { BLANK, hanging, line, span } from '../layout.ts';
import { messageLines } from './message.ts';
import type { ToldNote } from '../notes.ts';
import { isWarning, noteRules, shownNotes, toldNotes } from '../notes.ts';
import { causeText } from '../../model/source.ts';
import type { StepLook } from './step.ts';
import { stepLines } from './step.ts';
import type { Detail } from '../theme.ts';

/** Returns lines about a scope with its rulesets and notes, and the other scopes that it stands for. */
export function scopeLines(
  plan: PlannedScope,
  others: readonly PlannedScope[],
  look: Omit<StepLook, 'indent'>,
): readonly Line[] {
  return [
    line(0, span('heading', `${plan.scope.kind} ${plan.scope.name}`), alikeCount(plan.scope.kind, others)),
    BLANK,
    ...plan.steps.flatMap((step) => [...stepLines(step, { ...look, indent: 2 }), BLANK]),
    ...noteLines(plan, look.detail),
    ...alikeLines(others.map(({ scope }) => scope.name)),
  ];
}

/** Returns lines with the names of all scopes that are grouped with another one. */
export function alikeLines(names: readonly string[]): readonly Line[] {
  return names.length === 0 ? [] : [line(2, `${ALIKE}:`), hanging(4, 0, names.join(', ')), BLANK];
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
