import { describedName } from '../../model/described-name.ts';
import type { Alike } from '../alike-scopes.ts';
import { alikeNames, alikeReason, alikeText, countAlike, scopeNames } from '../alike-scopes.ts';
import type { DriftFinding, DriftFindings } from '../drift-findings.ts';
import { MOST_DRIFT_SHOWN } from '../drift-findings.ts';
import { escapeText } from '../escape.ts';
import type { Line, Span } from '../layout.ts';
import { BLANK, hanging, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';

/** What is found in drift, under its title; `more` says where those are that are not shown. */
export function foundLines(
  { title, found }: Pick<DriftFindings, 'title' | 'found'>,
  { detail, more }: Pick<Look, 'detail'> & { readonly more: string },
): readonly Line[] {
  const most = detail === 'each' ? found.length : MOST_DRIFT_SHOWN;
  const others = found.slice(most).reduce((sum, alike) => sum + countAlike(alike), 0);
  return [
    line(0, span('warning', title), ':'),
    ...found
      .slice(0, most)
      .flatMap((alike) => [
        hanging(2, 4, span('warning', '! '), ...foundSpans(alike)),
        ...(alike.scopes.length === 0 ? [] : [line(4, scopeNames(alike.scopes, escapeText))]),
      ]),
    ...(others > 0 ? [line(4, span('dim', `and ${others} more, ${more}`))] : []),
    BLANK,
  ];
}

function foundSpans(alike: Alike<DriftFinding>): readonly (Span | string)[] {
  const { rule, description = '', step, message } = alike.item;
  const place = ` in ${alikeText(step, alike)}`;
  return alike.rules.length === 0
    ? [
        span('strong', alikeText(describedName(rule, description), alike)),
        `${place}: ${alikeText(message, alike)}`,
      ]
    : [
        `${alikeReason(message, alike)}${place}: `,
        span(
          'strong',
          alikeNames(alike, (name) => name),
        ),
      ];
}
