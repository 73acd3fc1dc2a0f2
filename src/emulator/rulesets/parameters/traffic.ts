import { flag, integer, list, map, object, text, word } from '../../decode/shape.ts';
import type { ObjectShape } from '../../decode/shape.ts';

const CONTENT_TYPES = ['application/json', 'text/html', 'text/plain', 'text/xml'];

/** A custom block response, with its bounds (api.md 5.2). */
export const block: ObjectShape = object({
  response: object(
    {
      status_code: integer(400, 499),
      content_type: text({ min: 1 }),
      content: text({ min: 1 }),
    },
    { required: ['status_code', 'content_type', 'content'] },
  ),
});

/** A page served instead of the origin's error (api.md 5.9). */
export const serveError: ObjectShape = object(
  {
    content: text({ min: 1, max: 10_240 }),
    asset_name: text({ min: 1 }),
    content_type: word(...CONTENT_TYPES),
    status_code: integer(400, 999),
  },
  { one: ['content', 'asset_name'] },
);

/** A redirect, from a list or by value (api.md 5.6). */
export const redirect: ObjectShape = object(
  {
    from_list: object(
      { name: text({ max: 50, pattern: /^[a-zA-Z0-9_]+$/u }), key: text({ min: 1 }) },
      { required: ['name', 'key'] },
    ),
    from_value: object(
      {
        target_url: object(
          { value: text({ min: 1 }), expression: text({ min: 1 }) },
          { one: ['value', 'expression'] },
        ),
        status_code: { kind: 'integer', oneOf: [301, 302, 303, 307, 308] },
        preserve_query_string: flag(),
      },
      { required: ['target_url'] },
    ),
  },
  { one: ['from_list', 'from_value'] },
);

/** A different origin for the request (api.md 5.7). */
export const route: ObjectShape = object(
  {
    host_header: text({ min: 1 }),
    origin: object({ host: text({ min: 1 }), port: integer(1, 65_535) }, { some: 'any' }),
    sni: object({ value: text({ min: 1 }) }, { required: ['value'] }),
  },
  { some: 'any' },
);

/** Points added to a score; managed rulesets only (api.md 5.8). */
export const score: ObjectShape = object({ increment: integer() }, { required: ['increment'] });

/** Compression algorithms in order of preference (api.md 5.14). */
export const compressResponse: ObjectShape = object(
  {
    algorithms: list(
      object({ name: word('none', 'auto', 'default', 'gzip', 'brotli', 'zstd') }, { required: ['name'] }),
      { min: 1 },
    ),
  },
  { required: ['algorithms'] },
);

const loggedField = object({ name: text({ min: 1 }) }, { required: ['name'] });
const loggedResponseField = object(
  { name: text({ min: 1 }), preserve_duplicates: flag() },
  { required: ['name'] },
);

/** Headers and cookies to log (api.md 5.15). */
export const logCustomField: ObjectShape = object(
  {
    request_fields: list(loggedField, { min: 1 }),
    response_fields: list(loggedResponseField, { min: 1 }),
    cookie_fields: list(loggedField, { min: 1 }),
    raw_response_fields: list(loggedResponseField, { min: 1 }),
    transformed_request_fields: list(loggedField, { min: 1 }),
  },
  { some: 'any' },
);

const replacement = (min: number, pattern?: RegExp): ObjectShape =>
  object(
    {
      value: text(pattern === undefined ? { min } : { min, pattern }),
      expression: text({ min: 1 }),
    },
    { one: ['value', 'expression'] },
  );

const header = object(
  {
    operation: word('add', 'set', 'remove'),
    value: text({ min: 1 }),
    expression: text({ min: 1 }),
  },
  {
    required: ['operation'],
    also: (value) => {
      const given = ['value', 'expression'].filter((key) => value[key] !== undefined).length;
      if (value['operation'] === 'remove') {
        return given === 0 ? undefined : { at: '', reason: 'remove takes neither value nor expression' };
      }
      return given === 1 ? undefined : { at: '', reason: 'exactly one of value, expression is required' };
    },
  },
);

/** A rewritten URL or rewritten headers; no phase allows both (api.md 5.5). */
export const rewrite: ObjectShape = object(
  {
    headers: map(header, { min: 1, key: /^[A-Za-z0-9_-]+$/u }),
    uri: object(
      { path: replacement(1, /^\//u), query: replacement(0), origin: flag() },
      { some: ['path', 'query'] },
    ),
  },
  { some: 'any' },
);
