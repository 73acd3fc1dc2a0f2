import { diffArrays } from 'diff';
import { isVersion, shownChange, shownText, phaseFacts, describedNameOf } from '../../model/index.ts';
import type { RuleChange, Step, RulesetTarget, FieldChange } from '../../model/index.ts';
import { counted, countsText } from '../../text/index.ts';
import { escapeText } from '../escape.ts';
import { graveCounts, gravityOf, allowedWeakening, everyRequestClause } from '../severity.ts';
import { toldChanges } from '../folded-changes.ts';
import type { AlikeDeletions } from '../folded-changes.ts';
import { momentText } from '../moment.ts';
import { COUNT_WORDS, KIND_WORDS, DRIFT, PLAN } from '../telling.ts';
import type { Telling } from '../telling.ts';
import { assertNever, isJsonArray } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { FieldRow } from '../field-rows.ts';
import { changeRows } from '../field-rows.ts';
import { changeFields } from '../lines/rule-lines.ts';
import type { Grave, Graves } from '../severity.ts';
import type { PlanNames } from '../plan-names.ts';
import { foldBlanks } from '../expression-difference.ts';
import { inlineValue, loneValue } from '../value.ts';
import type { Block, SourceLinks } from './block.ts';
import { list, nameRows, paragraph, code, html, htmlCode, causeLink, prose } from './block.ts';

/** Longer values are broken into lines, so that a diff shows the part that differs. */
const LONGEST_LINE = 80;

/** A line of a diff with its sign: removed, added, or in both values. */
interface DifferenceLine {
  readonly sign: '- ' | '+ ' | '  ';
  readonly text: string;
}

/** Formats a value as escaped lines. */
function valueLines(label: string, value: JsonValue): readonly string[] {
  if (isJsonArray(value) && inlineValue(value).length > LONGEST_LINE) {
    return value.map((item) => escapeText(loneValue(item)));
  }
  if (isExpression(label, value)) {
    const folded = foldBlanks(value);
    return folded.length <= LONGEST_LINE ? [escapeText(folded)] : clauses(folded).map(escapeText);
  }
  return [escapeText(loneValue(value))];
}

/** Compares two values line by line; removed lines come before the added ones that replace them. */
function differenceOf(label: string, from: JsonValue, to: JsonValue): readonly DifferenceLine[] {
  return diffArrays(comparable(label, from), comparable(label, to)).flatMap(
    ({ added, removed, value }): readonly DifferenceLine[] =>
      value.map((text) => ({ sign: added ? '+ ' : removed ? '- ' : '  ', text })),
  );
}

/**
 * Returns the lines of a value for comparison. An expression is always broken into lines, however short, so that both sides are broken
 * alike.
 */
function comparable(label: string, value: JsonValue): string[] {
  return isExpression(label, value)
    ? clauses(foldBlanks(value)).map(escapeText)
    : [...valueLines(label, value)];
}

function isExpression(label: string, value: JsonValue): value is string {
  return typeof value === 'string' && label.endsWith('expression');
}

/** Matches quoted text, a joining operator, a bracket, or the text between these. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|\b(?:and|or|xor)\b|[(){}]|[^"(){}\s]+|\s+/gs;

/** Breaks an expression into lines: one condition each, indented by its brackets; long sets between elements. */
function clauses(expression: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  let set = false;
  const end = (): void => {
    if (line.trim() !== '') {
      lines.push(line.trimEnd());
    }
    line = '  '.repeat(depth);
  };
  for (const token of expression.match(TOKENS) ?? []) {
    const joins = !set && /^(?:and|or|xor)$/.test(token);
    if (joins || (set && line.length + token.length > LONGEST_LINE)) {
      end();
    }
    // Blanks at the beginning of a line are replaced by its indentation.
    if (token.trim() !== '' || line.trim() !== '') {
      line += token;
    }
    if (token === '(') {
      depth += 1;
    } else if (token === ')') {
      depth = Math.max(0, depth - 1);
    } else if (token === '{' || token === '}') {
      set = token === '{';
    }
  }
  end();
  return lines;
}

