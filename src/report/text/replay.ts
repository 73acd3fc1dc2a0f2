import { REPLAY_OUTCOMES, scopeLabel, shortName, zoneName } from '../../model/index.ts';
import type {
  OutcomeCounts,
  ReplayAgreement,
  ReplayDocument,
  ReplayExample,
  ReplayGroup,
  ReplayGroups,
  ReplayOutcome,
  ReplayRule,
  RuleChangeKind,
  ValueShare,
} from '../../model/index.ts';
import { counted, someNames } from '../../text/index.ts';
import type { Line, Look } from '../layout.ts';
import type { Style } from '../tree.ts';
import { BLANK, hanging, layOut, line, padTo, span } from '../layout.ts';

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

/** Formats what a plan would have done to recorded requests. */
export function replayText(replay: ReplayDocument, look: Look): string {
  return layOut(
    [
      ...headLines(replay),
      BLANK,
      ...outcomeLines(replay),
      BLANK,
      ...agreementLines(replay.agreement),
      ...ruleParts(replay),
    ],
    look,
  );
}

/** What stands beside a plan of the requests that were sent through it; without examples, since many people read a comment. */
export interface BlastRadius {
  /** One sentence. */
  readonly summary: string;
  readonly lines: readonly Line[];
  /** Each changed rule, and rules that no request reaches. */
  readonly rules: readonly Line[];
}

/** Returns what stands beside a plan of the requests that were sent through it. */
export function blastRadius(replay: ReplayDocument): BlastRadius {
  const { groups, outcomes, records } = replay;
  const plain = Object.fromEntries(
    ownGroups(groups).map(([outcome, group]) => [outcome, { ...group, examples: [] }] as const),
  );
  const told = ORDER.flatMap((outcome) =>
    outcomes[outcome] === 0
      ? []
      : [`${grouped(outcomes[outcome])} ${OUTCOMES[outcome].words} (${share(outcomes[outcome], records)})`],
  );
  return {
    summary: `Blast radius: of ${many(records, 'recorded request')}, ${told.length === 0 ? 'all unchanged' : told.join(', ')}`,
    lines: [
      ...headLines(replay),
      ...outcomeLines({ ...replay, groups: plain }),
      ...agreementLines(replay.agreement),
    ],
    rules: ruleParts(replay),
  };
}

function ruleParts(replay: ReplayDocument): readonly Line[] {
  return [...ruleLines(replay.rules), ...quietLines(replay)];
}

function headLines({ records, zones, period, unreadable, ...replay }: ReplayDocument): readonly Line[] {
  const when = period === null ? '' : ` from ${period.from} to ${period.to}`;
  const { unreadable_lines: lines, unknown_columns: columns } = replay;
  const { other_zones: others, without_host: hostless } = replay;
  const [first] = lines;
  const [met, unmet] = [zones.filter((zone) => zone.records > 0), zones.filter((zone) => zone.records === 0)];
  const to =
    met.length === 0
      ? ''
      : ` to ${someNames(
          met.map(({ name }) => name),
          MOST_NAMES,
        )}`;
  return [
    hanging(0, 2, span('heading', `${many(records, 'request')}${to}${when}`)),
    ...(unmet.length === 0
      ? []
      : [
          hanging(
            2,
            2,
            span(
              'warning',
              `No request to ${someNames(
                unmet.map(({ name }) => name),
                MOST_NAMES,
              )}`,
            ),
          ),
        ]),
    ...(others === 0 ? [] : [hanging(2, 2, `${many(others, 'more request')} to other zones: left out`)]),
    ...(hostless === 0
      ? []
      : [
          hanging(
            2,
            2,
            span('warning', `${many(hostless, 'request')} without a host: left out`),
            ', since they may be of any zone; --target zone:NAME says of which',
          ),
        ]),
    ...(first === undefined
      ? []
      : [
          hanging(
            2,
            2,
            span('warning', `${many(unreadable, 'line')} could not be read`),
            `, such as line ${first.line} of ${first.file}: ${first.reason}`,
          ),
        ]),
    ...(columns.length === 0
      ? []
      : [
          hanging(
            2,
            2,
            span(
              'dim',
              `${counted(columns.length, 'column')} say nothing to rules: ${someNames(columns, MOST_NAMES)}`,
            ),
          ),
        ]),
  ];
}

