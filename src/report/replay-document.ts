import { shortName, scopeLabel, settingsNotReplayed, zoneName } from '../model/index.ts';
import type {
  Plan,
  OutcomeCounts,
  ReplayAgreement,
  ReplayDocument,
  ReplayExample,
  ReplayGroup,
  ReplayGroups,
  ReplayOutcome,
  ReplayRule,
  RuleChange,
  RuleChangeKind,
  ValueShare,
} from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { MARKS } from './telling.ts';
import { momentText } from './value.ts';
import type { Block, Document, EntryBlock, Inline, SectionBlock, Style } from './tree.ts';
import { entry, paragraph, section, sentences, span } from './tree.ts';

/** What people call each outcome, and how it looks. */
const OUTCOMES: Readonly<Record<ReplayOutcome, { readonly words: string; readonly style: Style }>> = {
  newly_blocked: { words: 'newly blocked', style: 'removed' },
  newly_challenged: { words: 'newly challenged', style: 'changed' },
  newly_passed: { words: 'newly let through', style: 'warning' },
  otherwise_changed: { words: 'changed otherwise', style: 'moved' },
  unknown: { words: 'not known', style: 'info' },
  unchanged: { words: 'unchanged', style: 'dim' },
};

const ORDER = ['newly_blocked', 'newly_challenged', 'newly_passed', 'otherwise_changed', 'unknown'] as const;

/** Documents what a plan would have done to recorded requests: whose they were, how far that can be trusted, and what each rule did. */
export function replayDocument(replay: ReplayDocument): Document {
  const { records, outcomes } = replay;
  return {
    title: 'Rulewright replay',
    heading: [aboutText(replay)],
    summary: [[span(records === 0 ? 'warning' : 'strong', `${outcomesText(replay)}.`)]],
    body: [
      ...requestBlocks(replay),
      ...ruleParts(replay).map(({ title, body }) => section(2, [span('strong', title)], body)),
    ],
    page: {
      counts: [...ORDER, 'unchanged' as const].map((outcome) => ({
        count: outcomes[outcome],
        what: OUTCOMES[outcome].words,
        style: OUTCOMES[outcome].style,
      })),
      map: null,
      filter: null,
      footer: [
        `${many(records, 'recorded request')} went through the rules as they are live and as the plan leaves them. Plan digest: `,
        span('code', replay.plan.slice(0, 16)),
      ],
    },
  };
}

/** What stands beside a plan of the requests that were sent through it. */
interface BlastRadius {
  /** One sentence. */
  readonly summary: Inline;
  readonly section: SectionBlock;
}

/** Returns what stands beside a plan of the requests that were sent through it. */
export function blastRadius(replay: ReplayDocument, { scopes }: Pick<Plan, 'scopes'>): BlastRadius {
  const settings = settingsNotReplayed(scopes);
  const parts: readonly ReplaySection[] = [
    {
      title: 'What these requests are',
      body: [paragraph(aboutText(replay)), ...requestBlocks(replay)],
    },
    ...ruleParts(replay),
    ...(settings.length === 0
      ? []
      : [
          {
            title: 'What recorded requests do not show',
            body: [
              paragraph(
                `${many(settings.length, 'setting')} may block, challenge or turn away requests: ${someNames(settings, MOST_NAMES)}`,
              ),
            ],
          },
        ]),
  ];
  const unshown =
    settings.length === 0 ? '' : `; what ${many(settings.length, 'setting')} may stop is not among these`;
  return {
    summary: [
      span(
        replay.records === 0 ? 'warning' : 'strong',
        `Blast radius: ${firstLower(outcomesText(replay))}${unshown}`,
      ),
    ],
    section: section(
      2,
      [span('strong', 'Blast radius')],
      parts.map(({ title, body }) => section(3, [title], body, { folded: true })),
    ),
  };
}

/** How many names of zones and columns stand in a line. */
const MOST_NAMES = 5;

function firstLower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns which requests these are. */
function aboutText({ records, zones, period }: ReplayDocument): string {
  const met = zones.flatMap((zone) => (zone.records > 0 ? [zone.name] : []));
  const to = met.length === 0 ? '' : ` to ${someNames(met, MOST_NAMES)}`;
  return `${records === 0 ? 'No requests' : many(records, 'request')}${to}${period === null ? '' : ` from ${momentText(period.from)} to ${momentText(period.to)}`}`;
}

