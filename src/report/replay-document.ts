import { settingsNotReplayed } from '../model/index.ts';
import type { Plan, ReplayAgreement, ReplayDocument, ReplayExample } from '../model/index.ts';
import { counted, grouped, someNames } from '../text/index.ts';
import {
  MOST_NAMES,
  ORDER,
  OUTCOMES,
  ownGroups,
  share,
  valueEntries,
  whoseEntries,
} from './replay-groups.ts';
import { ruleParts } from './replay-rules.ts';
import type { ReplaySection } from './replay-rules.ts';
import { momentText } from './print-value.ts';
import type { Block, Document, EntryBlock, Inline, SectionBlock } from './tree.ts';
import { entry, paragraph, section, sentences, span } from './tree.ts';

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
        `${counted(records, 'recorded request')} went through the rules as they are live and as the plan leaves them. Plan digest: `,
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
                `${counted(settings.length, 'setting')} may block, challenge or turn away requests: ${someNames(settings, MOST_NAMES)}`,
              ),
            ],
          },
        ]),
  ];
  const unshown =
    settings.length === 0 ? '' : `; what ${counted(settings.length, 'setting')} may stop is not among these`;
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

function firstLower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns which requests these are. */
function aboutText({ records, zones, period }: ReplayDocument): string {
  const met = zones.flatMap((zone) => (zone.records > 0 ? [zone.name] : []));
  const to = met.length === 0 ? '' : ` to ${someNames(met, MOST_NAMES)}`;
  return `${records === 0 ? 'No requests' : counted(records, 'request')}${to}${period === null ? '' : ` from ${momentText(period.from)} to ${momentText(period.to)}`}`;
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
  return `Of ${counted(records, 'recorded request')}, ${
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
  const alone = zones.filter((zone) => zone.without_account === true).map(({ name }) => name);
  const texts: readonly Inline[] = [
    ...(alone.length === 0
      ? []
      : [
          [
            span('warning', `The rules of the account of ${someNames(alone, MOST_NAMES)} could not be read`),
            ': what they do to these requests is not known, and is in no number here',
          ],
        ]),
    ...(replay.log.bytes > 0
      ? []
      : [[span('warning', replay.log.files === 1 ? 'The log is empty' : 'The logs are empty')]]),
    ...(unmet.length === 0 || replay.records === 0
      ? []
      : [[span('warning', `No request to ${someNames(unmet, MOST_NAMES)}`)]]),
    ...(others === 0 ? [] : [[`${counted(others, 'more request')} to other zones: left out`]]),
    ...(hostless === 0
      ? []
      : [
          [
            span('warning', `${counted(hostless, 'request')} without a host: left out`),
            ', since they may be of any zone; --target zone:NAME says of which',
          ],
        ]),
    ...(first === undefined
      ? []
      : [
          [
            span('warning', `${counted(unreadable, 'line')} could not be read`),
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
  compared_earlier: earlier,
  agreed,
  left_out: left,
  disagreements,
}: ReplayAgreement): readonly Block[] {
  const reasons = [
    [left.other_rules, 'from a time of which it is not known which rules were in force'],
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
  const past =
    earlier === 0
      ? ''
      : ` ${earlier === compared ? 'All' : grouped(earlier)} of these are from before the last change of the live rules, and were compared with the version in force at their time.`;
  const title: Inline =
    compared === 0
      ? ['How far this can be trusted is not known: no record says what the service did by these live rules.']
      : [
          'The simulation agrees with what the service did in ',
          span(agreed / compared >= 0.99 ? 'good' : 'warning', share(agreed, compared)),
          ` of ${counted(compared, 'request')}.${past}`,
        ];
  return [entry(undefined, title, { parts: true, body, apart: true })];
}
