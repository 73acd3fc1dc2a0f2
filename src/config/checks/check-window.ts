import { textOf } from '../../data/index.ts';
import { formatPlace } from '../../model/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { composeWindow, MOST_CHARACTERS, splitWindow } from '../../expression/index.ts';
import { matchesStars, timeProblem, zonedTime } from '../../text/index.ts';
import { finding } from '../source/finding.ts';
import type { Settings } from '../project/project-settings.ts';
import {
  instantOfTime,
  spanOfTime,
  whyUnlimited,
  windowOf,
  windowsOf,
  writtenTimes,
} from '../project/rule-window.ts';
import type { WrittenTime } from '../project/rule-window.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateKey, throughUses } from '../yaml/yaml-document.ts';

/** Reports a window that means no time, that its phase cannot have, or that makes the expression too long; and a rule that lacks an end it needs. */
export function checkWindow(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  settings: Settings,
): readonly Diagnostic[] {
  const times = writtenTimes(ruleset, rule);
  return [
    ...times.flatMap((time) => checkTime(time, settings.timeZone)),
    ...checkEnd(ruleset, rule, settings),
    ...(times.length === 0 ? [] : checkLimits(ruleset, rule, { times, timeZone: settings.timeZone })),
  ];
}

function checkTime(time: WrittenTime, timeZone: string): readonly Diagnostic[] {
  const read = instantOfTime(time, timeZone);
  return read?.kind === 'one'
    ? []
    : [
        finding(
          read?.kind === 'none' && read.cause === 'calendar' ? 'config/no-such-day' : 'active/no-such-time',
          { ...timeProblem(time.text, read, timeZone), where: spanOfTime(time) },
        ),
      ];
}

function checkEnd(ruleset: DeclaredRuleset, rule: DeclaredRule, { ending }: Settings): readonly Diagnostic[] {
  const { action, ref, enabled } = rule.value;
  const demand = ending.required.find(
    (one) => one === action || (typeof ref === 'string' && matchesStars(one, ref)),
  );
  const ends = windowsOf(ruleset, rule).some(({ value }) => Object.hasOwn(value, 'until'));
  return demand === undefined || ends || enabled === false
    ? []
    : [
        finding('active/no-end', {
          message: `\`require_until\` of the project asks for an end of every rule ${demand === action ? `with the action \`${demand}\`` : `whose \`ref\` matches \`${demand}\``}`,
          hint: hintForEnd(ruleset, rule),
          where: locateKey(ruleset.document, rule.path),
        }),
      ];
}

function hintForEnd({ address: { phase } }: DeclaredRuleset, { value }: DeclaredRule): string {
  if (whyUnlimited(phase) !== undefined) {
    return `rules of phase ${phase} cannot have a window: give it another name, or let \`require_until\` not match it`;
  }
  return splitWindow(textOf(value['expression']))?.window.until === undefined
    ? 'add `active: { until: 2026-12-31 }`, with the last day on which it is needed'
    : 'write its end as `active: { until: ... }` instead of in the expression';
}

function checkLimits(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  { times, timeZone }: { readonly times: readonly WrittenTime[]; readonly timeZone: string },
): readonly Diagnostic[] {
  const where = windowsOf(ruleset, rule)
    .map(({ place }) => throughUses(locateKey(place.document, place.path), place.via))
    .at(-1);
  const reason = whyUnlimited(ruleset.address.phase);
  if (reason !== undefined) {
    return [
      finding('active/unlimited-phase', {
        message: `rules of phase ${ruleset.address.phase} cannot have a window: ${reason}`,
        hint: 'remove `active`; add and remove the rule by a change of the files',
        where,
      }),
    ];
  }
  const never = checkNever(times, timeZone);
  if (never.length > 0) {
    return never;
  }
  const { expression } = rule.value;
  const window = windowOf(ruleset, rule, timeZone);
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

/** Reports windows that have no second in common: at the inner of the two times that decide, with the place of the other. */
function checkNever(times: readonly WrittenTime[], timeZone: string): readonly Diagnostic[] {
  const known = times.flatMap((time) => {
    const read = instantOfTime(time, timeZone);
    return read?.kind === 'one' ? [{ ...time, seconds: read.seconds }] : [];
  });
  const [begin] = known.filter(({ side }) => side === 'from').toSorted((a, b) => b.seconds - a.seconds);
  const [end] = known.filter(({ side }) => side === 'until').toSorted((a, b) => a.seconds - b.seconds);
  if (begin === undefined || end === undefined || begin.seconds < end.seconds) {
    return [];
  }
  const [outer, inner] = known.indexOf(begin) < known.indexOf(end) ? [begin, end] : [end, begin];
  const [from, until] = [begin, end].map(({ seconds }) => zonedTime(seconds, timeZone));
  return [
    finding('active/never', {
      message: `the rule is never active: its window ends at ${until}, and begins at ${from} (${timeZone})`,
      hint: `let \`from\` be before \`until\`${outer.place === inner.place ? '' : `; the ${outer.side === 'from' ? 'beginning' : 'end'} is set at ${formatPlace(spanOfTime(outer))}`}`,
      where: spanOfTime(inner),
    }),
  ];
}