/** How many names of zones and columns stand in a line. */
const MOST_NAMES = 5;

function outcomeLines({ records, outcomes, depends_on: missing, groups }: ReplayDocument): readonly Line[] {
  const width = Math.max(...Object.values(outcomes).map((count) => grouped(count).length));
  return REPLAY_OUTCOMES.flatMap((outcome) => {
    const { words, style } = OUTCOMES[outcome];
    const count = outcomes[outcome];
    const row = hanging(
      2,
      4,
      `${grouped(count).padStart(width)}  `,
      count === 0 ? span('dim', words) : span(style, padTo(words, 18)),
      count === 0 ? '' : share(count, records).padStart(7),
      outcome === 'unknown' && missing.length > 0
        ? `  depends on ${missing.slice(0, 5).map(missingText).join(', ')}`
        : '',
    );
    const group = outcome === 'unchanged' || outcome === 'unknown' ? undefined : groups[outcome];
    return [row, ...(group === undefined ? [] : groupLines(group, 6 + width))];
  });
}

function missingText({ field, records }: ReplayDocument['depends_on'][number]): string {
  return `${field} (${grouped(records)})`;
}

/** Tells whose the requests of a group are. */
function groupLines(group: ReplayGroup, indent: number): readonly Line[] {
  const { records, verified_bots: bots, bots_known: known, networks } = group;
  const shares = [
    ...(known === 0 ? [] : [bots === 0 ? 'no verified bots' : `${share(bots, known)} verified bots`]),
    ...networks.map(({ name, records: own }) => `${share(own, records)} ${name}`),
  ];
  return [
    ...(shares.length === 0 ? [] : [hanging(indent, 2, span('label', 'of these: '), shares.join(', '))]),
    ...valueLines('paths', group.paths, indent),
    ...valueLines('countries', group.countries, indent),
    ...valueLines('user agents', group.user_agents, indent),
    ...group.examples.map((example) => exampleLine(example, indent)),
  ];
}

function valueLines(what: string, values: readonly ValueShare[], indent: number): readonly Line[] {
  return values.length === 0
    ? []
    : [
        hanging(
          indent,
          2,
          span('label', `${what}: `),
          values.map(({ value, records }) => `${value} (${grouped(records)})`).join(', '),
        ),
      ];
}

function exampleLine(example: ReplayExample, indent: number): Line {
  const { time, method, host, path, country, from, live, desired, rule } = example;
  const who = [from, country].filter((text) => text !== '').join(' ');
  return hanging(
    indent,
    2,
    span('label', 'example: '),
    `${method} ${host}${path}${who === '' ? '' : ` from ${who}`}${time === null ? '' : ` at ${time}`}${live === desired ? `: ${live} in another form` : `: ${live} → ${desired}`}${rule === '' ? '' : ` (${rule})`}`,
  );
}

function agreementLines({
  compared,
  agreed,
  left_out: left,
  disagreements,
}: ReplayAgreement): readonly Line[] {
  const reasons = [
    [left.other_rules, 'from before the last change of the live rules'],
    [left.no_time, 'without a time'],
    [left.not_simulated, 'of which it is not known here what live rules do'],
  ] as const;
  const out = reasons.filter(([count]) => count > 0).map(([count, words]) => `${grouped(count)} ${words}`);
  return [
    compared === 0
      ? hanging(
          0,
          2,
          span(
            'dim',
            'How far this can be trusted is not known: no record says what the service did by these live rules.',
          ),
        )
      : hanging(
          0,
          2,
          'The simulation of live agrees with what the service did in ',
          span(agreed / compared >= 0.99 ? 'good' : 'warning', share(agreed, compared)),
          ` of ${many(compared, 'request')}.`,
        ),
    ...(out.length === 0 ? [] : [hanging(2, 2, span('dim', `Not compared: ${out.join(', ')}.`))]),
    ...disagreements
      .slice(0, 5)
      .map(({ rule, recorded, simulated, records }) =>
        hanging(
          2,
          2,
          `${grouped(records)} × ${rule === '' ? 'no rule' : rule}: ${recorded}, simulated ${simulated}`,
        ),
      ),
  ];
}

const MARKS: Readonly<Record<Exclude<RuleChangeKind, 'none'>, readonly [mark: string, style: Style]>> = {
  added: ['+', 'added'],
  changed: ['~', 'changed'],
  moved: ['↕', 'moved'],
  deleted: ['-', 'removed'],
};

