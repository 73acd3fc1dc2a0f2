import type { Diagnostic, EndOfRule } from '../../model/index.ts';
import { zonedTime } from '../../text/index.ts';
import { finding } from '../source/finding.ts';
import type { Settings } from '../project/project-settings.ts';
import { firstSecond, hasEnded, windowOf } from '../project/rule-window.ts';
import type { ScopeFile } from '../project/scope-file.ts';
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
      const name = typeof ref === 'string' ? `the rule \`${ref}\`` : 'this rule';
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
              hint: 'give it a later `until`, or remove it; `rulewright fmt --drop-ended` removes all that end in the file of their zone or account',
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
                hint: 'give it a later `until` if it is needed longer; else there is nothing to do',
                where,
              }),
              ends,
            },
          ];
    }),
  );
}

function inDays(days: number): string {
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}
