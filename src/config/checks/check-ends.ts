import { formatPlace } from '../../model/index.ts';
import type { Diagnostic, EndOfRule } from '../../model/index.ts';
import { zonedTime } from '../../text/index.ts';
import { finding } from '../source/finding.ts';
import type { Settings } from '../project/project-settings.ts';
import {
  firstSecond,
  hasEnded,
  instantOfTime,
  spanOfTime,
  windowOf,
  writtenTimes,
} from '../project/rule-window.ts';
import type { WrittenTime } from '../project/rule-window.ts';
import type { DeclaredRule, DeclaredRuleset, ScopeFile } from '../project/scope-file.ts';
import { locateKey } from '../yaml/yaml-document.ts';

const DAY = 86_400;

/** Reports rules that have ended before a day (`YYYY-MM-DD`), or will within the days of the project. Without the day, none. */
export function checkEnds(
  { document, rulesets }: ScopeFile,
  { timeZone, ending }: Settings,
  today?: string,
): readonly Diagnostic[] {
  if (today === undefined) {
    return [];
  }
  const begin = firstSecond(today);
  return rulesets.flatMap((ruleset) =>
    ruleset.rules.flatMap((rule) => {
      const window = windowOf(ruleset, rule, timeZone);
      const { until } = window;
      if (until === undefined || until >= begin + (ending.within + 1) * DAY) {
        return [];
      }
      const { owner, enabled, ref } = rule.value;
      const byZone = endOfZone(ruleset, rule, { until, timeZone });
      const zone = byZone === undefined ? '' : ` of ${ruleset.scope.name}`;
      const name = `${typeof ref === 'string' ? `the rule \`${ref}\`` : 'this rule'}${zone}`;
      // Other zones of the file may still need the rule.
      const hint =
        byZone === undefined
          ? undefined
          : `the end of ${ruleset.scope.name} is set at ${formatPlace(spanOfTime(byZone))}: give it a later \`until\` there`;
      const whose = typeof owner === 'string' ? `; it belongs to ${owner}` : '';
      const end = `${zonedTime(until, timeZone)} ${timeZone}`;
      const where = locateKey(document, rule.path);
      const ends: EndOfRule = {
        ...(typeof ref === 'string' ? { rule: ref } : {}),
        ...(typeof owner === 'string' ? { owner } : {}),
        until: new Date(until * 1000).toISOString(),
      };
      if (hasEnded(window, today)) {
        return [
          {
            ...finding('active/ended', {
              message: `${name} ended at ${end}${whose}`,
              hint:
                hint === undefined
                  ? 'give it a later `until`, or remove it; `rulewright fmt --drop-ended` removes all that end in the file of their zone or account'
                  : `${hint}; \`rulewright fmt --drop-ended\` removes the rule when it has ended in every zone of the file`,
              where,
            }),
            ends,
          },
        ];
      }
      return enabled === false
        ? []
        : [
            {
              ...finding('active/ends-soon', {
                message: `${name} ends ${inDays(Math.floor((until - begin) / DAY))}, at ${end}${whose}`,
                hint: `${hint ?? 'give it a later `until`'} if it is needed longer; else there is nothing to do`,
                where,
              }),
              ends,
            },
          ];
    }),
  );
}

/** Returns the end that a file with several zones sets for the one of a rule, where that alone decides. */
function endOfZone(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  { until, timeZone }: { readonly until: number; readonly timeZone: string },
): WrittenTime | undefined {
  const [only, ...others] = writtenTimes(ruleset, rule).filter((time) => {
    const read = time.side === 'until' ? instantOfTime(time, timeZone) : undefined;
    return read?.kind === 'one' && read.seconds === until;
  });
  return others.length === 0 && only?.place.path[0] === 'zones' ? only : undefined;
}

function inDays(days: number): string {
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}
