import type {
  FirewallConversion,
  ConversionFile,
  ConvertedRule,
  OldFirewallRule,
  ZoneConversion,
  OldFilter,
} from '../conversion.ts';
import { assertNever } from '../../data/index.ts';
import { oldRuleName } from '../conversion.ts';
import { scopeLabel } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import {
  equivalenceSections,
  equivalenceSentence,
  nextSentences,
  notSameSection,
} from '../conversion-report.ts';
import { CHANGE_SIDES, entry, hintBlocks, paragraph, section, sentences, span } from '../../report/index.ts';
import type { Block, Document, EntryBlock, Inline, SectionBlock } from '../../report/index.ts';
import type { Scope } from '../../model/index.ts';

type WrittenConversion = FirewallConversion & ConversionFile;

const NEXT = {
  next: 'validate, plan, apply; then firewall retire.',
  declared:
    'put the printed rules among those of that file, where the report says; no second file can declare it.',
};

/** The next steps when the rules are already live, so that an import takes them too. */
const NEXT_LIVE = {
  next: 'plan, which finds nothing to do.',
  declared:
    'rulewright plan says whether these rules are there, and rulewright import takes those that are not.',
};

/** Documents the result for each rule, what is not the same, whether both worlds agree, and how to continue. */
export function firewallConversionDocument(report: WrittenConversion): Document {
  const { scope, result, equivalence } = report;
  const head = {
    title: 'Rulewright firewall convert',
    heading: ['Firewall rules of ', span('code', scopeLabel(scope))],
  };
  switch (result.kind) {
    case 'nothing':
      return { ...head, body: [paragraph('There are no firewall rules. Nothing to convert.')] };
    case 'refused':
      return {
        ...head,
        body: [
          entry(undefined, [span('error', result.message)], { parts: true, body: hintBlocks(result.hint) }),
        ],
      };
    case 'one-list':
      return {
        ...head,
        body: sentences([
          [`One list: ${result.reason}.`],
          [
            'The service has converted them itself; the file takes the custom rules as they are, with their ids.',
          ],
          ['Do not delete the old rules: that would delete the custom rules.'],
          ...foreignSentences(report),
        ]),
        summary: nextSentences(report, NEXT_LIVE),
      };
    case 'converted':
      return {
        ...head,
        body: [
          ...sentences([
            [`Two lists: ${result.world}.`],
            [`Order: ${result.order}, since ${result.orderReason}.`],
            [placeText(result)],
            ...foreignSentences(report),
          ]),
          section(2, [span('strong', 'Rules')], result.rules.map(ruleEntry)),
          notSameSection(NOT_SAME, result.warnings),
          ...(equivalence === null ? [] : equivalenceSections(equivalence)),
        ],
        summary: [
          ...(equivalence === null ? [] : [equivalenceSentence(equivalence)]),
          ...nextSentences(report, NEXT),
        ],
      };
    default:
      return assertNever(result);
  }
}

function foreignSentences({ foreign, yaml }: FirewallConversion): readonly Inline[] {
  return foreign === 0
    ? []
    : [
        [
          `The project owns rules by pattern: ${counted(foreign, 'live rule is not its own, and stays', 'live rules are not its own, and stay')} out of the file.`,
        ],
        ...(yaml === null
          ? [[span('info', 'widen ownership.rules, or give the rules refs that it matches')]]
          : []),
      ];
}

function placeText({ existing, place, placeReason }: ZoneConversion): string {
  return existing.length === 0
    ? 'There are no other custom rules.'
    : `${counted(existing.length, 'custom rule stays', 'custom rules stay')} as before; the converted rules go ${place}: ${placeReason}.`;
}

function ruleEntry(rule: ConvertedRule): EntryBlock {
  const { old } = rule;
  const title = [span('strong', oldRuleName(old))];
  if (rule.kind === 'left') {
    return entry({ word: 'left out', style: 'error' }, title, {
      body: [paragraph(`${old.action} ${old.id}: ${rule.reason}`)],
    });
  }
  const { action, enabled } = rule.content;
  return entry({ word: 'converted', style: 'good' }, title, {
    facts: [
      [
        `${actionText(old)} → ${enabled ? '' : 'disabled '}${action}${parametersText(rule.content.action_parameters)}`,
      ],
    ],
    body: [
      paragraph(span('code', rule.ref)),
      ...rule.notes
        .filter(({ kind }) => kind !== 'not-same')
        .map(({ kind, message }) => paragraph(kind === 'too-long' ? span('error', message) : message)),
    ],
  });
}

