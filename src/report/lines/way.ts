import { isJsonObject } from '../../model/json.ts';
import { assertNever } from '../../model/assert-never.ts';
import { scopeLabel } from '../../model/scope.ts';
import { quoted } from '../../model/quoted.ts';
import type {
  HeaderLine,
  NotSimulated,
  OldRules,
  RequestWay,
  RulesSource,
  WayEnd,
} from '../../model/simulation.ts';
import type { Line } from '../layout.ts';
import { hanging, line, span } from '../layout.ts';
import { inlineValue } from '../value.ts';

/**
 * Parts that are not simulated and that a brief report does not mention: what the files leave out as a whole, and assumptions, which are
 * shown with their rule.
 */
const WHOLESALE: ReadonlySet<NotSimulated['kind']> = new Set(['phases', 'account', 'assumption']);

/** Returns the last lines of an explanation: how a request ends, and what rules leave behind. */
export function endLines(
  way: RequestWay,
  indent: number,
  { brief }: { readonly brief: boolean },
): readonly Line[] {
  const { end, errorPage, response } = way;
  const style = end === null ? (way.certain ? 'good' : 'warning') : 'delete';
  return [
    line(indent, span(style, '→ '), span('strong', verdictText(way))),
    ...(way.urlAtOrigin === way.url ? [] : [line(indent + 2, span('label', 'url  '), way.urlAtOrigin)]),
    ...headerLines(way.changedHeaders, indent + 2),
    ...settingLines(way, indent + 2),
    ...(errorPage === null ? [] : [line(indent + 2, span('label', 'error page  '), `by ${errorPage.rule}`)]),
    ...(response === null ? [] : [line(indent + 2, span('label', 'answer  '), String(response.status))]),
    ...(response === null ? [] : headerLines(response.headers, indent + 4)),
    ...(way.skippedProducts.length === 0
      ? []
      : [line(indent + 2, span('label', 'skipped products  '), way.skippedProducts.join(', '))]),
    ...way.notSimulated
      .filter(({ kind }) => !brief || !WHOLESALE.has(kind))
      .map((one) =>
        hanging(
          indent + 2,
          4,
          span('warning', LABEL[one.kind] ?? 'not simulated'),
          `: ${notSimulatedText(one, way)}`,
        ),
      ),
  ];
}

/** Describes the end of a request in a sentence that claims no more than is certain. */
function verdictText({ end, certain, source }: RequestWay): string {
  if (end === null) {
    return `${certain && source === 'live' ? 'No rule of the zone or its account' : NO_END[source]} ends the request.`;
  }
  return `${endText(end)}${certain ? '' : `, ${AS_FAR_AS[source]}`}.`;
}

const NO_END: Readonly<Record<RulesSource, string>> = {
  files: 'No rule of these files',
  live: 'No rule that can be simulated',
};

const AS_FAR_AS: Readonly<Record<RulesSource, string>> = {
  files: 'as far as these files go',
  live: 'as far as rules can be simulated',
};

const LABEL: Readonly<Partial<Record<NotSimulated['kind'], string>>> = { assumption: 'assumed' };

const OLD: Readonly<Record<OldRules['old'], { readonly name: string; readonly command: string }>> = {
  'firewall-rules': { name: 'old firewall rules', command: 'firewall list' },
  'rate-limits': { name: 'old rate limits', command: 'ratelimits list' },
  waf: { name: 'managed rules of the old WAF', command: 'waf config' },
};

/** Describes a part that is not simulated. */
function notSimulatedText(one: NotSimulated, { source }: RequestWay): string {
  switch (one.kind) {
    case 'rules-of-others':
      return `rules of others in ${one.ruleset ?? one.phase} (${scopeLabel(one.scope)}), which only live has`;
    case 'phases':
      return `phases that the files of ${scopeLabel(one.scope)} do not declare: ${one.phases.join(', ')}`;
    case 'account':
      return `rules of the account above the zone${source === 'live' ? ', which the token cannot read' : ''}`;
    case 'old-rules':
      return `${OLD[one.old].name} of the zone, ${one.state === 'unread' ? 'which could not be read' : `in force: rulewright ${OLD[one.old].command} shows them`}`;
    case 'assumption':
      return one.assumed;
    case 'rule':
      return `what ${quoted(one.rule)} in ${one.phase} does`;
    default:
      return assertNever(one);
  }
}

function headerLines(headers: readonly HeaderLine[], indent: number): readonly Line[] {
  return headers.map(({ name, values }) =>
    hanging(indent, 4, span('label', `${name}: `), values.length === 0 ? 'removed' : values.join(', ')),
  );
}

const ENDS: ReadonlyMap<string, string> = new Map([
  ['block', 'Blocked'],
  ['challenge', 'Challenged (challenge)'],
  ['js_challenge', 'Challenged (js_challenge)'],
  ['managed_challenge', 'Challenged (managed_challenge)'],
  ['redirect', 'Redirected'],
]);

function endText({ rule, action, phase, status, location }: WayEnd): string {
  const how = ENDS.get(action) ?? `Ended with ${action}`;
  const where = location === null ? '' : ` to ${location}`;
  const code = status === null ? '' : ` (${status})`;
  return `${how}${where} by ${quoted(rule)} in ${phase}${code}`;
}

function settingLines({ settings }: RequestWay, indent: number): readonly Line[] {
  return settings.map(({ name, value, rule }) =>
    hanging(
      indent,
      4,
      span('label', `${name}  `),
      isJsonObject(value) || typeof value !== 'string' ? inlineValue(value) : value,
      span('dim', `  by ${rule}`),
    ),
  );
}
