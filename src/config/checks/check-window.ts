import type { Diagnostic } from '../../model/index.ts';
import { phaseFacts } from '../../model/index.ts';
import { composeWindow, MOST_CHARACTERS } from '../../expression/index.ts';
import { matchesStars, zonedTime } from '../../text/index.ts';
import { finding } from '../source/finding.ts';
import type { Settings } from '../project/project-settings.ts';
import { readTime, windowOf, writtenTimes } from '../project/rule-window.ts';
import type { WrittenTime } from '../project/rule-window.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';

/** Reports a window that means no time, that its phase cannot have, or that makes the expression too long; and a rule that lacks an end it needs. */
export function checkWindow(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  settings: Settings,
): readonly Diagnostic[] {
  const times = writtenTimes(ruleset, rule);
  return [
    ...times
      .filter(({ path }) => path.length > ruleset.path.length + 2 || rule === ruleset.rules[0])
      .flatMap((time) => checkTime(ruleset, time, settings.timeZone)),
    ...checkEnd(ruleset, rule, settings),
    ...(times.length === 0 ? [] : checkLimits(ruleset, rule, settings)),
  ];
}

function checkTime(
  { document }: DeclaredRuleset,
  time: WrittenTime,
  timeZone: string,
): readonly Diagnostic[] {
  const read = readTime(time, timeZone);
  const where = locateValue(document, time.path);
  if (read.kind === 'one') {
    return [];
  }
  if (read.kind === 'two') {
    const [earlier, later] = read.seconds.map((seconds) => zonedTime(seconds, timeZone).slice(-6));
    return [
      finding('active/no-such-time', {
        message: `${time.text} comes twice in ${timeZone}, where clocks are set back`,
        hint: `write which one is meant: ${time.text}${earlier} is the earlier, ${time.text}${later} the later`,
        where,
      }),
    ];
  }
  return read.cause === 'calendar'
    ? [
        finding('config/no-such-day', {
          message: `${time.text.slice(0, 10)} is not a day of the calendar`,
          where,
        }),
      ]
    : [
        finding('active/no-such-time', {
          message: `${time.text} does not exist in ${timeZone}, where clocks are set forward`,
          hint: 'write another time, or one with its offset, such as 2026-03-29T01:00Z',
          where,
        }),
      ];
}

function checkEnd(
  { document, value }: DeclaredRuleset,
  rule: DeclaredRule,
  { ending }: Settings,
): readonly Diagnostic[] {
  const { action, ref, active, enabled } = rule.value;
  const demand = ending.required.find(
    (one) => one === action || (typeof ref === 'string' && matchesStars(one, ref)),
  );
  const ends = [active, value['active']].some((one) => hasUntil(one));
  return demand === undefined || ends || enabled === false
    ? []
    : [
        finding('active/no-end', {
          message: `\`require_until\` of the project asks for an end of every rule ${demand === action ? `with the action \`${demand}\`` : `whose \`ref\` matches \`${demand}\``}`,
          hint: 'add `active: { until: 2026-12-31 }`, with the last day on which it is needed',
          where: locateKey(document, rule.path),
        }),
      ];
}

function hasUntil(active: unknown): boolean {
  return typeof active === 'object' && active !== null && 'until' in active;
}

function checkLimits(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  { timeZone }: Settings,
): readonly Diagnostic[] {
  const { document, address } = ruleset;
  const own = Object.hasOwn(rule.value, 'active');
  const where = locateKey(document, own ? [...rule.path, 'active'] : [...ruleset.path, 'active']);
  const reason = unlimited(address.phase);
  if (reason !== undefined) {
    return own || rule === ruleset.rules[0]
      ? [
          finding('active/unlimited-phase', {
            message: `rules of phase ${address.phase} cannot have a window: ${reason}`,
            hint: 'remove `active`; add and remove the rule by a change of the files',
            where,
          }),
        ]
      : [];
  }
  const window = windowOf(ruleset, rule, timeZone);
  const { from, until } = window;
  if (from !== undefined && until !== undefined && from >= until) {
    const [begin, end] = [from, until].map((seconds) => zonedTime(seconds, timeZone));
    return [
      finding('active/never', {
        message: `the rule is never active: its window ends at ${end}, and begins at ${begin} (${timeZone})`,
        hint: 'let `from` be before `until`, also together with the window of the phase',
        where,
      }),
    ];
  }
  const { expression } = rule.value;
  const length = typeof expression === 'string' ? Array.from(composeWindow(expression, window)).length : 0;
  return length <= MOST_CHARACTERS || typeof expression !== 'string' || expression.length > MOST_CHARACTERS
    ? []
    : [
        finding('active/too-long', {
          message: `with its window the expression has ${length} characters, and the service accepts ${MOST_CHARACTERS}`,
          hint: `shorten it by ${length - MOST_CHARACTERS}: the window becomes a part of it`,
          where,
        }),
      ];
}

/** Returns why rules of a phase cannot be limited in time; undefined where they can. */
function unlimited(phase: string): string | undefined {
  const facts = phaseFacts(phase);
  if (facts?.stage === 'network') {
    return 'their expressions are about packets, which have no time';
  }
  if (facts?.isAlwaysOn === true) {
    return 'they only adjust managed rules that always run, for every request';
  }
  return facts?.isOneRule === true ? 'the service supports only the expression `true` there' : undefined;
}
