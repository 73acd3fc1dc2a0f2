import type {
  FirewallConversion,
  ConversionFile,
  ConvertedRule,
  OldFirewallRule,
  ZoneConversion,
} from '../../model/index.ts';
import { assertNever } from '../../data/index.ts';
import { oldRuleName, scopeLabel } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { nextLines } from '../lines/conversion.ts';
import { equivalenceLines } from '../lines/equivalence.ts';
import { hintLines } from '../lines/finding-lines.ts';
import type { Line, Look } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';

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
