import { isJsonObject, assertNever, groupBy } from '../../data/index.ts';
import { scopeLabel, causeText } from '../../model/index.ts';
import { quoted, counted, shortened, windowText } from '../../text/index.ts';
import type {
  HeaderLine,
  NotSimulated,
  OldRules,
  RequestWay,
  RulesSource,
  WayEnd,
  RuleVerdict,
  VerdictKind,
  Clause,
  Observation,
} from '../../model/index.ts';
import type { Line, StyledSpan, Style } from '../layout.ts';
import { hanging, line, span, BLANK } from '../layout.ts';
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

/** The maximum number of parts shown of one condition. */
const MOST_PARTS = 6;

/** The number of characters shown of a value. */
const MOST_VALUE = 60;

/** The words before the parts of a joined condition. */
const JOINED = { and: 'all of', or: 'one of', xor: 'an odd number of' } as const;

/**
 * Returns lines that explain why a condition holds or not: its clauses as a tree, each with a mark and the values that it compares. Of many
 * parts only the deciding ones are shown, with a count of the others.
 */
export function clauseLines(clause: Clause, indent: number): readonly Line[] {
  const { kind, clauses } = clause;
  const [negated] = clauses;
  if (kind === 'test' || (kind === 'not' && negated?.kind === 'test')) {
    return [
      hanging(
        indent,
        4,
        mark(clause),
        asTime(clause.text),
        ...(isTime(clause.text) ? [] : observed(clause.text, negated ?? clause)),
      ),
    ];
  }
  if (kind === 'not') {
    return [
      line(indent, mark(clause), span('dim', 'not')),
      ...(negated === undefined ? [] : clauseLines(negated, indent + 2)),
    ];
  }
  const told = decisive(clause);
  const others = clauses.filter((part) => !told.includes(part));
  return [
    line(indent, mark(clause), span('dim', JOINED[kind])),
    ...told.flatMap((part) => clauseLines(part, indent + 2)),
    ...(others.length === 0 ? [] : [line(indent + 2, span('dim', restText(others)))]),
  ];
}

const TIME = /^http\.request\.timestamp\.sec (?<is>ge|lt) (?<second>\d{1,11})$/u;

function isTime(text: string): boolean {
  return TIME.test(text);
}

/** Returns a comparison of a window as the instant that it means. */
function asTime(text: string): string {
  const { is, second } = TIME.exec(text)?.groups ?? {};
  return second === undefined
    ? text
    : windowText(is === 'ge' ? { from: Number(second) } : { until: Number(second) }, 'UTC');
}

/** Returns the parts that make a condition what it is; the first few where all do, or none alone. */
function decisive({ kind, clauses, holds }: Clause): readonly Clause[] {
  if (clauses.length <= MOST_PARTS) {
    return clauses;
  }
  const deciding = kind === 'xor' ? [] : clauses.filter((part) => part.holds === holds);
  return (deciding.length > 0 ? deciding : clauses).slice(0, MOST_PARTS);
}

function restText(rest: readonly Clause[]): string {
  const others = counted(rest.length, 'other');
  const hold = rest.filter(({ holds }) => holds === true).length;
  if (rest.every(({ holds }) => holds === false)) {
    return `… ${others} false`;
  }
  return hold === rest.length ? `… ${others} true` : `… ${others}, ${hold} true`;
}

function mark({ holds }: Clause): StyledSpan {
  if (holds === null) {
    return span('warning', '? ');
  }
  return holds ? span('good', '✓ ') : span('error', '✗ ');
}

/**
 * Returns the values that a clause compares: `(is "/login")` when the text begins with the name of the only value, else `(name is
 * "/login")`, as after a `not`.
 */
function observed(text: string, { observed: seen }: Clause): readonly StyledSpan[] {
  if (seen.length === 0) {
    return [];
  }
  const told = seen.map((one) => {
    const begins = text === one.name || text.startsWith(`${one.name} `);
    const named = seen.length === 1 && begins ? '' : `${one.name} `;
    return `${named}${valueText(one)}`;
  });
  return [span('dim', `  (${told.join(', ')})`)];
}

function valueText({ value, assumed }: Observation): string {
  if (value === null) {
    return 'is missing';
  }
  return `is ${shortened(JSON.stringify(value), MOST_VALUE)}${assumed ? ', assumed' : ''}`;
}

/** How to show the verdicts about a request. */
export interface VerdictLook {
  readonly indent: number;
  /** Whether rules that did not match, are disabled or were not reached are only counted. */
  readonly brief: boolean;
}

