import { PLAN_LEVELS } from '../../model/index.ts';
import type { FlagsOf } from '../flag.ts';
import { choiceFlag, listFlag, switchFlag, textFlag, valueFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS, between } from '../flags.ts';

/** A name and a value. */
export type NameValue = readonly [name: string, value: string];

/** Flags of `explain`. */
export const EXPLAIN_FLAGS = {
  live: switchFlag('All rules that the service has, whoever made them'),
  zone: textFlag('NAME', 'The zone (default: that of the URL)'),
  account: textFlag('NAME', 'Its account (default: the only one)'),
  plan: choiceFlag(PLAN_LEVELS, 'The plan level of the zone'),
  method: valueFlag(method, 'METHOD', 'Method of the request (default: GET)'),
  ip: textFlag('ADDRESS', 'Address of the visitor'),
  header: pairs('NAME:VALUE', 'A header (repeatable; default: the user agent of a browser)', ':'),
  body: valueFlag(String, 'TEXT', 'The body'),
  field: pairs('NAME=VALUE', 'A field, such as a score (repeatable)', '='),
  list: pairs('NAME=ITEM,ITEM', 'Contents of a list (repeatable)', '='),
  count: valueFlag(
    between(1, Number.MAX_SAFE_INTEGER),
    'N',
    'Requests counted by rate limits, this one included',
  ),
  challengeSolved: switchFlag('Treat challenges as solved'),
  status: valueFlag(between(100, 999), 'CODE', "Status code of the origin's answer"),
  responseHeader: pairs('NAME:VALUE', "Header of the origin's answer (repeatable)", ':'),
  ...PROJECT_FLAGS,
  // Without `concurrency` and `budget`: one zone is read.
  baseUrl: SERVICE_FLAGS.baseUrl,
  emulator: SERVICE_FLAGS.emulator,
  emulatorState: SERVICE_FLAGS.emulatorState,
  ...RESULT_FLAGS,
};

/** The values of `EXPLAIN_FLAGS`. */
export type ExplainFlags = FlagsOf<typeof EXPLAIN_FLAGS>;

function method(given: string): string {
  if (!/^[A-Z][A-Z0-9_-]*$/.test(given)) {
    throw new Error('methods are in upper case, such as POST');
  }
  return given;
}

function pairs(placeholder: string, brief: string, sign: ':' | '=') {
  return listFlag(pair(sign), placeholder, brief);
}

function pair(sign: ':' | '='): (text: string) => NameValue {
  return (text) => {
    const at = text.indexOf(sign);
    if (at < 1) {
      throw new Error(`expected a name and a value with ${sign} between them`);
    }
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  };
}
