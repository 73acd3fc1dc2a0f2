import { assertNever, isJsonArray, isJsonObject, omit, pointerParts } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { splitWindow } from '../expression/index.ts';
import { contentToWire, CONTENT_FIELDS, shortName, shownContent } from '../model/index.ts';
import type { FieldChange, RuleContent, Move, PatchRule, RuleChange, RulePosition } from '../model/index.ts';
import { windowText } from '../text/index.ts';
import type { WindowView } from '../text/index.ts';
import { namedRows } from './plan-names.ts';
import type { PlanNames } from './plan-names.ts';
import type { Perspective } from './perspective.ts';
import { span } from './tree.ts';
import type { FieldRow, Inline } from './tree.ts';
import { leavesOf, inlineValue } from './print-value.ts';

/** Returns rows for all fields of a rule, without defaults. */
export function contentRows(content: RuleContent, time: WindowView): readonly FieldRow[] {
  const wire = contentToWire(content);
  const shown = content.enabled ? omit(wire, ['enabled']) : wire;
  return grouped(
    Object.entries(shown)
      .flatMap(([key, value]) => flatten([key], value, (leaf) => ({ kind: 'is', value: leaf })))
      .flatMap((row) => apart(row, time)),
  );
}

/** Returns rows for the changed fields of a rule. The `id` of what it executes would look like one of the rule itself. */
export function changeRows(
  fields: readonly FieldChange[],
  time: WindowView = { timeZone: 'UTC' },
): readonly FieldRow[] {
  return grouped(
    fields
      .flatMap((field): readonly Placed[] => {
        const path = pointerParts(field.path);
        switch (field.kind) {
          case 'added':
            return flatten(path, field.after, (after) => ({ kind: 'differs', after }));
          case 'removed':
            return flatten(path, field.before, (before) => ({ kind: 'differs', before }));
          case 'changed':
            return [{ path, value: { kind: 'differs', before: field.before, after: field.after } }];
          default:
            return assertNever(field);
        }
      })
      .flatMap((row) => apart(row, time)),
  ).map((row) => (row.label === 'id' && row.group === '' ? { ...row, label: 'execute' } : row));
}

/** A row without a label: the path of the field and its value. */
interface Placed {
  readonly path: readonly string[];
  readonly value: FieldRow['value'];
}

/** Returns the row of an expression and, where it has a window, one that says when that is instead of numbers. */
function apart(row: Placed, time: WindowView): readonly Placed[] {
  const { path, value } = row;
  if (path.length !== 1 || path[0] !== 'expression' || value.kind === 'told') {
    return [row];
  }
  if (value.kind === 'is') {
    const { expression, active } = sideOf(value.value, time);
    return active === undefined
      ? [row]
      : [
          { path, value: { kind: 'is', value: expression } },
          { path: ACTIVE, value: { kind: 'is', value: active } },
        ];
  }
  const [before, after] = [sideOf(value.before, time), sideOf(value.after, time)];
  return [
    ...(before.expression === after.expression
      ? []
      : [{ path, value: differing(before.expression, after.expression) }]),
    ...(before.active === after.active
      ? []
      : [{ path: ACTIVE, value: differing(before.active ?? ALWAYS, after.active ?? ALWAYS) }]),
  ];
}

const ACTIVE = ['active'];
const ALWAYS = 'always';

function sideOf<Side extends JsonValue | undefined>(
  value: Side,
  time: WindowView,
): { readonly expression: Side | string; readonly active?: string } {
  const split = typeof value === 'string' ? splitWindow(value) : undefined;
  return split === undefined
    ? { expression: value }
    : { expression: split.expression, active: windowText(split.window, time) };
}

