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
import { nextLines, equivalenceLines } from '../conversion-report.ts';
import { hintLines, BLANK, layOut, line, span, hanging } from '../../report/index.ts';
import type { Line, Look } from '../../report/index.ts';
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

/** Formats the result for each rule, what is not the same, whether both worlds agree, and how to continue. */
export function firewallConversionText(report: WrittenConversion, look: Look): string {
  const { scope, result, equivalence } = report;
  const head = line(0, span('heading', scopeLabel(scope)));
  switch (result.kind) {
    case 'nothing':
      return layOut([head, line(0, 'There are no firewall rules. Nothing to convert.')], look);
    case 'refused':
      return layOut([head, line(0, span('error', result.message)), ...hintLines(2, result.hint)], look);
    case 'one-list':
      return layOut(
        [
          head,
          line(0, `One list: ${result.reason}.`),
          line(
            0,
            'The service has converted them itself; the file takes the custom rules as they are, with their ids.',
          ),
          line(0, 'Do not delete the old rules: that would delete the custom rules.'),
          ...foreignLines(report),
          ...nextLines(report, NEXT_LIVE),
        ],
        look,
      );
    case 'converted':
      return layOut(
        [
          head,
          line(0, `Two lists: ${result.world}.`),
          line(0, `Order: ${result.order}, since ${result.orderReason}.`),
          line(0, placeText(result)),
          BLANK,
          ...result.rules.flatMap(ruleLines),
          BLANK,
          ...notSame,
          ...result.warnings.map((warning) => line(2, span('warning', '! '), warning)),
          BLANK,
          ...(equivalence === null ? [] : equivalenceLines(equivalence)),
          ...foreignLines(report),
          ...nextLines(report, NEXT),
        ],
        look,
      );
    default:
      return assertNever(result);
  }
}

function foreignLines({ foreign, yaml }: FirewallConversion): readonly Line[] {
  return foreign === 0
    ? []
    : [
        line(
          0,
          `The project owns rules by pattern: ${counted(foreign, 'live rule is not its own, and stays', 'live rules are not its own, and stay')} out of the file.`,
        ),
        ...(yaml === null
          ? [line(0, span('info', 'widen ownership.rules, or give the rules refs that it matches'))]
          : []),
      ];
}

function placeText({ existing, place, placeReason }: ZoneConversion): string {
  return existing.length === 0
    ? 'There are no other custom rules.'
    : `${counted(existing.length, 'custom rule stays', 'custom rules stay')} as before; the converted rules go ${place}: ${placeReason}.`;
}

function ruleLines(rule: ConvertedRule): readonly Line[] {
  const { old } = rule;
  if (rule.kind === 'left') {
    return [
      line(2, span('error', 'left out  '), oldRuleName(old)),
      line(6, `${old.action} ${old.id}: ${rule.reason}`),
    ];
  }
  const { action, enabled } = rule.content;
  return [
    line(
      2,
      span('good', 'converted '),
      span('strong', oldRuleName(old)),
      `  ${actionText(old)} → ${enabled ? '' : 'disabled '}${action}${parametersText(rule.content.action_parameters)}`,
    ),
    line(6, span('dim', rule.ref)),
    ...rule.notes
      .filter(({ kind }) => kind !== 'not-same')
      .map(({ kind, message }) => line(6, kind === 'too-long' ? span('error', message) : message)),
  ];
}

function actionText({ action, products }: OldFirewallRule): string {
  return products.length === 0 ? action : `${action} ${products.join(' ')}`;
}

function parametersText(parameters: Readonly<Record<string, unknown>> = {}): string {
  return Object.entries(parameters)
    .map(([name, value]) => ` ${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(',');
}

const notSame: readonly Line[] = [
  line(0, span('strong', 'Not the same')),
  line(2, 'A block shows the block page of the WAF, no longer error 1020.'),
  line(
    2,
    'Events come from custom rules and name other rule ids: saved searches and alerts need the new ones.',
  ),
  line(2, 'Each rule has its own expression: a filter that several rules shared is a copy in each.'),
  line(2, 'The order is the place in the list: priorities are gone.'),
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

/** Formats every rule with its filter, priority and pause, the filters that nothing uses, and the zone's world. */
export function firewallListText(report: FirewallListReport, look: Look): string {
  const { scope, rules, filters, world } = report;
  const numbers = new Map(rules.map(({ id }, index) => [id, index + 1]));
  const unused = filters.filter(({ id }) => rules.every(({ filter }) => filter.id !== id));
  return layOut(
    [
      line(
        0,
        span('heading', scopeLabel(scope)),
        ` · ${counted(rules.length, 'firewall rule')}, ${counted(filters.length, 'filter')}`,
      ),
      line(0, WORLDS[world.kind], ...(world.reason === undefined ? [] : [span('dim', ` (${world.reason})`)])),
      BLANK,
      ...rules.flatMap((rule, index) => [...listedRuleLines(rule, { index, rules, numbers }), BLANK]),
      ...(unused.length === 0
        ? []
        : [
            line(0, span('strong', 'Filters that no firewall rule uses')),
            ...unused.flatMap((filter) => filterLines(filter)),
          ]),
    ],
    look,
  );
}

function listedRuleLines(
  rule: OldFirewallRule,
  {
    index,
    rules,
    numbers,
  }: {
    readonly index: number;
    readonly rules: readonly OldFirewallRule[];
    readonly numbers: ReadonlyMap<string, number>;
  },
): readonly Line[] {
  const { filter } = rule;
  const sharing = rules.filter((other) => other !== rule && other.filter.id === filter.id);
  const shared = sharing.map(({ id }) => String(numbers.get(id) ?? id)).join(', ');
  return [
    line(
      0,
      `${String(index + 1).padStart(3)}  `,
      span(
        'strong',
        [rule.action, ...(rule.products.length === 0 ? [] : [rule.products.join(' ')])].join(' '),
      ),
      rule.description === '' ? '' : `  ${rule.description}`,
      ...(rule.paused ? [span('warning', '  paused')] : []),
    ),
    labelled('rule', `${rule.id}${rule.ref === '' ? '' : ` (${rule.ref})`}`),
    labelled('priority', rule.priority === null ? 'none' : String(rule.priority)),
    ...(filter.kind === 'deleted'
      ? [line(5, span('label', 'filter    '), filter.id, span('error', '  deleted'))]
      : [
          line(
            5,
            span('label', 'filter    '),
            `${filter.id}${filter.ref === '' ? '' : ` (${filter.ref})`}`,
            ...(filter.paused ? [span('warning', '  paused')] : []),
            ...(shared === '' ? [] : [span('info', `  shared with ${shared}`)]),
          ),
          labelled('matches', filter.expression),
        ]),
  ];
}

function filterLines({ id, ref, expression, description, paused }: OldFilter): readonly Line[] {
  return [
    line(
      5,
      `${id}${ref === '' ? '' : ` (${ref})`}`,
      description === '' ? '' : `  ${description}`,
      ...(paused ? [span('warning', '  paused')] : []),
    ),
    labelled('matches', expression),
  ];
}

function labelled(label: string, text: string): Line {
  return hanging(5, 10, span('label', label.padEnd(10)), text);
}
