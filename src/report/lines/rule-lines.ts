import { assertNever, isJsonArray } from '../../data/index.ts';
import { descriptionOf, shownContent, shortName, causeText } from '../../model/index.ts';
import type { Move, PatchRule, RulePosition, RuleChange } from '../../model/index.ts';
import { oneLine, counted } from '../../text/index.ts';
import type { FieldRow } from '../field-rows.ts';
import { changeRows, contentRows } from '../field-rows.ts';
import type { AlikeDeletions } from '../folded-changes.ts';
import type { Line, StyledSpan } from '../layout.ts';
import { line, span, hanging, padTo, widthOf } from '../layout.ts';
import type { Grave } from '../severity.ts';
import { allowedWeakening } from '../severity.ts';
import type { PlanNames } from '../plan-names.ts';
import { namedRows } from '../plan-names.ts';
import type { Telling, Perspective } from '../telling.ts';
import { SYMBOLS, UNSET } from '../telling.ts';
import type { JsonValue } from '../../data/index.ts';
import { foldBlanks } from '../expression-difference.ts';
import { fieldDifference } from '../field-difference.ts';
import { inlineValue, loneValue } from '../value.ts';

/** The position and the width of field lines, and how to show differences. */
export interface FieldPlace {
  readonly indent: number;
  readonly width: number;
  readonly telling: Telling;
}

/** The widest label that counts for the column of values: longer labels do not push all values to the right. */
const WIDEST_LABEL = 28;

/** The same limit for labels under a group's heading. */
const WIDEST_INNER_LABEL = 38;

/** Formats rows as lines: labels in one column; a value that does not fit beside its label goes below it. */
export function fieldLines(rows: readonly FieldRow[], place: FieldPlace): readonly Line[] {
  const groups = [...new Set(['', ...rows.map((row) => row.group)])];
  return groups.flatMap((group): readonly Line[] => {
    const members = rows.filter((row) => row.group === group);
    const inner = group === '' ? place : { ...place, indent: place.indent + 2 };
    const widest = group === '' ? WIDEST_LABEL : WIDEST_INNER_LABEL;
    const widths = members.map((row) => widthOf(row.label)).filter((width) => width <= widest);
    const column = Math.max(...widths, 0);
    return [
      ...(group === '' ? [] : [line(place.indent, span('label', group))]),
      ...members.flatMap((row) => rowLines(row, { ...inner, column })),
    ];
  });
}

type RowPlace = FieldPlace & { readonly column: number };

function rowLines(row: FieldRow, place: RowPlace): readonly Line[] {
  const { value } = row;
  if (value.kind === 'told') {
    return [labelled(row.label, value.spans, place)];
  }
  if (value.kind === 'is') {
    return isLines(row.label, value.value, place);
  }
  const { before, after } = value;
  const words = isExpression(row.label) && before !== undefined && after !== undefined;
  const inline = words ? null : inlineDifference(before, after, place.telling);
  if (inline !== null && fits(row.label, inline, place)) {
    return [line(place.indent, label(row.label, place), ...inline)];
  }
  return [line(place.indent, span('label', row.label)), ...differenceBelow(before, after, place)];
}

function isLines(name: string, value: JsonValue, place: RowPlace): readonly Line[] {
  if (isJsonArray(value) && !fits(name, [{ text: inlineValue(value) }], place)) {
    return [
      line(place.indent, span('label', name)),
      ...value.map((item) => line(place.indent + 2, `• ${loneValue(item)}`)),
    ];
  }
  const text = typeof value === 'string' && isExpression(name) ? foldBlanks(value) : loneValue(value);
  return [labelled(name, [{ text }], place)];
}

/** Returns a line with a label and its value; further rows of the value are aligned with its first. */
function labelled(name: string, value: readonly StyledSpan[], place: RowPlace): Line {
  const hang = Math.max(place.column, widthOf(name)) + 2;
  return hanging(place.indent, hang, label(name, place), ...value);
}

function isExpression(name: string): boolean {
  return name.endsWith('expression');
}

function label(name: string, place: RowPlace): StyledSpan {
  return span('label', `${padTo(name, place.column)}  `);
}

