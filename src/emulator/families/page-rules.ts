import type { Call } from '../call/call.ts';
import { integer, list, object, opaque, text } from '../decode/body-shape.ts';
import { checkWord } from '../listing/list-page.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { isObject, listAt, numberAt, objectAt, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { decline, refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { StoredDocument } from '../records/document-record.ts';
import { mergedMembers, replaced } from './family.ts';
import type { Family } from './family.ts';

/** The values that an action of a page rule takes. */
type PageRuleValues =
  | { readonly kind: 'none' | 'none or true' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'text' | 'number' | 'object' };

const none = { kind: 'none' } as const;
const onOff = words('on', 'off');

/** The actions by id (api.md 9.7 and the newest schema). */
const actions: Readonly<Record<string, PageRuleValues>> = {
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
function actionsProblems(given: readonly unknown[]): readonly string[] {
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

function actionProblems(action: WireObject): readonly string[] {
  const id = textAt(action, 'id') ?? '';
  const values = Object.hasOwn(actions, id) ? actions[id] : undefined;
  if (values === undefined) {
    return [`'${id}' is not a known action`];
  }
  return takes(values, action['value'])
    ? []
    : [`${JSON.stringify(action['value'] ?? null)} is not a valid value for ${id}`];
}

function takes(values: PageRuleValues, value: unknown): boolean {
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

function words(...all: readonly string[]): PageRuleValues {
  return { kind: 'words', words: all };
}

/** Page rules (api.md 9.7); the service's defaults are priority 1 and disabled (newest schema). */
export const pageRules = {
  path: '/pagerules',
  holds: 'collection',
  noun: 'page rule',
  access: ['Page Rules'],
  writes: { POST: replaced, PUT: replaced, PATCH: mergedMembers },
  deletes: true,
  quota: {
    max: { free: 3, pro: 20, business: 50, enterprise: 125 },
    binds: 'additions',
    exceeded: (max) => validationFailed([`the limit of ${max} page rules has been reached`]),
  },
  stamped: true,
  // JSON types only: all problems are reported at once.
  body: object({
    targets: list(object({ target: text(), constraint: object({ operator: text(), value: text() }) })),
    actions: list(object({ id: text(), value: opaque })),
    priority: integer(),
    status: text(),
  }),
  standard: { targets: [], actions: [], priority: 1, status: 'disabled' },
  fill: checkedPageRule,
  list: listPageRules,
} as const satisfies Family;

/** Refuses a page rule that is not valid; the messages list all problems. */
function checkedPageRule(body: WireObject): WireObject {
  const targets = listAt(body, 'targets').filter(isObject);
  const problems = [
    ...(targets.length === 1 ? [] : ['exactly one target is required']),
    ...targets.flatMap(targetProblems),
    ...actionsProblems(listAt(body, 'actions')),
    ...(['active', 'disabled'].includes(textAt(body, 'status') ?? '')
      ? []
      : ['status must be active or disabled']),
    ...((numberAt(body, 'priority') ?? 1) < 1 ? ['priority must be at least 1'] : []),
  ];
  return problems.length === 0 ? body : decline(validationFailed(problems));
}

function targetProblems(target: WireObject): readonly string[] {
  const constraint = objectAt(target, 'constraint') ?? {};
  return [
    ...(textAt(target, 'target') === 'url' ? [] : ['target must be url']),
    ...(textAt(constraint, 'operator') === 'matches' ? [] : ['operator must be matches']),
    ...((textAt(constraint, 'value') ?? '') === '' ? ['the url of a target cannot be blank'] : []),
  ];
}

// The code and text of the error are as users report them; the texts of the messages are assumed.
function validationFailed(problems: readonly string[]): Refusal {
  return refuse(400, 'Page Rule validation failed: See messages for details.', {
    code: 1004,
    messages: problems.map((message) => ({ code: 1, message, type: null })),
  });
}

/** The possible values of the query parameters. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['active', 'disabled'],
  order: ['priority', 'status'],
  direction: ['desc', 'asc'],
  match: ['all', 'any'],
};

/**
 * GET page rules: all in one answer, without pages (api.md 1.3). As in recorded answers, the highest priority comes
 * first, and without `status` active rules are included, although the schema says that disabled rules are the default.
 */
function listPageRules(
  { query }: Pick<Call, 'query'>,
  all: readonly StoredDocument[],
  show: (document: StoredDocument) => WireObject,
): Answer {
  for (const [name, words] of Object.entries(WORDS)) {
    checkWord(query, name, words);
  }
  const status = query.get('status');
  const sign = query.get('direction') === 'asc' ? 1 : -1;
  const compare = query.get('order') === 'status' ? byStatus : byPriority;
  const rules = all
    .map(show)
    .filter((rule) => status === null || textAt(rule, 'status') === status)
    .toSorted((a, b) => sign * compare(a, b));
  return result(rules);
}

function byPriority(a: WireObject, b: WireObject): number {
  return (numberAt(a, 'priority') ?? 0) - (numberAt(b, 'priority') ?? 0);
}

function byStatus(a: WireObject, b: WireObject): number {
  return (textAt(a, 'status') ?? '').localeCompare(textAt(b, 'status') ?? '');
}
