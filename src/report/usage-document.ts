import { groupBy } from '../data/index.ts';
import { scopeLabel, shortName } from '../model/index.ts';
import type { RuleUsage, UsageReport } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import type { Block, Document, EntryBlock, Inline } from './tree.ts';
import { entry, paragraph, section, span } from './tree.ts';
import { momentText } from './print-value.ts';

/** How many names of zones stand in a line. */
const MOST_NAMES = 5;

/** Documents what the service's security events say of rules: first those without any, which are worth a look. */
export function usageDocument(report: UsageReport): Document {
  const { rules, zones, period, failed } = report;
  const of = (status: RuleUsage['status']): readonly RuleUsage[] =>
    rules.filter((rule) => rule.status === status);
  const [quiet, matched, unmeasured] = [of('no_event'), of('matched'), of('not_measurable')];
  return {
    title: 'Rulewright usage',
    heading: [
      span('heading', `Security events of ${counted(zones.length, 'zone')}`),
      ` from ${momentText(period.from)} to ${momentText(period.to)}`,
    ],
    summary: [
      [
        `${counted(matched.length, 'rule')} matched, ${quiet.length} without an event, ${unmeasured.length} not measurable`,
      ],
      ...failed.map(({ scope, error }): Inline => [
        span('error', `${scopeLabel(scope)} could not be asked: `),
        error.message,
      ]),
      ...shortened(report),
    ],
    body: [
      ...part(
        'To review: no event seen',
        [
          'Events are a sample, and the service keeps them for some days only: a rule without one may still be needed. Look at each before you change it.',
        ],
        quiet.filter(({ changed }) => changed === null).map(quietEntry),
      ),
      ...part(
        'No event seen, and perhaps younger than the period',
        ['Their rulesets were changed within it.'],
        quiet.filter(({ changed }) => changed !== null).map(quietEntry),
      ),
      ...part('Matched', [], matched.toSorted((a, b) => (b.events ?? 0) - (a.events ?? 0)).map(matchedEntry)),
      ...unmeasuredParts(unmeasured),
    ],
  };
}

/** Tells of zones whose plan allows less than the wanted period. */
function shortened({ zones, period }: UsageReport): readonly Inline[] {
  const off = zones.filter((zone) => zone.period === null);
  const less = zones.filter((zone) => zone.period !== null && zone.period.from > period.from);
  const names = (some: typeof zones): string =>
    someNames(
      some.map(({ name }) => name),
      MOST_NAMES,
    );
  return [
    ...(less.length === 0
      ? []
      : [
          [
            span('warning', `Events are kept for less than that: ${names(less)}`),
            ` (${less.map((zone) => counted(zone.retention_days ?? 0, 'day')).at(0) ?? ''})`,
          ],
        ]),
    ...(off.length === 0 ? [] : [[span('warning', `No events can be asked for: ${names(off)}`)]]),
  ];
}

function part(title: string, text: readonly string[], entries: readonly EntryBlock[]): readonly Block[] {
  return entries.length === 0
    ? []
    : [section(2, [span('strong', title)], [...text.map((one) => paragraph(one)), ...entries])];
}

function titleOf({ ref, description = '' }: RuleUsage): Inline {
  return [span('name', shortName(ref, description))];
}

function placeOf({ scope, phase, ruleset, action }: RuleUsage): Inline {
  const where = `${phase}${ruleset === null ? '' : ` (${ruleset})`} · ${scopeLabel(scope)}`;
  return [span('dim', `${action} · ${where}`)];
}

function quietEntry(rule: RuleUsage): EntryBlock {
  const { changed } = rule;
  const facts = changed === null ? [] : [[`changed ${momentText(changed)}`]];
  return entry(undefined, titleOf(rule), { facts: [...facts, placeOf(rule)] });
}

function matchedEntry(rule: RuleUsage): EntryBlock {
  return entry(undefined, titleOf(rule), {
    facts: [[`about ${counted(rule.events ?? 0, 'event')}`], placeOf(rule)],
  });
}

/** The rules of which nothing is known, by the reason. */
function unmeasuredParts(rules: readonly RuleUsage[]): readonly Block[] {
  const byReason = groupBy(rules, ({ reason }) => reason ?? '');
  return [...byReason].flatMap(([reason, some]) =>
    part(
      `Not measurable: ${reason}`,
      [],
      some.map((rule) => entry(undefined, titleOf(rule), { facts: [placeOf(rule)] })),
    ),
  );
}
