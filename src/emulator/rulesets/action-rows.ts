import { object, opaque, flag, word, integer, list, map, text } from '../decode/body-shape.ts';
import type { ObjectShape, Shape } from '../decode/body-shape.ts';
import { setCacheControl, setCacheSettings, setCacheTags } from './parameters/cache-parameters.ts';
import { phaseNames } from './parameters/phase-rows.ts';

const CONTENT_TYPES = ['application/json', 'text/html', 'text/plain', 'text/xml'];

/** A custom block response, with its bounds (api.md 5.2). */
const block: ObjectShape = object({
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
const serveError: ObjectShape = object(
  {
    content: text({ min: 1, max: 10_240 }),
    asset_name: text({ min: 1 }),
    content_type: word(...CONTENT_TYPES),
    status_code: integer(400, 999),
  },
  { one: ['content', 'asset_name'] },
);

/** A redirect, from a list or by value (api.md 5.6). */
const redirect: ObjectShape = object(
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
const route: ObjectShape = object(
  {
    host_header: text({ min: 1 }),
    origin: object({ host: text({ min: 1 }), port: integer(1, 65_535) }, { some: 'any' }),
    sni: object({ value: text({ min: 1 }) }, { required: ['value'] }),
  },
  { some: 'any' },
);

/** Points added to a score; managed rulesets only (api.md 5.8). */
const score: ObjectShape = object({ increment: integer() }, { required: ['increment'] });

/** Compression algorithms in order of preference (api.md 5.14). */
const compressResponse: ObjectShape = object(
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
const logCustomField: ObjectShape = object(
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
const rewrite: ObjectShape = object(
  {
    headers: map(header, { min: 1, key: /^[A-Za-z0-9_-]+$/u }),
    uri: object(
      { path: replacement(1, /^\//u), query: replacement(0), origin: flag() },
      { some: ['path', 'query'] },
    ),
  },
  { some: 'any' },
);

const id = text({ pattern: /^[0-9a-f]{32}$/u });
const actionName = text({ pattern: /^[a-z_]+$/u });
const sensitivity = word('default', 'medium', 'low', 'eoff');

const categoryOverride = object(
  { category: text({ min: 1 }), action: actionName, enabled: flag(), sensitivity_level: sensitivity },
  { required: ['category'], some: ['action', 'enabled', 'sensitivity_level'] },
);

const ruleOverride = object(
  { id, action: actionName, enabled: flag(), score_threshold: integer(0), sensitivity_level: sensitivity },
  { required: ['id'], some: ['action', 'enabled', 'score_threshold', 'sensitivity_level'] },
);

/** A ruleset to execute, with its overrides (api.md 5.3). Only the older schema has `version`. */
const execute: ObjectShape = object(
  {
    id,
    version: text({ pattern: /^(?:latest|[0-9]+)$/u }),
    matched_data: object({ public_key: text({ min: 1 }) }, { required: ['public_key'] }),
    overrides: object({
      action: actionName,
      enabled: flag(),
      sensitivity_level: sensitivity,
      categories: list(categoryOverride, { min: 1, unique: true }),
      rules: list(ruleOverride, { min: 1, unique: true }),
    }),
  },
  { required: ['id'] },
);

const PRODUCTS = ['bic', 'hot', 'rateLimit', 'securityLevel', 'uaBlock', 'waf', 'zoneLockdown'];

/** The skip parameters that exclude each other (api.md 5.4). */
const QUARRELS = [
  ['ruleset', 'rulesets'],
  ['ruleset', 'rules'],
  ['rulesets', 'phases'],
  ...(['ruleset', 'rulesets', 'rules', 'phases'] as const).map((other) => [other, 'phase'] as const),
] as const;

/**
 * What matching requests skip (api.md 5.4). An empty list of rules stands for the whole ruleset: recorded, although the
 * newest schema requires at least one rule.
 */
const skip: ObjectShape = object(
  {
    ruleset: word('current'),
    rulesets: list(id, { min: 1 }),
    rules: map(list(id), { min: 1, key: /^[0-9a-f]{32}$/u }),
    phases: list(word(...phaseNames), { min: 1 }),
    products: list(word(...PRODUCTS), { min: 1 }),
    phase: word('current'),
  },
  {
    some: 'any',
    also: (value) => {
      const pair = QUARRELS.find(([left, right]) => value[left] !== undefined && value[right] !== undefined);
      return pair === undefined
        ? undefined
        : { at: pair[1], reason: `it cannot be used together with ${pair[0]}` };
    },
  },
);

const SWITCHES = [
  'automatic_https_rewrites',
  'bic',
  'content_converter',
  'email_obfuscation',
  'fonts',
  'hotlink_protection',
  'mirage',
  'opportunistic_encryption',
  'redirects_for_ai_training',
  'rocket_loader',
  'server_side_excludes',
  'sxg',
];

const ONLY_TRUE = [
  'disable_apps',
  'disable_pay_per_crawl',
  'disable_railgun',
  'disable_rum',
  'disable_zaraz',
];

/** Zone settings for matching requests (api.md 5.10), including deprecated and removed settings. */
const setConfig: ObjectShape = object(
  {
    ...Object.fromEntries(SWITCHES.map((name) => [name, flag()])),
    ...Object.fromEntries(ONLY_TRUE.map((name) => [name, flag(true)])),
    autominify: object({ css: flag(), html: flag(), js: flag() }),
    polish: word('off', 'lossless', 'lossy', 'webp'),
    request_body_buffering: word('none', 'standard', 'full'),
    response_body_buffering: word('none', 'standard'),
    security_level: word('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
    ssl: word('off', 'flexible', 'full', 'strict', 'origin_pull'),
  },
  { some: 'any' },
);

/** Whether and how an action takes parameters (api.md 5.1). */
export interface ActionRow {
  readonly parameters: Shape;
  /** `required`: a rule without parameters is refused, with the action's own code where it is known. */
  readonly need: 'required' | 'optional' | 'none';
  readonly missingCode?: number;
  /** Set when no phase is documented for the action; every phase that takes rules then accepts it. */
  readonly anywhere?: true;
}

const none: ActionRow = { parameters: object({}), need: 'none' };
const required = (parameters: ObjectShape, missingCode?: number): ActionRow => ({
  parameters,
  need: 'required',
  ...(missingCode === undefined ? {} : { missingCode }),
});

const actions: Readonly<Record<string, ActionRow>> = {
  block: { parameters: block, need: 'optional' },
  challenge: none,
  js_challenge: none,
  managed_challenge: none,
  log: none,
  skip: required(skip),
  execute: required(execute),
  rewrite: required(rewrite),
  redirect: required(redirect),
  route: required(route),
  score: required(score),
  serve_error: required(serveError),
  set_config: required(setConfig, 20113),
  set_cache_settings: required(setCacheSettings, 20106),
  set_cache_control: required(setCacheControl),
  set_cache_tags: required(setCacheTags),
  compress_response: required(compressResponse),
  log_custom_field: required(logCustomField),
  // The newest schema has one undocumented member; nothing more is known (api.md 5.16).
  transform_response_html: { ...required(object({ link_maze: opaque })), anywhere: true },
  ddos_dynamic: none,
  ddos_mitigation: none,
  force_connection_close: none,
  connection_close: none,
  allow: none,
};

/** The row for any action of a newer service: takes any parameters, in every phase. */
export const NEWER_ACTION: ActionRow = {
  parameters: opaque,
  need: 'optional',
  anywhere: true,
};

/** Returns the row of an action, or undefined when there is no such action. */
export function actionRow(action: string): ActionRow | undefined {
  return Object.hasOwn(actions, action) ? actions[action] : undefined;
}
