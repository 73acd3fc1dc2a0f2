import { PLAN_LEVELS } from '../../model/plan-level.ts';
import { command } from '../command.ts';
import { choiceFlag, listFlag, nonEmpty, switchFlag, textFlag, valueFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS, between } from '../flags.ts';
import type { Pair } from '../run/explain.ts';

/** `rulewright explain`. */
export const explainCommand = command({
  run: async () => (await import('../run/explain.ts')).runExplain,
  brief: 'Show what each rule does with one request, and why',
  text: `Sends one request through the rules of the files. Shows what each rule does with
it, which clause decides, and how the request ends. Needs no network. With
--live, it reads all rules of the zone and its account, including rules of
others.`,
  examples: [
    ['rulewright explain https://shop.example/admin', 'the zone of the URL'],
    ['rulewright explain --zone shop.example /admin', 'a path of a zone'],
    ['... --ip 198.51.100.20 --method POST --count 6', 'with more of the request'],
    ['rulewright explain --live https://shop.example/admin', 'with the live rules'],
    ['... --field cf.bot_management.score=5', 'with a field'],
    ['... --header user-agent:curl/8.9', 'not from a browser'],
  ],
  flags: {
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
  },
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: nonEmpty, placeholder: 'URL', brief: 'The URL, or with --zone a path of the zone' },
    ],
  },
});

function method(given: string): string {
  if (!/^[A-Z][A-Z0-9_-]*$/.test(given)) {
    throw new Error('methods are in upper case, such as POST');
  }
  return given;
}

function pairs(placeholder: string, brief: string, sign: ':' | '=') {
  return listFlag(pair(sign), placeholder, brief);
}

function pair(sign: ':' | '='): (text: string) => Pair {
  return (text) => {
    const at = text.indexOf(sign);
    if (at < 1) {
      throw new Error(`expected a name and a value with ${sign} between them`);
    }
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  };
}