function differing(before: JsonValue | undefined, after: JsonValue | undefined): FieldRow['value'] {
  return {
    kind: 'differs',
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

function flatten(
  path: readonly string[],
  value: JsonValue,
  of: (leaf: JsonValue) => FieldRow['value'],
): readonly Placed[] {
  const inner = overriddenRule(path)?.rest.length === 0 && isJsonObject(value) ? omit(value, ['id']) : value;
  return leavesOf(inner, path).flatMap((leaf): readonly Placed[] => {
    const byRule = overridesByRule(leaf.path, leaf.value);
    return byRule === null
      ? [{ path: leaf.path, value: of(leaf.value) }]
      : byRule.flatMap(({ id, override }) => flatten([...leaf.path, id], override, of));
  });
}

const OVERRIDE_RULES = 'action_parameters/overrides/rules';

/** Returns the entries of `overrides.rules` by rule id; null unless each has an id. */
function overridesByRule(
  path: readonly string[],
  value: JsonValue,
): readonly { readonly id: string; readonly override: JsonObject }[] | null {
  if (path.join('/') !== OVERRIDE_RULES || !isJsonArray(value)) {
    return null;
  }
  const entries = value.flatMap((entry) =>
    isJsonObject(entry) && typeof entry['id'] === 'string' ? [{ id: entry['id'], override: entry }] : [],
  );
  return entries.length === value.length ? entries : null;
}

/** Adds labels to rows: several members of one object are grouped under its name; a single one keeps its whole path. */
function grouped(rows: readonly Placed[]): readonly FieldRow[] {
  const members = new Map<string, number>();
  for (const { path } of rows) {
    const [parent = '', ...rest] = labelParts(path);
    members.set(parent, (members.get(parent) ?? 0) + (rest.length > 0 ? 1 : 0));
  }
  return rows.flatMap(({ path, value }): readonly FieldRow[] => {
    const override = overriddenRule(path);
    if (override !== null) {
      // The heading already names the rule.
      const label = fieldLabel(override.rest);
      return label === 'id' ? [] : [{ group: `overrides of rule ${override.id}`, label, value }];
    }
    const [parent = '', ...rest] = labelParts(path);
    return rest.length > 0 && (members.get(parent) ?? 0) > 1
      ? [{ group: parent, label: fieldLabel(rest), value }]
      : [{ group: '', label: fieldLabel([parent, ...rest]), value }];
  });
}

/** An action parameter with one of these names keeps its prefix. */
const RULE_FIELDS: ReadonlySet<string> = new Set(CONTENT_FIELDS);

/**
 * Returns the path of a field as a reader knows it: a leading `action_parameters` says nothing and is left out, unless the rule itself has
 * a field of that name.
 */
export function labelParts(parts: readonly string[]): readonly string[] {
  const [first, second] = parts;
  return first === 'action_parameters' && second !== undefined && !RULE_FIELDS.has(second)
    ? parts.slice(1)
    : parts;
}

/** Returns the label of a field: `ratelimit.period`, `from_value.status_code`. */
export function fieldLabel(parts: readonly string[]): string {
  return parts.map(inlineValue).join('.');
}

/** Returns the managed rule that a path into `overrides.rules` is about, and the rest of the path. */
export function overriddenRule(
  parts: readonly string[],
): { readonly id: string; readonly rest: readonly string[] } | null {
  const [parameters, overrides, rules, id, ...rest] = parts;
  return parameters === 'action_parameters' &&
    overrides === 'overrides' &&
    rules === 'rules' &&
    id !== undefined
    ? { id, rest }
    : null;
}

/** How the fields of a change are shown. */
interface FieldsContext {
  readonly perspective: Perspective;
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
  { perspective, places, phase, names }: FieldsContext,
): readonly FieldRow[] {
  switch (change.kind) {
    case 'add':
      return [
        ...(places ? [toldRow('place', [placeText(change.place)])] : []),
        ...namedRows(contentRows(shownContent(change.content, phase), names.time), names),
      ];
    case 'delete':
      return [
        ...(places ? [toldRow('place', [`${change.place.index}`])] : []),
        ...namedRows(contentRows(shownContent(change.before, phase), names.time), names),
      ];
    case 'move':
      return [toldRow('place', [moveText(change.move, perspective)])];
    case 'patch':
      return [
        ...(change.adopts === undefined ? [] : [adoptRow(change.adopts, change.ref, perspective)]),
        ...(change.move === undefined ? [] : [toldRow('place', [moveText(change.move, perspective)])]),
        ...namedRows(changeRows(change.fields, names.time), names),
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

function adoptRow(live: string, ref: string, { sides: { before, after, between } }: Perspective): FieldRow {
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
function moveText({ from, to }: Move, { kind }: Perspective): string {
  return kind === 'plan'
    ? `${from.index} → ${placeText(to)}`
    : `live ${placeText(from)} · files ${placeText(to)}`;
}