function fits(name: string, value: readonly StyledSpan[], place: RowPlace): boolean {
  const width = value.reduce((sum, { text }) => sum + widthOf(text), 0);
  return place.indent + Math.max(place.column, widthOf(name)) + 2 + width <= place.width;
}

function inlineDifference(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  telling: Telling,
): readonly StyledSpan[] {
  const side = ({ inline, style }: Perspective, value: JsonValue | undefined): readonly StyledSpan[] => [
    { text: inline },
    value === undefined ? span('dim', UNSET) : span(style, loneValue(value)),
  ];
  return [...side(telling.live, before), { text: telling.between }, ...side(telling.files, after)];
}

function differenceBelow(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { indent, telling }: RowPlace,
): readonly Line[] {
  const below = ({ leading, style }: Perspective, spans: readonly StyledSpan[]): Line => ({
    indent: indent + 2,
    spans: [span(style, leading), ...spans],
    hang: widthOf(leading),
    marks: true,
  });
  const difference = fieldDifference(before, after);
  switch (difference.kind) {
    case 'words':
      return [below(telling.live, difference.before), below(telling.files, difference.after)];
    case 'items':
      return difference.entries.map((entry) =>
        entry.kind === 'same'
          ? line(indent + 2, span('dim', `… ${entry.count} unchanged`))
          : below(entry.kind === 'before' ? telling.live : telling.files, [{ text: entry.text }]),
      );
    case 'values':
      return [
        ...(before === undefined ? [] : [below(telling.live, [{ text: inlineValue(before) }])]),
        ...(after === undefined ? [] : [below(telling.files, [{ text: inlineValue(after) }])]),
      ];
    default:
      return assertNever(difference);
  }
}

/** How changes of rules are shown. */
export interface RuleLook extends FieldPlace {
  /** Whether to show the place of an added or deleted rule; in a new ruleset it is not worth a line. */
  readonly places: boolean;
  /** The phase of the ruleset, which determines the texts of a rule that may be secrets. */
  readonly phase: string;
  /** The names of the rulesets that the rule refers to by id. */
  readonly names: PlanNames;
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
        ...namedRows(contentRows(shownContent(change.content, phase), names.timeZone), names),
      ];
    case 'delete':
      return [
        ...(places ? [placeRow(`${change.place.index}`)] : []),
        ...namedRows(contentRows(shownContent(change.before, phase), names.timeZone), names),
      ];
    case 'move':
      return [placeRow(moveText(change.move, telling))];
    case 'patch':
      return [
        ...(change.adopts === undefined ? [] : [adoptRow(change.adopts, change.ref, telling)]),
        ...(change.move === undefined ? [] : [placeRow(moveText(change.move, telling))]),
        ...namedRows(changeRows(change.fields, names.timeZone), names),
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
    kind === 'plan' ? ['effect', 'effect', 'weakens'] : ['live', 'live', 'weaker'];
  return [...row(ending, ends), ...row(opening, opens), ...row(lowering, lowers)];
}

function placeRow(text: string): FieldRow {
  return toldRow('place', [{ text }]);
}

function toldRow(label: string, spans: readonly StyledSpan[]): FieldRow {
  return { label, group: '', value: { kind: 'told', spans } };
}

function adoptRow(live: string, ref: string, { live: before, files: after, between }: Telling): FieldRow {
  const spans: readonly StyledSpan[] = [
    { text: before.inline },
    span(before.style, live),
    { text: `${between}${after.inline}` },
    span(after.style, ref),
    { text: ' (the live rule keeps its id)' },
  ];
  return toldRow('ref', spans);
}

/** Describes a place: `3, after block-admin`. */
function placeText({ index, after, description = '' }: RulePosition): string {
  return after === null ? `${index}, first` : `${index}, after ${shortName(after, description)}`;
}

/** Describes a move: in a plan from the old to the new place, in drift both places. */
function moveText({ from, to }: Move, telling: Telling): string {
  return telling.kind === 'plan'
    ? `${from.index} → ${placeText(to)}`
    : `live ${placeText(from)} · files ${placeText(to)}`;
}
