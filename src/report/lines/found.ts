import { describedName } from '../../model/described-name.ts';
import type { Alike } from '../alike-scopes.ts';
import { alikeNames, alikeReason, alikeText, countAlike, scopeNames } from '../alike-scopes.ts';
import type { Found } from '../attention.ts';
import type { FoundGroup } from '../attention-groups.ts';
import { MOST_DRIFT_SHOWN } from '../attention-groups.ts';
import { escapeText } from '../escape.ts';
import type { Line, Span } from '../layout.ts';
import { BLANK, hanging, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';

/** Returns lines about the drift findings of a group, under its title; `more` says where the findings that are not shown can be seen. */
export function foundLines(
  { title, members }: Pick<FoundGroup, 'title' | 'members'>,
  { detail, more }: Pick<Look, 'detail'> & { readonly more: string },
): readonly Line[] {
  const most = detail === 'each' ? members.length : MOST_DRIFT_SHOWN;
  const others = members.slice(most).reduce((sum, alike) => sum + countAlike(alike), 0);
  return [
    line(0, span('warning', title), ':'),
    ...members
      .slice(0, most)
      .flatMap((alike) => [
        hanging(2, 4, span('warning', '! '), ...foundSpans(alike)),
        ...(alike.scopes.length === 0 ? [] : [line(4, scopeNames(alike.scopes, escapeText))]),
      ]),
    ...(others > 0 ? [line(4, span('dim', `and ${others} more, ${more}`))] : []),
    BLANK,
  ];
}

function foundSpans(alike: Alike<Found>): readonly (Span | string)[] {
  const { rule = '', description = '', step = '', reason = '' } = alike.item;
  const place = ` in ${alikeText(step, alike)}`;
  return alike.rules.length === 0
    ? [
        span('strong', alikeText(describedName(rule, description), alike)),
        `${place}: ${alikeText(reason, alike)}`,
      ]
    : [
        `${alikeReason(reason, alike)}${place}: `,
        span(
          'strong',
          alikeNames(alike, (name) => name),
        ),
      ];
}