/** Returns the counts of the outcomes; that nothing is newly let through is always said, as far as it is known. Without requests there is nothing to say. */
function outcomesText({ records, outcomes }: ReplayDocument): string {
  if (records === 0) {
    return 'No recorded request went through these rules, so nothing is known of what the plan would do';
  }
  const told = ORDER.flatMap((outcome) => {
    const { words } = OUTCOMES[outcome];
    const count = outcomes[outcome];
    return count > 0
      ? [`${grouped(count)} ${words} (${share(count, records)})`]
      : outcome === 'newly_passed'
        ? [outcomes.unknown === 0 ? `none ${words}` : `none certainly ${words}`]
        : [];
  });
  const same = outcomes.unchanged;
  return `Of ${many(records, 'recorded request')}, ${
    same === records
      ? 'all unchanged'
      : [...told, ...(same === 0 ? [] : [`${grouped(same)} unchanged`])].join(', ')
  }`;
}

/** Returns what was left out, whose requests have each outcome, and how far this can be trusted. */
function requestBlocks(replay: ReplayDocument): readonly Block[] {
  return [
    ...leftOutEntries(replay),
    ...outcomeEntries(replay),
    ...(replay.records === 0 ? [] : agreementBlocks(replay.agreement)),
  ];
}

function leftOutEntries(replay: ReplayDocument): readonly EntryBlock[] {
  const { zones, unreadable, unreadable_lines: lines, unknown_columns: columns } = replay;
  const { other_zones: others, without_host: hostless } = replay;
  const [first] = lines;
  const unmet = zones.filter((zone) => zone.records === 0).map(({ name }) => name);
  const texts: readonly Inline[] = [
    ...(replay.log.bytes > 0
      ? []
      : [[span('warning', replay.log.files === 1 ? 'The log is empty' : 'The logs are empty')]]),
    ...(unmet.length === 0 || replay.records === 0
      ? []
      : [[span('warning', `No request to ${someNames(unmet, MOST_NAMES)}`)]]),
    ...(others === 0 ? [] : [[`${many(others, 'more request')} to other zones: left out`]]),
    ...(hostless === 0
      ? []
      : [
          [
            span('warning', `${many(hostless, 'request')} without a host: left out`),
            ', since they may be of any zone; --target zone:NAME says of which',
          ],
        ]),
    ...(first === undefined
      ? []
      : [
          [
            span('warning', `${many(unreadable, 'line')} could not be read`),
            `, such as line ${first.line} of ${first.file}: ${first.reason}`,
          ],
        ]),
    ...(columns.length === 0
      ? []
      : [
          [
            span(
              'dim',
              `${counted(columns.length, 'column')} ${columns.length === 1 ? 'says' : 'say'} nothing to rules: ${someNames(columns, MOST_NAMES)}`,
            ),
          ],
        ]),
  ];
  return sentences(texts);
}

function outcomeEntries({ records, depends_on: missing, groups }: ReplayDocument): readonly EntryBlock[] {
  return ownGroups(groups).map(([outcome, group]) => {
    const { words, style } = OUTCOMES[outcome];
    return entry(undefined, [span(style, `${grouped(group.records)} ${words}`)], {
      facts: [[share(group.records, records)]],
      body:
        outcome === 'unknown'
          ? valueEntries(
              'depends on',
              missing.slice(0, MOST_NAMES).map(({ field, records: count }) => ({
                value: field,
                records: count,
              })),
            )
          : [...whoseEntries(group), ...group.examples.map(exampleEntry)],
      apart: true,
    });
  });
}

/** Tells whose the requests of a group are. */
function whoseEntries(group: ReplayGroup): readonly EntryBlock[] {
  const { records, verified_bots: bots, bots_known: known, networks } = group;
  const shares = [
    ...(known === 0
      ? []
      : [
          `${bots === 0 ? 'no verified bots' : `${share(bots, known)} verified bots`}${known === records ? '' : ` (known of ${grouped(known)})`}`,
        ]),
    ...networks.map(({ name, records: own }) => `${share(own, records)} ${name}`),
  ];
  return [
    ...(shares.length === 0 ? [] : [entry(undefined, [span('label', 'of these: '), shares.join(', ')])]),
    ...valueEntries('paths', group.paths),
    ...valueEntries('countries', group.countries),
    ...valueEntries('user agents', group.user_agents),
  ];
}

function valueEntries(what: string, values: readonly ValueShare[]): readonly EntryBlock[] {
  const told = values.flatMap(({ value, records }, index): Inline => [
    ...(index === 0 ? [] : [', ']),
    span('code', value),
    ` (${grouped(records)})`,
  ]);
  return values.length === 0 ? [] : [entry(undefined, [span('label', `${what}: `), ...told])];
}

