import { isObject, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';

/** The values that an action of a page rule takes. */
type Values =
  | { readonly kind: 'none' | 'none or true' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'text' | 'number' | 'object' };

const none = { kind: 'none' } as const;
const onOff = words('on', 'off');

/** The actions by id (api.md 9.7 and the newest schema). */
const actions: Readonly<Record<string, Values>> = {
  always_online: onOff,
  always_use_https: none,
  automatic_https_rewrites: onOff,
  browser_cache_ttl: { kind: 'number' },
  browser_check: onOff,
  bypass_cache_on_cookie: { kind: 'text' },
  cache_by_device_type: onOff,
  cache_deception_armor: onOff,
  cache_key_fields: { kind: 'object' },
  cache_level: words('bypass', 'basic', 'simplified', 'aggressive', 'cache_everything'),
  cache_on_cookie: { kind: 'text' },
  cache_ttl_by_status: { kind: 'object' },
  // The vendor's Terraform provider sends `true` (api.md 9.9); the schema has no value.
  disable_apps: { kind: 'none or true' },
  disable_performance: none,
  disable_security: none,
  disable_zaraz: none,
  edge_cache_ttl: { kind: 'number' },
  email_obfuscation: onOff,
  explicit_cache_control: onOff,
  forwarding_url: { kind: 'object' },
  host_header_override: { kind: 'text' },
  ip_geolocation: onOff,
  mirage: onOff,
  opportunistic_encryption: onOff,
  origin_error_page_pass_thru: onOff,
  polish: words('off', 'lossless', 'lossy'),
  resolve_override: { kind: 'text' },
  respect_strong_etag: onOff,
  response_buffering: onOff,
  rocket_loader: onOff,
  security_level: words('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
  server_side_exclude: onOff,
  sort_query_string_for_cache: onOff,
  ssl: words('off', 'flexible', 'full', 'strict', 'origin_pull'),
  true_client_ip_header: onOff,
  waf: onOff,
};

/** Returns what is wrong with the actions of a page rule, one sentence for each problem (texts assumed). */
export function actionsProblems(given: readonly unknown[]): readonly string[] {
  const ids = given.filter(isObject).map((action) => textAt(action, 'id') ?? '');
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...(given.length === 0 ? ['at least one action is required'] : []),
    ...given.filter(isObject).flatMap(actionProblems),
    ...twice.map((id) => `the action ${id} may stand in a rule once only`),
    ...(ids.includes('forwarding_url') && ids.length > 1
      ? ['forwarding_url cannot be combined with other actions']
      : []),
  ];
}

function actionProblems(action: JsonObject): readonly string[] {
  const id = textAt(action, 'id') ?? '';
  const values = Object.hasOwn(actions, id) ? actions[id] : undefined;
  if (values === undefined) {
    return [`'${id}' is not a known action`];
  }
  return takes(values, action['value'])
    ? []
    : [`${JSON.stringify(action['value'] ?? null)} is not a valid value for ${id}`];
}

function takes(values: Values, value: unknown): boolean {
  switch (values.kind) {
    case 'none':
      return value === undefined;
    case 'none or true':
      return value === undefined || value === true;
    case 'words':
      return typeof value === 'string' && values.words.includes(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === (values.kind === 'text' ? 'string' : 'number');
  }
}

function words(...all: readonly string[]): Values {
  return { kind: 'words', words: all };
}
