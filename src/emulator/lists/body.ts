import { flag, integer, list, object, text, word } from '../decode/shape.ts';
import { listKinds } from '../records/list.ts';

const MAX_DESCRIPTION_LENGTH = 500;

const description = text({ max: MAX_DESCRIPTION_LENGTH });

/** The fields of a new list; names as in api.md 8.2. */
export const createFields = {
  name: text({ pattern: /^[a-z0-9_]+$/u, max: 50 }),
  kind: word(...listKinds),
  description,
};

/** The body of POST for a list. */
export const createBody = object(createFields, { required: ['name', 'kind'] });

/** The body of PUT for a list: only the description can change (api.md 9.8). */
export const updateBody = object({ description });

const redirect = object(
  {
    source_url: text({ min: 1 }),
    target_url: text({ min: 1 }),
    status_code: { kind: 'integer', oneOf: [301, 302, 307, 308] },
    include_subdomains: flag(),
    subpath_matching: flag(),
    preserve_query_string: flag(),
    preserve_path_suffix: flag(),
  },
  { required: ['source_url', 'target_url'] },
);

/** One item that a client sends: exactly one of the four kinds of value, and a comment. */
export const itemBody = object(
  {
    ip: text({ min: 1 }),
    hostname: object(
      {
        url_hostname: text({ pattern: /^(?:\*\.)?[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/u, max: 255 }),
        exclude_exact_hostname: flag(),
      },
      { required: ['url_hostname'] },
    ),
    asn: integer(0, 4_294_967_295),
    redirect,
    comment: text({ max: MAX_DESCRIPTION_LENGTH }),
  },
  { one: listKinds },
);

/** The body of DELETE for items. */
export const deleteBody = object(
  { items: list(object({ id: text({ pattern: /^[0-9a-f]{32}$/u }) }, { required: ['id'] }), { min: 1 }) },
  { required: ['items'] },
);
