import type { WireObject } from '../../protocol/wire-object.ts';
import { either, flag, integer, list, map, object, text, word } from '../../decode/body-shape.ts';
import type { SchemaViolation, ObjectShape, Shape } from '../../decode/body-shape.ts';

/** The longest TTL of a status code, in seconds (api.md 5.11). */
const MAX_TTL = 31_536_000;

const ttlDefault = (value: WireObject): SchemaViolation | undefined => {
  const overrides = value['mode'] === 'override_origin';
  if (overrides === (value['default'] !== undefined)) {
    return undefined;
  }
  return {
    at: 'default',
    reason: overrides ? 'it is required with override_origin' : 'it is only allowed with override_origin',
  };
};

const statusCodeTtl = object(
  {
    value: integer(-1, MAX_TTL),
    status_code: integer(100, 999),
    status_code_range: object({ from: integer(100, 999), to: integer(100, 999) }, { some: 'any' }),
  },
  { required: ['value'], one: ['status_code', 'status_code_range'] },
);

// The forms in the schema and on the wire: "*", ["*"], ["a"], {list: ["a"]}, {all: true} (api.md 5.11).
const queryNames: Shape = either({
  text: word('*'),
  list: list(text({ min: 1 }), { min: 1 }),
  object: object({ list: list(text({ min: 1 }), { min: 1 }), all: flag(true) }, { one: ['list', 'all'] }),
});

const onlyOne = (value: WireObject): SchemaViolation | undefined =>
  Object.keys(value).length > 1
    ? { at: '', reason: 'only one of include, exclude, ignore is allowed' }
    : undefined;

const names = list(text({ min: 1 }));

const customKey = object({
  query_string: object({ include: queryNames, exclude: queryNames, ignore: flag() }, { also: onlyOne }),
  header: object({
    include: names,
    check_presence: names,
    contains: map(list(text(), { min: 1 })),
    exclude_origin: flag(),
  }),
  cookie: object({ include: names, check_presence: names }),
  user: object({ device_type: flag(), geo: flag(), lang: flag() }),
  host: object({ resolved: flag() }),
});

const varyHeader = object(
  {
    action: word('bypass', 'passthrough', 'normalize'),
    media_types: list(text({ min: 1, max: 255 }), { max: 10 }),
    languages: list(text({ min: 1, max: 64 }), { max: 20 }),
  },
  { required: ['action'] },
);

const vary = object(
  {
    default: object({ action: word('bypass', 'passthrough', 'normalize') }, { required: ['action'] }),
    headers: map(varyHeader, {
      max: 50,
      key: /^[a-z0-9_-]{1,128}$/u,
      also: (value) => {
        const strange = Object.entries(value).find(([name, header]) => misplacedVaryList(name, header));
        return strange === undefined
          ? undefined
          : { at: strange[0], reason: 'media_types belong to accept, languages to accept-language' };
      },
    }),
  },
  { required: ['default'] },
);

function misplacedVaryList(name: string, header: unknown): boolean {
  const has = (key: string) => typeof header === 'object' && header !== null && Object.hasOwn(header, key);
  return (has('media_types') && name !== 'accept') || (has('languages') && name !== 'accept-language');
}

/** How matching requests are cached (api.md 5.11). */
export const setCacheSettings: ObjectShape = object(
  {
    cache: flag(),
    additional_cacheable_ports: list(integer(1, 65_535), { min: 1 }),
    browser_ttl: object(
      {
        mode: word('respect_origin', 'bypass_by_default', 'override_origin', 'bypass'),
        default: integer(0),
      },
      { required: ['mode'], also: ttlDefault },
    ),
    edge_ttl: object(
      {
        mode: word('respect_origin', 'bypass_by_default', 'override_origin'),
        default: integer(0),
        status_code_ttl: list(statusCodeTtl, { min: 1 }),
      },
      { required: ['mode'], also: ttlDefault },
    ),
    // The vendor's own tests write these objects, and custom_key, without members.
    cache_key: object({
      cache_by_device_type: flag(),
      cache_deception_armor: flag(),
      ignore_query_strings_order: flag(),
      custom_key: customKey,
    }),
    cache_reserve: object({ eligible: flag(), minimum_file_size: integer(0) }, { required: ['eligible'] }),
    origin_cache_control: flag(),
    // Announced on 2026-09-02; its form is assumed.
    origin_range_requests: object({ enabled: flag() }, { required: ['enabled'] }),
    origin_error_page_passthru: flag(),
    respect_strong_etags: flag(),
    read_timeout: integer(100, 6000),
    serve_stale: object({ disable_stale_while_updating: flag() }),
    shared_dictionary: object({ match_pattern: text({ min: 1 }) }, { required: ['match_pattern'] }),
    strip_etags: flag(),
    strip_last_modified: flag(),
    strip_set_cookie: flag(),
    vary,
  },
  { some: 'any' },
);

const operation = word('set', 'remove');
const plain = object({ operation, cloudflare_only: flag() }, { required: ['operation'] });
const qualified = object(
  { operation, cloudflare_only: flag(), qualifiers: list(text({ min: 1 }), { min: 1 }) },
  { required: ['operation'] },
);
const timed = object(
  { operation, cloudflare_only: flag(), value: integer(0) },
  {
    required: ['operation'],
    also: (value) =>
      (value['operation'] === 'set') === (value['value'] !== undefined)
        ? undefined
        : { at: 'value', reason: 'it is required with set and not allowed with remove' },
  },
);

/** Directives of the response's Cache-Control header (api.md 5.12). */
export const setCacheControl: ObjectShape = object(
  {
    immutable: plain,
    'max-age': timed,
    'must-revalidate': plain,
    'must-understand': plain,
    'no-cache': qualified,
    'no-store': plain,
    'no-transform': plain,
    private: qualified,
    'proxy-revalidate': plain,
    public: plain,
    's-maxage': timed,
    'stale-if-error': timed,
    'stale-while-revalidate': timed,
  },
  { some: 'any' },
);

/** Cache tags of the response (api.md 5.13). */
export const setCacheTags: ObjectShape = object(
  {
    operation: word('add', 'remove', 'set'),
    values: list(text({ min: 1 }), { min: 1 }),
    expression: text({ min: 1 }),
  },
  { required: ['operation'], one: ['values', 'expression'] },
);
