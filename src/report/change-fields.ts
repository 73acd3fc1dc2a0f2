import { assertNever } from '../data/index.ts';
import type { Move, PatchRule, RuleChange, RulePosition } from '../model/index.ts';
import { shortName, shownContent } from '../model/index.ts';
import { changeRows, contentRows } from './field-rows.ts';
import type { PlanNames } from './plan-names.ts';
import { namedRows } from './plan-names.ts';
import type { Telling } from './telling.ts';
import type { FieldRow, Inline } from './tree.ts';
import { span } from './tree.ts';

/** How the fields of a change are shown. */
interface FieldsTelling {
  readonly telling: Telling;
  /** Whether to show the place of an added or deleted rule; in a new ruleset it is not worth a line. */
  readonly places: boolean;
  /** The phase of the ruleset, which determines the texts of a rule that may be secrets. */
  readonly phase: string;
  /** The names of the rulesets that the rule refers to by id. */
  readonly names: PlanNames;
}

/** Returns rows for the fields that a change concerns, including the rule's place. */
export function changeFields(
  change: RuleChange,
  { telling, places, phase, names }: FieldsTelling,
): readonly FieldRow[] {
  switch (change.kind) {
    case 'add':
      return [
        ...(places ? [toldRow('place', [placeText(change.place)])] : []),
        ...namedRows(contentRows(shownContent(change.content, phase), names.timeZone), names),
      ];
    case 'delete':
      return [
        ...(places ? [toldRow('place', [`${change.place.index}`])] : []),
        ...namedRows(contentRows(shownContent(change.before, phase), names.timeZone), names),
      ];
    case 'move':
      return [toldRow('place', [moveText(change.move, telling)])];
    case 'patch':
      return [
        ...(change.adopts === undefined ? [] : [adoptRow(change.adopts, change.ref, telling)]),
        ...(change.move === undefined ? [] : [toldRow('place', [moveText(change.move, telling)])]),
        ...namedRows(changeRows(change.fields, names.timeZone), names),
        ...(isOff(change) ? [toldRow('enabled', ['false, unchanged'])] : []),
      ];
    default:
      return assertNever(change);
  }
}

/** Whether a rule is disabled before and after: its changes have no effect. */
function isOff({ before, content }: PatchRule): boolean {
  return !before.enabled && !content.enabled;
}

/** Returns a row with a text. */
export function toldRow(label: string, spans: Inline): FieldRow {
  return { label, group: '', value: { kind: 'told', spans } };
}

function adoptRow(live: string, ref: string, { sides: { before, after, between } }: Telling): FieldRow {
  return toldRow('ref', [
    before.inline,
    span(before.style, live),
    `${between}${after.inline}`,
    span(after.style, ref),
    ' (the live rule keeps its id)',
  ]);
}

/** Describes a place: `3, after block-admin`. */
function placeText({ index, after, description = '' }: RulePosition): string {
  return after === null ? `${index}, first` : `${index}, after ${shortName(after, description)}`;
}

/** Describes a move: in a plan from the old to the new place, in drift both places. */
function moveText({ from, to }: Move, { kind }: Telling): string {
  return kind === 'plan'
    ? `${from.index} → ${placeText(to)}`
    : `live ${placeText(from)} · files ${placeText(to)}`;
}