const SIGNS: Readonly<Record<VerdictKind, { readonly sign: string; readonly style: Style }>> = {
  matched: { sign: '✓', style: 'good' },
  counted: { sign: '+', style: 'warning' },
  missed: { sign: '✗', style: 'dim' },
  skipped: { sign: '»', style: 'move' },
  disabled: { sign: '-', style: 'dim' },
  unreached: { sign: '-', style: 'dim' },
  opaque: { sign: '?', style: 'warning' },
  undecided: { sign: '!', style: 'error' },
};

const WORDS: Readonly<Record<VerdictKind, string>> = {
  matched: '',
  counted: 'counts',
  missed: 'does not match',
  skipped: 'skipped',
  disabled: 'disabled',
  unreached: 'not reached',
  opaque: 'not simulated',
  undecided: 'cannot be evaluated',
};

/** Verdicts that are only counted in a brief report; rules that were not reached are counted in every report. */
const PLAIN: ReadonlySet<VerdictKind> = new Set(['missed', 'unreached', 'disabled']);

/** Returns lines about what each rule does, by phase and scope, in the order in which the rules run. */
export function verdictLines(verdicts: readonly RuleVerdict[], look: VerdictLook): readonly Line[] {
  const { indent, brief } = look;
  const isTold = ({ verdict, clause }: RuleVerdict): boolean =>
    verdict !== 'unreached' && (!brief || clause !== null || !PLAIN.has(verdict));
  const groups = groupsOf(verdicts).filter((group) => group.some(isTold));
  const elsewhere = verdicts.filter((said) => !groups.some((group) => group.includes(said)));
  return [
    ...groups.flatMap((group, index) => [
      ...(index === 0 || brief ? [] : [BLANK]),
      ...titleLines(group, indent),
      ...group.filter(isTold).flatMap((said) => oneVerdict(said, indent + 2)),
      ...restLines(
        group.filter((said) => !isTold(said)),
        indent + 2,
        '',
      ),
    ]),
    ...restLines(elsewhere, indent, 'in other phases: '),
  ];
}

function titleLines([first]: readonly RuleVerdict[], indent: number): readonly Line[] {
  return first === undefined
    ? []
    : [line(indent, span('strong', first.phase), span('dim', ` · ${scopeLabel(first.scope)}`))];
}

/** Groups verdicts by phase and scope. */
function groupsOf(verdicts: readonly RuleVerdict[]): readonly (readonly RuleVerdict[])[] {
  return [...groupBy(verdicts, ({ phase, scope }) => `${phase} ${scopeLabel(scope)}`).values()];
}

/** Returns a line with the number of rules that are not listed, and why. */
function restLines(rest: readonly RuleVerdict[], indent: number, where: string): readonly Line[] {
  const counts = (['missed', 'unreached', 'disabled'] as const).flatMap((kind) => {
    const own = rest.filter(({ verdict }) => verdict === kind);
    const why = kind === 'unreached' && own[0] !== undefined ? `: ${own[0].why}` : '';
    return own.length === 0 ? [] : [`${counted(own.length, 'rule')} ${COUNTED[kind]}${why}`];
  });
  return counts.length === 0 ? [] : [line(indent, span('dim', `… ${where}${counts.join(', ')}`))];
}

const COUNTED = { missed: 'without a match', unreached: 'not reached', disabled: 'disabled' } as const;

function oneVerdict(said: RuleVerdict, indent: number): readonly Line[] {
  const { sign, style } = SIGNS[said.verdict];
  const own = said.ruleset === null ? indent : indent + 2;
  const cause = said.cause === null ? '' : `  ${causeText(said.cause)}`;
  return [
    hanging(
      own,
      4,
      span(style, `${sign} `),
      span(said.verdict === 'matched' ? 'strong' : 'label', said.rule),
      `  ${words(said)}`,
      span('dim', cause),
    ),
    ...said.assumes.map((text) => line(own + 4, span('warning', 'assumed'), `: ${text}`)),
    ...(said.clause === null ? [] : clauseLines(said.clause, own + 4)),
  ];
}

function words({ action, verdict, ends, why }: RuleVerdict): string {
  const does = `${action}${ends ? ', ends here' : ''}`;
  const rest = [WORDS[verdict], why].filter((text) => text !== '').join(': ');
  return rest === '' ? does : `${does} · ${rest}`;
}
