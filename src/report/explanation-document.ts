import { assertNever, groupBy, isJsonObject } from '../data/index.ts';
import type {
  Clause,
  HeaderLine,
  NotSimulated,
  Observation,
  OldRules,
  RequestWay,
  RuleVerdict,
  RulesSource,
  VerdictKind,
  WayEnd,
} from '../model/index.ts';
import { EMPTY_LIST, scopeLabel, actionKind } from '../model/index.ts';
import { counted, quoted, shortened, windowText, zonedTime } from '../text/index.ts';
import type { WindowView } from '../text/index.ts';
import { causeSpans, inlineValue } from './print-value.ts';
import type { Block, EntryBlock, EntryMark, Inline, Document, SectionBlock, StyledSpan } from './tree.ts';
import { entry, paragraph, section, span } from './tree.ts';

/** Documents what each rule does with a request and why, how the request ends, and what rules leave behind. With `now`, in milliseconds since 1970, windows say how long is left. */
export function explanationDocument(
  way: RequestWay,
  { now }: { readonly now?: number | undefined } = {},
): Document {
  const time = viewOf(way, now);
  return {
    title: 'Rulewright explain',
    heading: [span('heading', way.method), ' ', span('code', way.url), whenText(way)],
    body: [
      ...verdictBlocks(way.verdicts, { detail: 'whole', time }),
      ...(way.verdicts.length === 0
        ? [entry(undefined, ['This request meets no rule.'], { apart: true })]
        : []),
      endEntry(way, 'whole'),
      ...(way.source === 'live' || way.certain ? [] : [hintParagraph(LIVE_HINT)]),
      ...assumedHints(way).map(hintParagraph),
    ],
  };
}

/** Says when a request is made, if a rule asks for the time. */
export function whenText({ at, timeZone = 'UTC' }: Pick<RequestWay, 'at' | 'timeZone'>): string {
  if (at === undefined) {
    return '';
  }
  return at === 'not said'
    ? ' in 1970, since the test has no `at`'
    : ` at ${zonedTime(at, timeZone)} ${timeZone}`;
}

/** Returns how the windows of the rules are shown; `now` is in milliseconds since 1970. */
export function viewOf({ timeZone = 'UTC' }: Pick<RequestWay, 'timeZone'>, now?: number): WindowView {
  return { timeZone, ...(now === undefined ? {} : { now: Math.floor(now / 1000) }) };
}

/** Whether everything is said about a request, or what a reader of a failed test needs. */
type TraceDetail = 'whole' | 'brief';

const LIVE_HINT = 'rulewright explain --live adds the live rules that these files do not have.';

function hintParagraph(text: string): Block {
  return { kind: 'paragraph', text: [span('dim', `  ${text}`)], hang: 6 };
}

/** The flags of `explain` for fields and lists; all other fields are set with `--field`. */
const FLAGS: readonly (readonly [field: RegExp, flag: string])[] = [
  [/\bip\.src\b(?!\.)/u, '--ip'],
  [/\bcf\.zone\.plan\b/u, '--plan'],
  [
    /\bhttp\.(?:user_agent|referer|x_forwarded_for|cookie|request\.(?:cookies|accepted_languages))\b/u,
    '--header',
  ],
  [/\bhttp\.request\.body\b/u, '--body'],
  [/^\$/u, '--list'],
];

/** Returns the flags that set values which were assumed; nothing when none were. */
function assumedHints({ verdicts }: RequestWay): readonly string[] {
  const names = new Set(verdicts.flatMap(({ clause }) => (clause === null ? [] : assumedIn(clause))));
  verdicts.flatMap(listsIn).forEach((list) => names.add(list));
  const byFlag = groupBy(names, (name) => FLAGS.find(([field]) => field.test(name))?.[1] ?? '--field');
  const ways = [...byFlag].map(([flag, fields]) => `${fields.join(', ')} with ${flag}`);
  return names.size === 0 ? [] : [`Values that were assumed can be given: ${ways.join('; ')}.`];
}

/** Returns the lists that were assumed to be empty. */
function listsIn({ assumes }: RequestWay['verdicts'][number]): readonly string[] {
  return assumes.flatMap((text) => (text.startsWith(EMPTY_LIST) ? [text.slice(EMPTY_LIST.length)] : []));
}

function assumedIn({ clauses, observed }: Clause): readonly string[] {
  return [...observed.flatMap(({ name, assumed }) => (assumed ? [name] : [])), ...clauses.flatMap(assumedIn)];
}

/**
 * Parts that are not simulated and that a brief report does not mention: what the files leave out as a whole, and assumptions, which are
 * shown with their rule.
 */
const WHOLESALE: ReadonlySet<NotSimulated['kind']> = new Set(['phases', 'account', 'settings', 'assumption']);

