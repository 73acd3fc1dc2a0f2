import { shortName, scopeLabel, zoneName } from '../model/index.ts';
import type {
  OutcomeCounts,
  ReplayDocument,
  ReplayRule,
  RuleChange,
  RuleChangeKind,
} from '../model/index.ts';
import { counted, grouped, someNames } from '../text/index.ts';
import { MOST_NAMES, OUTCOMES, ownGroups, whoseEntries } from './replay-groups.ts';
import { MARKS } from './perspective.ts';
import type { Block, EntryBlock, Inline } from './tree.ts';
import { entry, paragraph, span } from './tree.ts';

/** A part of a replay under a title of its own. */
export interface ReplaySection {
  readonly title: string;
  readonly body: readonly Block[];
}

/** Returns what each rule that the plan changes would have done, and rules that no request reaches. */
export function ruleParts(replay: ReplayDocument): readonly ReplaySection[] {
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
            `${counted(unmet.length, met.length === 0 ? 'changed rule' : 'more changed rule')} matched no request, live or after the change: ${names}`,
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
  return count === 0 ? 'no request' : counted(count, 'request');
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
