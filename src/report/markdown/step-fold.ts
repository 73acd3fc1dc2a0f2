import { isVersion } from '../../model/source.ts';
import { shownChange, shownText } from '../../model/conceal.ts';
import type { RuleChange } from '../../model/change.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { Step, RulesetTarget } from '../../model/plan.ts';
import { counted, countsText } from '../../model/count.ts';
import { escapeText } from '../escape.ts';
import { graveCounts, gravityOf } from '../lowering.ts';
import { toldChanges } from '../folded-changes.ts';
import type { AlikeDeletions } from '../folded-changes.ts';
import { momentText } from '../moment.ts';
import { COUNT_WORDS, KIND_WORDS } from '../telling.ts';
import type { Telling } from '../telling.ts';
import type { Block } from './block.ts';
import { list, nameRows, paragraph } from './block.ts';
import { code, html, htmlCode } from './escape-markdown.ts';
import type { MarkdownTelling } from './rule-block.ts';
import { ruleBlock, weakens } from './rule-block.ts';
import { causeLink } from './source-links.ts';

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
