import { assertNever } from '../../model/assert-never.ts';
import { describedNameOf } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import type { FieldChange } from '../../model/field-change.ts';
import type { JsonValue } from '../../model/json.ts';
import { escapeText } from '../escape.ts';
import type { FieldRow } from '../field-rows.ts';
import { changeRows } from '../field-rows.ts';
import { changeFields } from '../lines/rule.ts';
import type { Grave, Graves } from '../lowering.ts';
import { allowedWeakening, everyRequestClause } from '../lowering.ts';
import type { RulesetNames } from '../ruleset-names.ts';
import type { Telling } from '../telling.ts';
import { DRIFT, KIND_WORDS, PLAN } from '../telling.ts';
import type { Block } from './block.ts';
import { code, prose } from './escape-markdown.ts';
import type { SourceLinks } from './source-links.ts';
import { causeLink } from './source-links.ts';
import { differenceOf, valueLines } from './value-lines.ts';

/** How to show changes. */
export interface MarkdownTelling {
  readonly kind: Telling['kind'];
  readonly links: SourceLinks;
  readonly graves: Graves;
  readonly names: RulesetNames;
}

/** How to show a change of a rule. */
interface RuleTelling extends Omit<MarkdownTelling, 'graves'> {
  readonly grave: Grave;
  /** Whether to show the place of a rule; in a new ruleset it is not worth a line. */
  readonly places: boolean;
  /** The phase of the ruleset. */
  readonly phase: string;
}

/** The signs of both sides of a diff: a plan leads from live to the files, drift from the files to live. */
const SIGNS: Readonly<Record<Telling['kind'], Readonly<Record<'live' | 'files' | 'both', string>>>> = {
  plan: { live: '- ', files: '+ ', both: '  ' },
  drift: { live: '+ ', files: '- ', both: '  ' },
};

/** Returns a block about a changed rule: its name and place, and what differs as a diff in a fence. */
export function ruleBlock(
  change: RuleChange,
  { kind, links, places, phase, names, grave }: RuleTelling,
): Block {
  const telling = kind === 'plan' ? PLAN : DRIFT;
  const { lowers, ends, opens } = grave;
  const allowed = allowedWeakening(change, { kind, lowers });
  const side = change.kind === 'delete' ? 'live' : 'files';
  return {
    kind: 'code',
    title: [
      `**${KIND_WORDS[kind][change.kind]}** ${code(describedNameOf(change))}`,
      ...(change.kind === 'delete' ? [] : [causeLink(change.cause, links)]),
      ...[ends, opens].flatMap((does) =>
        does === undefined ? [] : [`⚠️ ${prose(everyRequestClause(does, telling))}`],
      ),
      ...weakens(lowers, kind),
      ...(allowed === undefined ? [] : [`weakens: ${prose(allowed)}`]),
    ].join(' · '),
    language: 'diff',
    lines: rowLines(changeFields(change, { telling, places, phase, names }), { kind, side }),
  };
}

/** Returns changed fields as the lines of a diff. */
export function fieldDifference(fields: readonly FieldChange[]): readonly string[] {
  return rowLines(changeRows(fields), { kind: 'plan', side: 'files' });
}

/** Returns why a change lowers protection, as part of its title; nothing when it does not. */
export function weakens(reason: string | undefined, kind: Telling['kind']): readonly string[] {
  return reason === undefined
    ? []
    : [`⚠️ ${kind === 'plan' ? 'weakens' : 'live is weaker'}: ${prose(reason)}`];
}

interface RowLook {
  readonly kind: Telling['kind'];
  /** The side of a value that has no counterpart. */
  readonly side: 'live' | 'files';
}

function rowLines(rows: readonly FieldRow[], look: RowLook): readonly string[] {
  const groups = [...new Set(['', ...rows.map(({ group }) => group)])];
  return groups.flatMap((group) => {
    const members = rows.filter((row) => row.group === group);
    const indent = group === '' ? '' : '  ';
    // The heading of values of one side gets the sign of that side.
    const head = SIGNS[look.kind][members.every(({ value }) => value.kind === 'is') ? look.side : 'both'];
    return [
      ...(group === '' ? [] : [`${head}${escapeText(group)}:`]),
      ...members.flatMap((row) => oneRow(row, { ...look, indent })),
    ];
  });
}

function oneRow({ label, value }: FieldRow, look: RowLook & { readonly indent: string }): readonly string[] {
  const name = escapeText(label);
  const sign = SIGNS[look.kind];
  switch (value.kind) {
    case 'told':
      return [
        `${sign.both}${look.indent}${name}: ${value.spans.map(({ text }) => escapeText(text)).join('')}`,
      ];
    case 'is':
      return sided(name, value.value, sign[look.side] + look.indent);
    case 'differs': {
      const { before, after } = value;
      if (before === undefined || after === undefined) {
        return [
          ...(before === undefined ? [] : sided(name, before, sign.live + look.indent)),
          ...(after === undefined ? [] : sided(name, after, sign.files + look.indent)),
        ];
      }
      const lines =
        look.kind === 'plan' ? differenceOf(label, before, after) : differenceOf(label, after, before);
      // A single line that replaces another needs no heading. Lines that both sides share would look like the whole value without one.
      return lines.length > 2 || lines.some((line) => line.sign === '  ')
        ? [
            `${sign.both}${look.indent}${name}:`,
            ...lines.map((line) => `${line.sign}${look.indent}  ${line.text}`),
          ]
        : lines.map((line) => `${line.sign}${look.indent}${name}: ${line.text}`);
    }
    default:
      return assertNever(value);
  }
}

/** Returns the lines of a value that only one side has. */
function sided(name: string, value: JsonValue, sign: string): readonly string[] {
  const lines = valueLines(name, value);
  const [first = ''] = lines;
  return lines.length === 1
    ? [`${sign}${name}: ${first}`]
    : [`${sign}${name}:`, ...lines.map((line) => `${sign}  ${line}`)];
}
