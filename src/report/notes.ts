import { describedName, WARNING_NOTE_KINDS, plannedScopes, readStepId, scopeLabel } from '../model/index.ts';
import type { Plan, PlannedScope, PlanNote, PlanNoteKind, UnknownField } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { groupBy } from '../data/index.ts';
import { groupRules, ruleNames } from './alike-scopes.ts';
import type { Scoped } from './own-names.ts';
import { saidOf } from './own-names.ts';
import type { Detail } from './layout.ts';

/** The number of fields, rulesets or scopes that are named. */
const NAMED = 3;

/**
 * Returns which unknown fields stay as they are live, and in how many rules; null when there are none. They are counted because a new field
 * may appear on every rule overnight.
 */
export function unknownFieldsText(found: readonly UnknownField[]): string | null {
  const counts = [...groupBy(found, ({ field }) => field)]
    .map(([field, some]) => ({ field, rules: some.reduce((sum, { rules }) => sum + rules, 0) }))
    .toSorted((a, b) => b.rules - a.rules)
    .map(({ field, rules }) => `${field} in ${counted(rules, 'rule')}`);
  return counts.length === 0
    ? null
    : `Kept and not watched, since this version does not know it: ${someNames(counts, NAMED)}`;
}

const WARNINGS: ReadonlySet<PlanNoteKind> = new Set(WARNING_NOTE_KINDS);

/** Whether a note is a warning; the others only inform. */
export function isWarning(kind: PlanNoteKind): boolean {
  return WARNINGS.has(kind);
}

const COUNTED: ReadonlySet<PlanNoteKind> = new Set([
  'respelled',
  'carried',
  'undeclared',
  'undeclared-rules',
]);

/**
 * Returns the notes to show for a scope. Some kinds recur in every run, often for all rules of many scopes: that live spells an expression
 * differently, that an unwritten rule has a field that this version does not know, and that no file declares a ruleset or rule. These are shown only
 * with `each`; otherwise some are counted elsewhere.
 */
export function shownNotes(plan: PlannedScope, detail: Detail = 'summed-up'): readonly PlanNote[] {
  const { notes } = plan;
  if (detail === 'each' || !notes.some(({ kind }) => COUNTED.has(kind))) {
    return notes;
  }
  const written = new Set(
    plan.steps.flatMap(({ id, changes }) =>
      changes.flatMap((change) => (change.kind === 'patch' ? [ruleKey(id, change.ref)] : [])),
    ),
  );
  return notes.filter(
    ({ kind, step, rule }) =>
      kind !== 'respelled' &&
      kind !== 'undeclared' &&
      kind !== 'undeclared-rules' &&
      (kind !== 'carried' || written.has(ruleKey(step, rule))),
  );
}

function ruleKey(step: string, rule: string): string {
  return JSON.stringify([step, rule]);
}

/** A note, with the names of the rules when it is shown once for many rules of a ruleset; empty for a single rule or none. */
export interface ToldNote {
  readonly note: PlanNote;
  readonly rules: readonly string[];
}

/** Returns the name of a note's rule; empty when the note is about a whole ruleset. */
export function noteRule({ rule, description = '' }: PlanNote): string {
  return describedName(rule, description);
}

/** Groups notes that say the same about many rules of a ruleset. */
export function toldNotes(notes: readonly PlanNote[], detail: Detail = 'summed-up'): readonly ToldNote[] {
  const groups = groupRules(notes, ({ kind, step, rule, message }) =>
    rule === '' || detail === 'each' ? undefined : { about: `${kind} ${step}`, says: message },
  );
  return groups.flatMap(({ members: [note, ...more] }) =>
    note === undefined ? [] : [{ note, rules: more.length === 0 ? [] : [note, ...more].map(noteRule) }],
  );
}

/** Returns the names of a note's rules; empty when the note is about a whole ruleset. */
export function noteRules({ note, rules }: ToldNote, show: (name: string) => string): string {
  return rules.length === 0
    ? note.rule && show(noteRule(note))
    : `${counted(rules.length, 'rule')}: ${ruleNames(rules.map(show))}`;
}

/** Names what is live and no file declares, and tells how to see it; null where nothing is known of. */
export function undeclaredText({ scopes }: Pick<Plan, 'scopes'>): string | null {
  const found = plannedScopes(scopes).flatMap(({ scope, notes }) => {
    const names = notes.flatMap(({ kind, step, message }) => {
      const { ruleset } = readStepId(step);
      return kind === 'undeclared' ? ruleset : kind === 'undeclared-rules' ? `${ruleset} (${message})` : [];
    });
    return names.length === 0 ? [] : [{ scope: scopeLabel(scope), names: someNames(names, NAMED) }];
  });
  const told = [...groupBy(found, ({ names }) => names)].map(
    ([names, alike]) =>
      `${names} in ${someNames(
        alike.map(({ scope }) => scope),
        NAMED,
      )}`,
  );
  const shown = told.slice(0, NAMED).join('; ');
  const more = told.length > NAMED ? '; more in other scopes, see --verbose' : '';
  return told.length === 0
    ? null
    : `Not managed by your files: ${shown}${more}. drift --unmanaged compares it.`;
}

/** Returns which unknown fields rules keep, and in how many rules; null when there are none. */
export function carriedText({ scopes }: Pick<Plan, 'scopes'>): string | null {
  const fields = plannedScopes(scopes).flatMap(({ notes }) =>
    notes.flatMap(({ kind, fields: some = [] }) => (kind === 'carried' ? some : [])),
  );
  return unknownFieldsText(fields.map((field) => ({ field, rules: 1 })));
}

/** Whether a note needs as much attention as findings of guards. Changes that were left out on purpose are no surprise. */
export function isAttention({ kind }: Pick<PlanNote, 'kind'>): boolean {
  return isWarning(kind) && kind !== 'left-out';
}

/**
 * Returns the notes that warn, which need as much attention as findings of guards. Without changes that were left out on purpose: they are
 * no surprise, and are counted elsewhere.
 */
export function warningNotes({ scopes }: Pick<Plan, 'scopes'>): readonly (PlanNote & Scoped)[] {
  return plannedScopes(scopes).flatMap((scope) => saidOf(scope, scope.notes.filter(isAttention)));
}