/** How to show changes. */
export interface MarkdownTelling {
  readonly kind: Telling['kind'];
  readonly links: SourceLinks;
  readonly graves: Graves;
  readonly names: PlanNames;
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
function ruleBlock(change: RuleChange, { kind, links, places, phase, names, grave }: RuleTelling): Block {
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
function weakens(reason: string | undefined, kind: Telling['kind']): readonly string[] {
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

/** Returns a fold with everything that changes in a ruleset. */
export function stepFold(step: Step, telling: MarkdownTelling): Block {
  const { kind, links, graves, names } = telling;
  const places = step.operation === 'update';
  const { changes, order, deletions } = toldChanges(step, { graves, telling: kind });
  return {
    kind: 'fold',
    summary: [
      targetHtml(step.target),
      ...operationText(step, telling.kind),
      changeCounts(step.changes, telling.kind),
      ...graveTexts(step, telling),
    ]
      .filter((part) => part !== '')
      .join(' · '),
    body: [
      paragraph(baseText(step, telling)),
      ...descriptionBlocks(step, telling.kind),
      ...(order === null ? [] : [paragraph(`${order}; ${IN_FULL} list them`)]),
      ...changes.map((change) =>
        ruleBlock(change, {
          kind,
          links,
          names,
          places,
          phase: step.target.phase,
          grave: graves(step, change),
        }),
      ),
      ...deletions.flatMap((group) => deletionsBlocks(group, kind)),
    ],
  };
}

/** Where a reviewer finds each of the changes that are summed up here. */
const IN_FULL = `the page (${code('--format html')}) and the saved plan`;

/** Returns blocks about many similar deleted rules, with all names. */
function deletionsBlocks(
  { action, enabled, lowers, names }: AlikeDeletions,
  kind: Telling['kind'],
): readonly Block[] {
  const title = [
    `**${KIND_WORDS[kind].delete}** ${counted(names.length, 'rule')}, each ${code(action)}${enabled ? '' : ', disabled'}`,
    ...weakens(lowers, kind),
    `${IN_FULL} show each`,
  ];
  return [paragraph(title.join(' · ')), ...list(nameRows(names.map(code)))];
}

/** Formats a ruleset for a table: its product and phase, or the name of a custom ruleset and its phase. */
export function targetCell({ level, name, phase }: RulesetTarget): string {
  const product = phaseFacts(phase)?.product;
  return level === 'custom'
    ? `custom ${code(name)}, ${code(phase)}`
    : `${product ?? ''} ${code(phase)}`.trim();
}

function targetHtml({ level, name, phase }: RulesetTarget): string {
  const product = phaseFacts(phase)?.product;
  return level === 'custom'
    ? `<b>${htmlCode(name)}</b> custom ruleset of ${htmlCode(phase)}`
    : `${product === undefined ? '' : `<b>${html(product)}</b> `}${htmlCode(phase)}`;
}

const OPERATIONS: Readonly<Record<Telling['kind'], Readonly<Record<Step['operation'], readonly string[]>>>> =
  {
    plan: { create: ['new ruleset'], update: [], delete: ['<b>ruleset deleted</b>'] },
    drift: { create: ['ruleset missing live'], update: [], delete: ['ruleset only live'] },
  };

function operationText(step: Step, kind: Telling['kind']): readonly string[] {
  return OPERATIONS[kind][step.operation];
}

function changeCounts(changes: readonly RuleChange[], telling: Telling['kind']): string {
  return countsText(
    COUNT_WORDS[telling].map(([kind, what]) => [
      changes.filter((change) => change.kind === kind).length,
      what,
    ]),
  );
}

function graveTexts(step: Step, { kind, graves }: MarkdownTelling): readonly string[] {
  return graveCounts(gravityOf([step], graves), { kind }).map((text) => `⚠️ ${text}`);
}

function baseText({ base, cause }: Step, { links }: MarkdownTelling): string {
  const live =
    base.kind === 'version'
      ? `Live is version ${code(base.version)}${base.lastUpdated === '' ? '' : `, of ${code(momentText(base.lastUpdated))}`}.`
      : base.kind === 'absent'
        ? 'Not there live.'
        : '';
  const origin =
    cause === undefined
      ? ['No file declares it.']
      : [`${isVersion(cause) ? 'Back to' : 'Declared at'} ${causeLink(cause, links)}.`];
  return [live, ...origin].filter((part) => part !== '').join(' ');
}

function descriptionBlocks(step: Step, kind: Telling['kind']): readonly Block[] {
  const text = step.description;
  if (text === undefined || text === '') {
    return [];
  }
  const [minus, plus] = kind === 'plan' ? (['- ', '+ '] as const) : (['+ ', '- '] as const);
  const lines =
    typeof text === 'string'
      ? [`${step.operation === 'delete' ? minus : plus}description: ${escapeText(shownText(text))}`]
      : [
          `${minus}description: ${escapeText(shownChange(text).before)}`,
          `${plus}description: ${escapeText(shownChange(text).after)}`,
        ];
  return [{ kind: 'code', title: '', language: 'diff', lines }];
}
