import { assertNever } from '../../model/assert-never.ts';
import { descriptionOf } from '../../model/change.ts';
import type { Move, PatchRule, Place, RuleChange } from '../../model/change.ts';
import { shownContent } from '../../model/conceal.ts';
import { shortName } from '../../model/described-name.ts';
import { oneLine } from '../../model/one-line.ts';
import { causeText } from '../../model/source.ts';
import { counted } from '../../model/count.ts';
import { fieldLines } from './field.ts';
import type { FieldPlace } from './field.ts';
import type { FieldRow } from '../field-rows.ts';
import { changeRows, contentRows } from '../field-rows.ts';
import type { AlikeDeletions } from '../folded-changes.ts';
import type { Line, Span } from '../layout.ts';
import { line, span } from '../layout.ts';
import type { Grave } from '../lowering.ts';
import { allowedWeakening } from '../lowering.ts';
import type { RulesetNames } from '../ruleset-names.ts';
import { namedRows } from '../ruleset-names.ts';
import type { Telling } from '../telling.ts';
import { SYMBOLS } from '../telling.ts';

/** How changes of rules are shown. */
export interface RuleLook extends FieldPlace {
  /** Whether to show the place of an added or deleted rule; in a new ruleset it is not worth a line. */
  readonly places: boolean;
  /** The phase of the ruleset, which determines the texts of a rule that may be secrets. */
  readonly phase: string;
  /** The names of the rulesets that the rule refers to by id. */
  readonly names: RulesetNames;
  readonly grave: Grave;
}

/** Returns lines about a change of a rule: its symbol and name, where it comes from, and what differs. */
export function ruleLines(change: RuleChange, look: RuleLook): readonly Line[] {
  const { sign, style } = SYMBOLS[look.telling.kind][change.kind];
  const cause = change.kind === 'delete' ? undefined : change.cause;
  const name = shortName(change.ref, descriptionOf(change));
  const title = line(
    look.indent,
    span(style, `${sign} `),
    span('strong', name),
    ...(name === oneLine(change.ref) ? [] : [span('dim', `  ${change.ref}`)]),
    ...(cause === undefined ? [] : [span('dim', `  ${causeText(cause)}`)]),
  );
  const allowed = allowedWeakening(change, { kind: look.telling.kind, lowers: look.grave.lowers });
  const rows = [
    ...changeFields(change, look),
    ...reasonRows(look.telling, look.grave),
    ...(allowed === undefined ? [] : [toldRow('weakens', [{ text: allowed }])]),
  ];
  return [title, ...fieldLines(rows, { ...look, indent: look.indent + 4 })];
}

/** Returns lines about many similar deleted rules: what they have in common, and all names. */
export function deletionsLines(
  { action, enabled, lowers, names }: AlikeDeletions,
  look: FieldPlace,
): readonly Line[] {
  const { telling, indent } = look;
  const { sign, style } = SYMBOLS[telling.kind].delete;
  const rows: readonly FieldRow[] = [
    toldRow('action', [{ text: action }]),
    ...(enabled ? [] : [toldRow('enabled', [{ text: 'false' }])]),
    ...reasonRows(telling, { lowers, ends: undefined, opens: undefined }),
    toldRow('names', [{ text: names.join(', ') }]),
  ];
  return [
    line(
      indent,
      span(style, `${sign} `),
      span('strong', counted(names.length, 'rule')),
      span('dim', '; --verbose shows each'),
    ),
    ...fieldLines(rows, { ...look, indent: indent + 4 }),
  ];
}

/** Returns rows for the fields that a change concerns, including the rule's place. */
export function changeFields(
  change: RuleChange,
  { telling, places, phase, names }: Pick<RuleLook, 'telling' | 'places' | 'phase' | 'names'>,
): readonly FieldRow[] {
  switch (change.kind) {
    case 'add':
      return [
        ...(places ? [placeRow(placeText(change.place))] : []),
        ...namedRows(contentRows(shownContent(change.content, phase)), names),
      ];
    case 'delete':
      return [
        ...(places ? [placeRow(`${change.place.index}`)] : []),
        ...namedRows(contentRows(shownContent(change.before, phase)), names),
      ];
    case 'move':
      return [placeRow(moveText(change.move, telling))];
    case 'patch':
      return [
        ...(change.adopts === undefined ? [] : [adoptRow(change.adopts, change.ref, telling)]),
        ...(change.move === undefined ? [] : [placeRow(moveText(change.move, telling))]),
        ...namedRows(changeRows(change.fields), names),
        ...(isOff(change) ? [toldRow('enabled', [{ text: 'false, unchanged' }])] : []),
      ];
    default:
      return assertNever(change);
  }
}

/** Whether a rule is disabled before and after: its changes have no effect. */
function isOff({ before, content }: PatchRule): boolean {
  return !before.enabled && !content.enabled;
}

/** Returns rows that say why a change is grave. */
function reasonRows({ kind }: Telling, { lowers, ends, opens }: Grave): readonly FieldRow[] {
  const row = (label: string, reason: string | undefined): readonly FieldRow[] =>
    reason === undefined ? [] : [toldRow(label, [span('warning', reason)])];
  const [ending, opening, lowering] =
    kind === 'plan' ? ['ends', 'opens', 'weakens'] : ['live', 'live', 'weaker'];
  return [...row(ending, ends), ...row(opening, opens), ...row(lowering, lowers)];
}

function placeRow(text: string): FieldRow {
  return toldRow('place', [{ text }]);
}

function toldRow(label: string, spans: readonly Span[]): FieldRow {
  return { label, group: '', value: { kind: 'told', spans } };
}

function adoptRow(live: string, ref: string, { live: before, files: after, between }: Telling): FieldRow {
  const spans: readonly Span[] = [
    { text: before.inline },
    span(before.style, live),
    { text: `${between}${after.inline}` },
    span(after.style, ref),
    { text: ' (the live rule keeps its id)' },
  ];
  return toldRow('ref', spans);
}

/** Describes a place: `3, after block-admin`. */
function placeText({ index, after, description = '' }: Place): string {
  return after === null ? `${index}, first` : `${index}, after ${shortName(after, description)}`;
}

/** Describes a move: in a plan from the old to the new place, in drift both places. */
function moveText({ from, to }: Move, telling: Telling): string {
  return telling.kind === 'plan'
    ? `${from.index} → ${placeText(to)}`
    : `live ${placeText(from)} · files ${placeText(to)}`;
}