/** Tells of each rule that the plan changes. */
function ruleLines(rules: readonly ReplayRule[]): readonly Line[] {
  const changed = rules.filter(({ change }) => change !== 'none');
  const unmet = changed.filter(({ outcomes }) => totalOf(outcomes) === 0);
  return [
    ...changed.flatMap(changedRuleLines),
    ...(unmet.length === 0
      ? []
      : [
          BLANK,
          hanging(
            0,
            2,
            `${many(unmet.length, 'more changed rule')} met no request: `,
            someNames(unmet.map(nameOf), MOST_NAMES),
          ),
        ]),
  ];
}

function changedRuleLines(rule: ReplayRule): readonly Line[] {
  const { change, groups = {}, outcomes } = rule;
  if (change === 'none' || totalOf(outcomes) === 0) {
    return [];
  }
  const [mark, style] = MARKS[change];
  return [
    BLANK,
    hanging(
      0,
      2,
      span(style, `${mark} `),
      span('strong', nameOf(rule)),
      span('dim', `  ${change} · ${placeOf(rule)}`),
    ),
    hanging(4, 2, matchText(rule)),
    ...ownGroups(groups).flatMap(([outcome, group]) => [
      hanging(4, 2, span(OUTCOMES[outcome].style, `${grouped(group.records)} ${OUTCOMES[outcome].words}`)),
      ...(outcome === 'unknown' ? [] : groupLines(ofRule(group), 6)),
    ]),
  ];
}

/** Leaves out what the plan's own groups tell already: examples, and that there are no bots. */
function ofRule(group: ReplayGroup): ReplayGroup {
  return { ...group, bots_known: group.verified_bots === 0 ? 0 : group.bots_known, examples: [] };
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

function placeOf({ scope, phase, ruleset }: ReplayRule): string {
  return `${phase}${ruleset === null ? '' : ` (${ruleset})`} · ${scopeLabel(scope)}`;
}

function matchText({
  change,
  matched_live: live,
  matched_desired: desired,
  outcomes,
  ended_before: before,
}: ReplayRule): string {
  const matched =
    change === 'added'
      ? `matches ${many(desired, 'request')}`
      : change === 'deleted'
        ? `matched ${many(live, 'request')}`
        : `matches ${many(desired, 'request')}, ${grouped(live)} before`;
  const total = totalOf(outcomes);
  const ended = before === 0 ? '' : `; ${grouped(before)} more meet its condition and end before it`;
  return `${matched}${total === 0 || outcomes.unchanged === 0 ? '' : `, ${grouped(outcomes.unchanged)} of these unchanged`}${ended}`;
}

function totalOf(outcomes: OutcomeCounts): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** Tells of rules that no request reaches: that met nothing, and that end too late. */
function quietLines({ rules, zones }: ReplayDocument): readonly Line[] {
  const met = new Set(zones.filter(({ records }) => records > 0).map(({ name }) => name));
  const wanted = rules.filter(
    ({ change, scope, matched_desired: desired }) =>
      change !== 'deleted' && desired === 0 && (scope.kind === 'account' || met.has(zoneName(scope).bare)),
  );
  const late = wanted.filter(({ ended_before: before }) => before > 0);
  const idle = wanted.filter(({ ended_before: before, outcomes }) => before === 0 && outcomes.unknown === 0);
  return [
    ...(late.length === 0
      ? []
      : [
          BLANK,
          line(
            0,
            span(
              'strong',
              'Rules that no request reaches, since an earlier one ends all that they would match',
            ),
          ),
          ...late.map((rule) =>
            hanging(
              2,
              2,
              `${nameOf(rule)} (${grouped(rule.ended_before)})`,
              span('dim', `  ${placeOf(rule)}`),
            ),
          ),
        ]),
    ...(idle.length === 0
      ? []
      : [
          BLANK,
          line(0, span('strong', 'Rules that matched nothing in these logs')),
          ...idle
            .slice(0, MOST_IDLE)
            .map((rule) => hanging(2, 2, nameOf(rule), span('dim', `  ${placeOf(rule)}`))),
          ...(idle.length > MOST_IDLE ? [line(2, `… and ${idle.length - MOST_IDLE} more`)] : []),
        ]),
  ];
}

const MOST_IDLE = 20;

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
