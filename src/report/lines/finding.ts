import { alikeMessage, scopeNames } from '../alike-scopes.ts';
import type { FoundGroup } from '../attention-groups.ts';
import { escapeLines, escapeText } from '../escape.ts';
import type { Line } from '../layout.ts';
import { BLANK, hanging, line, span } from '../layout.ts';

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