function actionText({ action, products }: OldFirewallRule): string {
  return products.length === 0 ? action : `${action} ${products.join(' ')}`;
}

function parametersText(parameters: Readonly<Record<string, unknown>> = {}): string {
  return Object.entries(parameters)
    .map(([name, value]) => ` ${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(',');
}

const NOT_SAME = [
  'A block shows the block page of the WAF, no longer error 1020.',
  'Events come from custom rules and name other rule ids: saved searches and alerts need the new ones.',
  'Each rule has its own expression: a filter that several rules shared is a copy in each.',
  'The order is the place in the list: priorities are gone.',
];

/** The old rules and filters of a zone, and whether they are separate from its custom rules. */
export interface FirewallListReport {
  readonly scope: Scope;
  /** In list order. */
  readonly rules: readonly OldFirewallRule[];
  readonly filters: readonly OldFilter[];
  readonly world: {
    readonly kind: 'empty' | 'one-list' | 'two-lists' | 'unclear';
    readonly reason?: string;
  };
}

const WORLDS: Readonly<Record<FirewallListReport['world']['kind'], string>> = {
  empty: 'There are no firewall rules.',
  'one-list': 'One list: these rules are the custom rules, shown by the old interface.',
  'two-lists': 'Two lists: these rules live beside the custom rules, and run before them.',
  unclear: 'It is not clear whether these rules are the custom rules.',
};

/** Returns every rule with its filter, priority and pause, the filters that nothing uses, and the zone's world. */
export function firewallListSection({ scope, rules, filters, world }: FirewallListReport): SectionBlock {
  const numbers = new Map(rules.map(({ id }, index) => [id, index + 1]));
  const unused = filters.filter(({ id }) => rules.every(({ filter }) => filter.id !== id));
  return section(
    2,
    [span('heading', scopeLabel(scope))],
    [
      ...sentences([
        [WORLDS[world.kind], ...(world.reason === undefined ? [] : [span('dim', ` (${world.reason})`)])],
      ]),
      ...rules.map((rule) => listedRule(rule, rules, numbers)),
      ...(unused.length === 0
        ? []
        : [section(3, [span('strong', 'Filters that no firewall rule uses')], unused.map(unusedFilter))]),
    ],
    { facts: [[`${counted(rules.length, 'firewall rule')}, ${counted(filters.length, 'filter')}`]] },
  );
}

function listedRule(
  rule: OldFirewallRule,
  rules: readonly OldFirewallRule[],
  numbers: ReadonlyMap<string, number>,
): EntryBlock {
  const { filter, action, products, description, paused, id, ref, priority } = rule;
  const sharing = rules.filter((other) => other !== rule && other.filter.id === filter.id);
  const shared = sharing.map((other) => String(numbers.get(other.id) ?? other.id)).join(', ');
  return entry(undefined, [`${numbers.get(id) ?? ''}  `, span('strong', [action, ...products].join(' '))], {
    facts: [...(description === '' ? [] : [[description]]), ...pausedFacts(paused)],
    body: [
      fieldsOf([
        ['rule', [`${id}${ref === '' ? '' : ` (${ref})`}`]],
        ['priority', [priority === null ? 'none' : String(priority)]],
        ...(filter.kind === 'deleted'
          ? [['filter', [filter.id, span('error', '  deleted')]] as const]
          : ([
              [
                'filter',
                [
                  `${filter.id}${filter.ref === '' ? '' : ` (${filter.ref})`}`,
                  ...(filter.paused ? [span('warning', '  paused')] : []),
                  ...(shared === '' ? [] : [span('info', `  shared with ${shared}`)]),
                ],
              ],
              ['matches', [span('code', filter.expression)]],
            ] as const)),
      ]),
    ],
    apart: true,
  });
}

function unusedFilter({ id, ref, expression, description, paused }: OldFilter): EntryBlock {
  return entry(undefined, [`${id}${ref === '' ? '' : ` (${ref})`}`], {
    facts: [...(description === '' ? [] : [[description]]), ...pausedFacts(paused)],
    body: [fieldsOf([['matches', [span('code', expression)]]])],
  });
}

function pausedFacts(paused: boolean): readonly Inline[] {
  return paused ? [[span('warning', 'paused')]] : [];
}

function fieldsOf(rows: readonly (readonly [label: string, spans: Inline])[]): Block {
  return {
    kind: 'fields',
    rows: rows.map(([label, spans]) => ({ label, group: '', value: { kind: 'told', spans } })),
    sides: CHANGE_SIDES,
  };
}
