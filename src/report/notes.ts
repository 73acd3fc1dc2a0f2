import { describedName } from '../model/described-name.ts';
import { WARNING_NOTE_KINDS } from '../model/plan.ts';
import type { Plan, PlannedScope, PlanNote, PlanNoteKind } from '../model/plan.ts';
import { plannedScopes } from '../model/scope-plans.ts';
import { groupRules, ruleNames } from './alike-rules.ts';
import { counted } from '../model/count.ts';
import type { Scoped } from './own-ids.ts';
import { saidOf } from './own-ids.ts';
import type { Detail } from './theme.ts';
import { unknownFieldsText } from './unknown-fields.ts';

const WARNINGS: ReadonlySet<PlanNoteKind> = new Set(WARNING_NOTE_KINDS);

/** Whether a note warns; the others only tell. */
export function isWarning(kind: PlanNoteKind): boolean {
  return WARNINGS.has(kind);
}

/**
 * The notes that are shown of a scope. That live spells an expression in another way is the same in every run, and so is a field of a
 * rule that is not written and that this version does not know, often in all rules of many scopes: it is shown only where everything
 * is, and counted elsewhere.
 */
export function shownNotes(plan: PlannedScope, detail: Detail = 'summed-up'): readonly PlanNote[] {
  const { notes } = plan;
  if (detail === 'each' || !notes.some(({ kind }) => kind === 'respelled' || kind === 'carried')) {
    return notes;
  }
  const written = new Set(
    plan.steps.flatMap(({ id, changes }) =>
      changes.flatMap((change) => (change.kind === 'patch' ? [ruleKey(id, change.ref)] : [])),
    ),
  );
  return notes.filter(
    ({ kind, step, rule }) =>
      kind !== 'respelled' && (kind !== 'carried' || written.has(ruleKey(step, rule))),
  );
}

function ruleKey(step: string, rule: string): string {
  return JSON.stringify([step, rule]);
}

/** A note with the names of its rules where the same is said of many of a ruleset; of none or one they are `rule`. */
export interface ToldNote {
  readonly note: PlanNote;
  readonly rules: readonly string[];
}

/** The rule of a note as people know it; empty where it is about a whole ruleset. */
export function noteRule({ rule, description = '' }: PlanNote): string {
  return describedName(rule, description);
}

/** Notes, what is said of many rules of a ruleset once. */
export function toldNotes(notes: readonly PlanNote[], detail: Detail = 'summed-up'): readonly ToldNote[] {
  const groups = groupRules(notes, ({ kind, step, rule, message }) =>
    rule === '' || detail === 'each' ? undefined : { about: `${kind} ${step}`, says: message },
  );
  return groups.flatMap(({ members: [note, ...more] }) =>
    note === undefined ? [] : [{ note, rules: more.length === 0 ? [] : [note, ...more].map(noteRule) }],
  );
}

/** The rules of a note by their names; empty where it is about a whole ruleset. */
export function noteRules({ note, rules }: ToldNote, show: (name: string) => string): string {
  return rules.length === 0
    ? note.rule && show(noteRule(note))
    : `${counted(rules.length, 'rule')}: ${ruleNames(rules.map(show))}`;
}

/** How many rules live spells in another way. */
export function countRespelled({ scopes }: Pick<Plan, 'scopes'>): number {
  return plannedScopes(scopes).reduce(
    (count, { notes }) => count + notes.filter(({ kind }) => kind === 'respelled').length,
    0,
  );
}

/** Which fields rules keep that this version does not know, and in how many rules; null where none. */
export function carriedText({ scopes }: Pick<Plan, 'scopes'>): string | null {
  const fields = plannedScopes(scopes).flatMap(({ notes }) =>
    notes.flatMap(({ kind, fields: some = [] }) => (kind === 'carried' ? some : [])),
  );
  return unknownFieldsText(fields.map((field) => ({ field, rules: 1 })));
}

/** The notes that warn: they need as much attention as what guards find. What is left out is no surprise, and is counted elsewhere. */
export function warningNotes({ scopes }: Pick<Plan, 'scopes'>): readonly (PlanNote & Scoped)[] {
  return plannedScopes(scopes).flatMap((scope) =>
    saidOf(
      scope,
      scope.notes.filter(({ kind }) => isWarning(kind) && kind !== 'left-out'),
    ),
  );
}
