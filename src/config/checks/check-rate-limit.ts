import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { addNewNameHint } from '../schema/suggest.ts';
import { finding } from '../source/finding.ts';
import { locateValue, locateKey } from '../yaml/yaml-document.ts';
import { objectOf, listOf } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { counted } from '../../text/index.ts';

/** Counting periods that some plan offers, in seconds (api.md 8.3). */
const PERIODS = [
  10, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 300, 480, 600, 900, 1200, 1800, 2400, 3600, 65_535, 86_400,
];

/** Code of the finding about a counting period that this version does not know. */
export const UNKNOWN_PERIOD = 'config/rate-limit-period';

/** Whether a period is a number that no plan offers, as far as this version knows. */
export function isUnknownPeriod(period: JsonValue | undefined): period is number {
  return typeof period === 'number' && !PERIODS.includes(period);
}

/** Reports a rate limit with a counting period that no plan offers; `plan` tells whether the zone's own plan offers it. */
export function checkPeriod(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { period } = objectOf(value['ratelimit']);
  if (!isUnknownPeriod(period)) {
    return [];
  }
  return [
    finding(UNKNOWN_PERIOD, {
      message: `no plan allows a period of ${counted(period, 'second')}`,
      hint: addNewNameHint(nearestText(period), UNKNOWN_PERIOD),
      where: locateValue(document, [...path, 'ratelimit', 'period']),
    }),
  ];
}

function nearestText(period: number): string {
  const near = nearest(period);
  return `the nearest allowed ${near.length === 1 ? 'period is' : 'periods are'} ${near.join(' and ')}`;
}

function nearest(period: number): readonly number[] {
  const below = PERIODS.findLast((one) => one < period);
  const above = PERIODS.find((one) => one > period);
  return [below, above].filter((one) => one !== undefined);
}

/** Reports characteristics of a rate limit that the service refuses together (api.md 8.3). */
export function checkCharacteristics(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const names = listOf(objectOf(value['ratelimit'])['characteristics']);
  const where = (): Diagnostic['where'] => locateKey(document, [...path, 'ratelimit', 'characteristics']);
  return [
    ...(names.includes('ip.src') && names.includes('cf.unique_visitor_id')
      ? [
          finding('config/rate-limit-characteristics', {
            message: '`cf.unique_visitor_id` cannot be used together with `ip.src`',
            hint: 'keep one of them; `cf.unique_visitor_id` tells visitors of one address apart',
            where: where(),
          }),
        ]
      : []),
    ...(names.length === 1 && names[0] === 'cf.colo.id'
      ? [
          finding('config/rate-limit-characteristics', {
            message: 'the rate limit has no characteristic beside `cf.colo.id`, and the service needs one',
            hint: 'add what tells visitors apart, such as `ip.src`',
            where: where(),
          }),
        ]
      : []),
  ];
}