function exampleEntry(example: ReplayExample): EntryBlock {
  const { time, method, host, path, country, from, live, desired, rule } = example;
  const who = [from, country].filter((text) => text !== '').join(' ');
  return entry(undefined, [
    span('label', 'example: '),
    span('code', `${method} ${host}${path}`),
    `${who === '' ? '' : ` from ${who}`}${time === null ? '' : ` at ${momentText(time)}`}: `,
    live === desired ? `${live} in another form` : `${live} → ${desired}`,
    ...(rule === '' ? [] : [` (${rule})`]),
  ]);
}

/** How many kinds of disagreement are told. */
const MOST_DISAGREEMENTS = 5;

function agreementBlocks({
  compared,
  agreed,
  left_out: left,
  disagreements,
}: ReplayAgreement): readonly Block[] {
  const reasons = [
    [left.other_rules, 'from before the last change of the live rules'],
    [left.no_time, 'without a time'],
    [left.not_simulated, 'of which it is not known here what live rules do'],
  ] as const;
  const out = reasons.filter(([count]) => count > 0).map(([count, words]) => `${grouped(count)} ${words}`);
  const body: readonly Block[] = [
    ...(out.length === 0 ? [] : [paragraph(span('dim', `Not compared: ${out.join(', ')}.`))]),
    ...disagreements
      .slice(0, MOST_DISAGREEMENTS)
      .map(({ rule, recorded, simulated, records }) =>
        paragraph(
          `${grouped(records)} × ${rule === '' ? 'no rule' : rule}: ${recorded}, simulated ${simulated}`,
        ),
      ),
  ];
  const title: Inline =
    compared === 0
      ? ['How far this can be trusted is not known: no record says what the service did by these live rules.']
      : [
          'The simulation of live agrees with what the service did in ',
          span(agreed / compared >= 0.99 ? 'good' : 'warning', share(agreed, compared)),
          ` of ${many(compared, 'request')}.`,
        ];
  return [entry(undefined, title, { parts: true, body, apart: true })];
}

interface ReplaySection {
  readonly title: string;
  readonly body: readonly Block[];
}

/** Returns what each rule that the plan changes would have done, and rules that no request reaches. */
function ruleParts(replay: ReplayDocument): readonly ReplaySection[] {
  const changed = replay.rules.flatMap((rule) => {
    const { change } = rule;
    return change === 'none' ? [] : [{ ...rule, change }];
  });
  const [met, unmet] = [changed.filter((rule) => isTold(rule)), changed.filter((rule) => !isTold(rule))];
  const names = someNames(unmet.map(nameOf), MOST_NAMES);
  const more =
    unmet.length === 0 || replay.records === 0
      ? []
      : [
          paragraph(
            `${many(unmet.length, met.length === 0 ? 'changed rule' : 'more changed rule')} matched no request, live or after the change: ${names}`,
          ),
        ];
  return [
    { title: 'What each rule would have done', body: [...met.map(ruleEntry), ...more] },
    ...quietParts(replay),
  ].filter(({ body }) => body.length > 0);
}

/** Whether there is something to say of what a changed rule did, or may have done. */
function isTold(rule: ReplayRule): boolean {
  const { outcomes, undecided_live: live, undecided_desired: desired } = rule;
  return totalOf(outcomes) + live + desired > 0;
}

/** What the plan does to a rule, as a plan calls it. */
const CHANGES: Readonly<Record<Exclude<RuleChangeKind, 'none'>, RuleChange['kind']>> = {
  added: 'add',
  changed: 'patch',
  moved: 'move',
  deleted: 'delete',
};

type ChangedRule = ReplayRule & {
  readonly change: Exclude<RuleChangeKind, 'none'>;
};

function ruleEntry(rule: ChangedRule): EntryBlock {
  const { change, groups = {} } = rule;
  return entry(MARKS.plan[CHANGES[change]], [span('name', nameOf(rule))], {
    facts: [placeOf(rule)],
    body: [
      paragraph(matchText(rule)),
      ...ownGroups(groups).map(([outcome, group]) =>
        entry(
          undefined,
          [span(OUTCOMES[outcome].style, `${grouped(group.records)} ${OUTCOMES[outcome].words}`)],
          {
            parts: true,
            body:
              outcome === 'unknown'
                ? []
                : whoseEntries(group.verified_bots === 0 ? { ...group, bots_known: 0 } : group),
          },
        ),
      ),
    ],
    apart: true,
  });
}