/** Returns how a request ends, and what rules leave behind. */
export function endEntry(way: RequestWay, detail: TraceDetail): EntryBlock {
  const { end, errorPage, response } = way;
  const style = end === null ? (way.certain ? 'good' : 'warning') : 'removed';
  return entry({ sign: '→', style }, [span('strong', verdictText(way))], {
    parts: true,
    body: [
      ...(way.urlAtOrigin === way.url ? [] : [labelled('url', [way.urlAtOrigin])]),
      ...headerBlocks(way.changedHeaders),
      ...settingBlocks(way),
      ...(errorPage === null ? [] : [labelled('error page', [`by ${errorPage.rule}`])]),
      ...(response === null
        ? []
        : [
            entry(undefined, [span('label', 'answer  '), String(response.status)], {
              parts: true,
              body: headerBlocks(response.headers),
            }),
          ]),
      ...(way.skippedProducts.length === 0
        ? []
        : [labelled('skipped products', [way.skippedProducts.join(', ')])]),
      ...way.notSimulated
        .filter(({ kind }) => detail === 'whole' || !WHOLESALE.has(kind))
        .map((one) =>
          labelled(LABEL[one.kind] ?? 'not simulated', [`: ${notSimulatedText(one, way)}`], 'warning'),
        ),
    ],
  });
}

