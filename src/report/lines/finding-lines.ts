import { alikeMessage, scopeNames, alikeNames, alikeReason, alikeText, countAlike } from '../alike-scopes.ts';
import type { FoundGroup, Found } from '../attention.ts';
import { escapeLines, escapeText } from '../escape.ts';
import type { Line, StyledSpan, Look, Style } from '../layout.ts';
import { BLANK, hanging, line, span } from '../layout.ts';
import { describedName, causeText } from '../../model/index.ts';
import type { Alike } from '../alike-scopes.ts';
import { MOST_DRIFT_SHOWN } from '../attention.ts';
import type { ServiceRefusal } from '../../model/index.ts';

/** Returns lines about the findings of a group, under its title. The messages name the place. */
export function findingLines({ level, title, members }: FoundGroup): readonly Line[] {
  const style = level === 'never' || level === 'refused' ? 'error' : 'warning';
  return [
    line(0, span(style, title), ':'),
    ...members.flatMap((alike) => {
      const { item, scopes } = alike;
      const [first = '', ...rest] = escapeLines(alikeMessage(alike));
      return [
        hanging(2, 4, span(style, `! ${item.kind}`), `  ${first}`),
        ...rest.map((text) => line(6, text)),
        ...(scopes.length === 0 ? [] : [line(6, scopeNames(scopes, escapeText))]),
      ];
    }),
    BLANK,
  ];
}

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

function foundSpans(alike: Alike<Found>): readonly (StyledSpan | string)[] {
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

/** Returns the lines of a message; none when it is undefined. */
export function messageLines(indent: number, message: string | undefined, style?: Style): readonly Line[] {
  return message === undefined
    ? []
    : escapeLines(message).map((text) => line(indent, style === undefined ? text : span(style, text)));
}

/** Returns the lines of a hint, labelled as one; none when it is undefined. */
export function hintLines(indent: number, hint: string | undefined): readonly Line[] {
  return hint === undefined
    ? []
    : escapeLines(hint).map((text, index) =>
        line(indent, ...(index === 0 ? [span('info', 'hint'), `: ${text}`] : [text])),
      );
}

/** Returns lines about what the service refuses, each with the rule and its place in the files. */
export function refusalLines(refusals: readonly ServiceRefusal[], indent: number): readonly Line[] {
  return refusals.flatMap(({ rule, description = '', cause, message, code, pointer }) => {
    const about = [
      ...(code === undefined ? [] : [`code ${code}`]),
      ...(pointer === undefined || pointer === '' ? [] : [`at ${pointer}`]),
    ].join(', ');
    const head =
      rule === undefined
        ? []
        : [
            line(
              indent,
              span('strong', describedName(rule, description)),
              ...(cause === undefined ? [] : [`  ${causeText(cause)}`]),
            ),
          ];
    const inner = rule === undefined ? indent : indent + 2;
    return [
      ...head,
      ...messageLines(inner, message),
      ...(about === '' ? [] : [line(inner, span('dim', about))]),
    ];
  });
}
