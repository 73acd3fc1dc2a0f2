import { objectOf, textOf } from '../../model/json.ts';
import { someNames } from '../../model/some-names.ts';
import { activeParts } from './page-content.ts';
import type { Parameter, Reading } from './trait.ts';

/** Reads the response of a block. */
export const blockPage: Reading = (response, parameter) => {
  const { content, content_type: type } = objectOf(response);
  return page({ content: textOf(content), type: textOf(type) }, parameter);
};

/** Reads the content of an error page; its type stands beside it, and is html without one (api.md 5.9). */
export const errorPage: Reading = (content, parameter) => {
  const { content_type: type } = objectOf(parameter.content.action_parameters);
  return page({ content: textOf(content), type: textOf(type) }, parameter);
};

/** The most parts of a page that a reason names. */
const MOST_NAMED = 3;

/** What a page does, it does as one of the zone: with its cookies, and under its name. */
function page(
  { content, type }: { readonly content: string; readonly type: string },
  { path, stand }: Parameter,
): ReturnType<Reading> {
  const parts = activeParts(content, type, stand);
  const label = `a page of the zone with ${someNames(parts, MOST_NAMED)}`;
  return parts.length === 0
    ? []
    : [
        [
          path,
          {
            role: 'permits',
            label,
            value: { content, type },
            changed: `shows another page with ${someNames(parts, MOST_NAMED)}`,
          },
        ],
      ];
}