function labelled(label: string, value: Inline, style: 'label' | 'warning' = 'label'): Block {
  const text = [span(style, style === 'label' ? `${label}  ` : label), ...value];
  return { kind: 'paragraph', text, hang: 4 };
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
    case 'settings':
      return `settings of ${scopeLabel(one.scope)} that may stop or redirect requests: ${one.settings
        .map(({ setting, value }) => `${setting} ${inlineValue(value)}`)
        .join(', ')}`;
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

function headerBlocks(headers: readonly HeaderLine[]): readonly Block[] {
  return headers.map(({ name, values }) => ({
    kind: 'paragraph',
    text: [span('label', `${name}: `), values.length === 0 ? 'removed' : values.join(', ')],
    hang: 4,
  }));
}

/** Says how a request ended. */
function howItEnded(action: string): string {
  switch (actionKind(action)) {
    case 'block':
      return 'Blocked';
    case 'challenge':
      return `Challenged (${action})`;
    case 'redirect':
      return 'Redirected';
    default:
      return `Ended with ${action}`;
  }
}

function endText({ rule, action, phase, status, location }: WayEnd): string {
  const where = location === null ? '' : ` to ${location}`;
  const code = status === null ? '' : ` (${status})`;
  return `${howItEnded(action)}${where} by ${quoted(rule)} in ${phase}${code}`;
}

function settingBlocks({ settings }: RequestWay): readonly Block[] {
  return settings.map(({ name, value, rule }) =>
    labelled(name, [
      isJsonObject(value) || typeof value !== 'string' ? inlineValue(value) : value,
      span('dim', `  by ${rule}`),
    ]),
  );
}

/** The maximum number of parts shown of one condition. */
const MOST_PARTS = 6;

/** The number of characters shown of a value. */
const MOST_VALUE = 60;

/** The words before the parts of a joined condition. */
const JOINED = { and: 'all of', or: 'one of', xor: 'an odd number of' } as const;

/**
 * Returns why a condition holds or not: its clauses as a tree, each with a mark and the values that it compares. Of many parts only the
 * deciding ones are shown, with a count of the others.
 */
export function clauseEntry(clause: Clause, time: WindowView): EntryBlock {
  const { kind, clauses } = clause;
  const [negated] = clauses;
  if (kind === 'test' || (kind === 'not' && negated?.kind === 'test')) {
    return entry(markOf(clause), [
      span('code', asTime(clause.text, time)),
      ...(isTime(clause.text) ? [] : observed(clause.text, negated ?? clause)),
    ]);
  }
  if (kind === 'not') {
    return entry(markOf(clause), [span('dim', 'not')], {
      parts: true,
      body: clauses.slice(0, 1).map((part) => clauseEntry(part, time)),
    });
  }
  const told = decisive(clause);
  const others = clauses.filter((part) => !told.includes(part));
  return entry(markOf(clause), [span('dim', JOINED[kind])], {
    parts: true,
    body: [
      ...told.map((part) => clauseEntry(part, time)),
      ...(others.length === 0 ? [] : [paragraph(span('dim', restText(others)))]),
    ],
  });
}

const TIME = /^http\.request\.timestamp\.sec (?<is>ge|lt) (?<second>\d{1,11})$/u;

function isTime(text: string): boolean {
  return TIME.test(text);
}

/** Returns a comparison of a window as the instant that it means. */
function asTime(text: string, time: WindowView): string {
  const { is, second } = TIME.exec(text)?.groups ?? {};
  return second === undefined
    ? text
    : windowText(is === 'ge' ? { from: Number(second) } : { until: Number(second) }, time);
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

function markOf({ holds }: Clause): EntryMark {
  return holds === null
    ? { sign: '?', style: 'warning' }
    : holds
      ? { sign: '✓', style: 'good' }
      : { sign: '✗', style: 'error' };
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

const SIGNS: Readonly<Record<VerdictKind, EntryMark>> = {
  matched: { sign: '✓', style: 'good' },
  counted: { sign: '+', style: 'warning' },
  missed: { sign: '✗', style: 'dim' },
  skipped: { sign: '»', style: 'moved' },
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

/** Returns what each rule does, by phase and scope, in the order in which the rules run. */
export function verdictBlocks(
  verdicts: readonly RuleVerdict[],
  { detail, time }: { readonly detail: TraceDetail; readonly time: WindowView },
): readonly Block[] {
  const isTold = ({ verdict, clause }: RuleVerdict): boolean =>
    verdict !== 'unreached' && (detail === 'whole' || clause !== null || !PLAIN.has(verdict));
  const groups = groupsOf(verdicts).filter((group) => group.some(isTold));
  const elsewhere = verdicts.filter((said) => !groups.some((group) => group.includes(said)));
  const rest = unlistedText(elsewhere, 'in other phases: ');
  return [
    ...groups.flatMap((group, index) =>
      verdictSection(group, {
        isTold,
        time,
        isClose: detail === 'brief' || (rest !== null && index === groups.length - 1),
      }),
    ),
    ...(rest === null
      ? []
      : [entry(undefined, [span('dim', rest)], detail === 'whole' ? { apart: true } : {})]),
  ];
}

interface VerdictContext {
  readonly time: WindowView;
  readonly isTold: (said: RuleVerdict) => boolean;
  /** Whether what follows belongs to it. */
  readonly isClose: boolean;
}

function verdictSection(
  group: readonly RuleVerdict[],
  { isTold, isClose, time }: VerdictContext,
): readonly SectionBlock[] {
  const [first] = group;
  const rest = unlistedText(
    group.filter((said) => !isTold(said)),
    '',
  );
  return first === undefined
    ? []
    : [
        section(
          2,
          [span('name', first.phase), span('dim', ` · ${scopeLabel(first.scope)}`)],
          [
            ...withExecuted(group.filter(isTold), time),
            ...(rest === null ? [] : [paragraph(span('dim', rest))]),
          ],
          isClose ? { close: true } : {},
        ),
      ];
}

/** Returns rules as entries; those of a ruleset that a rule executes are in it. */
function withExecuted(verdicts: readonly RuleVerdict[], time: WindowView): readonly EntryBlock[] {
  const entries: EntryBlock[] = [];
  for (const said of verdicts) {
    const last = entries.at(-1);
    const one = verdictEntry(said, time);
    if (said.ruleset === null || last === undefined) {
      entries.push(one);
    } else {
      entries[entries.length - 1] = { ...last, body: [...(last.body ?? []), one] };
    }
  }
  return entries;
}

/** Groups verdicts by phase and scope. */
function groupsOf(verdicts: readonly RuleVerdict[]): readonly (readonly RuleVerdict[])[] {
  return [...groupBy(verdicts, ({ phase, scope }) => `${phase} ${scopeLabel(scope)}`).values()];
}

/** Returns the number of rules that are not listed, and why; null if there are none. */
function unlistedText(rest: readonly RuleVerdict[], where: string): string | null {
  const counts = (['missed', 'unreached', 'disabled'] as const).flatMap((kind) => {
    const own = rest.filter(({ verdict }) => verdict === kind);
    const why = kind === 'unreached' && own[0] !== undefined ? `: ${own[0].why}` : '';
    return own.length === 0 ? [] : [`${counted(own.length, 'rule')} ${COUNTED[kind]}${why}`];
  });
  return counts.length === 0 ? null : `… ${where}${counts.join(', ')}`;
}

const COUNTED = { missed: 'without a match', unreached: 'not reached', disabled: 'disabled' } as const;

function verdictEntry(said: RuleVerdict, time: WindowView): EntryBlock {
  const name = span(said.verdict === 'matched' ? 'name' : 'label', said.rule);
  return entry(SIGNS[said.verdict], [name, `  ${words(said)}`], {
    facts: said.cause === null ? [] : [causeSpans(said.cause)],
    body: [
      ...said.assumes.map((text) => paragraph(span('warning', 'assumed'), `: ${text}`)),
      ...(said.clause === null ? [] : [clauseEntry(said.clause, time)]),
    ],
  });
}

function words({ action, verdict, ends, why }: RuleVerdict): string {
  const does = `${action}${ends ? ', ends here' : ''}`;
  const rest = [WORDS[verdict], why].filter((text) => text !== '').join(': ');
  return rest === '' ? does : `${does} · ${rest}`;
}
