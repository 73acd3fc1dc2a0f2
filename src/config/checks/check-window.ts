import type { Diagnostic } from '../../model/index.ts';
import { composeWindow, MOST_CHARACTERS } from '../../expression/index.ts';
import { matchesStars, timeProblem, zonedTime } from '../../text/index.ts';
import { finding } from '../source/finding.ts';
import type { Settings } from '../project/project-settings.ts';
import { instantOfTime, whyUnlimited, windowOf, writtenTimes } from '../project/rule-window.ts';
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
  const read = instantOfTime(time, timeZone);
  return read?.kind === 'one'
    ? []
    : [
        finding(
          read?.kind === 'none' && read.cause === 'calendar' ? 'config/no-such-day' : 'active/no-such-time',
          { ...timeProblem(time.text, read, timeZone), where: locateValue(document, time.path) },
        ),
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
  const reason = whyUnlimited(address.phase);
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