function ownGroups(
  groups: ReplayGroups,
): readonly (readonly [outcome: (typeof ORDER)[number], group: ReplayGroup])[] {
  return ORDER.flatMap((outcome) => {
    const group = groups[outcome];
    return group === undefined ? [] : [[outcome, group] as const];
  });
}

function nameOf({ ref, description = '' }: ReplayRule): string {
  return shortName(ref, description);
}

function placeOf({ scope, phase, ruleset }: ReplayRule): Inline {
  return [span('dim', `${phase}${ruleset === null ? '' : ` (${ruleset})`} · ${scopeLabel(scope)}`)];
}

function matchText(rule: ChangedRule): string {
  const {
    undecided_live: live,
    undecided_desired: desired,
    ended_before: ended,
    skipped_before: skipped,
  } = rule;
  const undecided = Math.max(live, desired);
  return [
    matchedText(rule),
    ...(undecided === 0 ? [] : [`of ${grouped(undecided)} more it is not known whether it matches`]),
    ...(ended === 0 ? [] : [`${grouped(ended)} more meet its condition and end before it`]),
    ...(skipped === 0 ? [] : [`${grouped(skipped)} more meet its condition, and an earlier rule skips it`]),
  ].join('; ');
}

function matchedText({
  change,
  matched_live: live,
  matched_desired: desired,
  outcomes,
}: ChangedRule): string {
  const text =
    change === 'added'
      ? `matches ${requests(desired)}`
      : change === 'deleted'
        ? `matched ${requests(live)}`
        : `matches ${requests(desired)}, and ${live === desired ? 'as many' : grouped(live)} before the change`;
  const same = outcomes.unchanged;
  const all = same === totalOf(outcomes);
  return `${text}${same === 0 ? '' : `, and changes nothing for ${all ? (same === 1 ? 'it' : 'them') : `${grouped(same)} of them`}`}`;
}

function requests(count: number): string {
  return count === 0 ? 'no request' : many(count, 'request');
}

function totalOf(outcomes: OutcomeCounts): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** How many rules that matched nothing are named. */
const MOST_IDLE = 20;

/** Tells of rules that acted on none of the requests: which are certain to be quiet, and of which that is not known. */
function quietParts({ records, rules, zones }: ReplayDocument): readonly ReplaySection[] {
  if (records === 0) {
    return [];
  }
  const met = new Set(zones.filter((zone) => zone.records > 0).map(({ name }) => name));
  const idle = rules.filter(
    ({ change, disabled, scope, matched_desired: desired }) =>
      change !== 'deleted' &&
      disabled !== true &&
      desired === 0 &&
      (scope.kind === 'account' || met.has(zoneName(scope).bare)),
  );
  const certain = idle.filter(({ undecided_desired: undecided }) => undecided === 0);
  const passed = certain.filter((rule) => passedOver(rule) > 0);
  return [
    quietPart(
      'Rules that acted on none of these requests, since an earlier one ends those that meet their condition, or skips them',
      passed,
      { most: passed.length, count: passedOver },
    ),
    quietPart(
      'Rules that matched none of these requests',
      certain.filter((rule) => passedOver(rule) === 0),
      { most: MOST_IDLE, count: () => 0 },
    ),
    quietPart(
      'Rules that may have matched none: the records do not say it of so many',
      idle.filter(({ undecided_desired: undecided }) => undecided > 0),
      { most: MOST_IDLE, count: ({ undecided_desired: undecided }) => undecided },
    ),
  ];
}

function passedOver({ ended_before: ended, skipped_before: skipped }: ReplayRule): number {
  return ended + skipped;
}

function quietPart(
  title: string,
  rules: readonly ReplayRule[],
  { most, count }: { readonly most: number; readonly count: (rule: ReplayRule) => number },
): ReplaySection {
  return {
    title,
    body: [
      ...rules.slice(0, most).map((rule) => {
        const number = count(rule);
        const told = number === 0 ? '' : ` (${grouped(number)})`;
        return entry(undefined, [span('strong', nameOf(rule)), told], { facts: [placeOf(rule)] });
      }),
      ...(rules.length > most ? [paragraph(`… and ${rules.length - most} more`)] : []),
    ],
  };
}

function many(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Returns a number with a comma between thousands. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
}

/** Returns a share in percent; what is more than nothing never looks like nothing, and less than all never like all. */
function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  if (percent > 0 && percent < 0.01) {
    return '< 0.01%';
  }
  const text = percent.toFixed(percent < 1 ? 2 : 1);
  return part < whole && text.startsWith('100') ? '> 99.9%' : `${text}%`;
}
