import { checkPermission } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { inAccounts } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { byValue, checkWord, pageOf, readNumber, readPage, testsOf } from '../listing/list-page.ts';
import type { Narrowings } from '../listing/list-page.ts';
import { result } from '../protocol/answer.ts';
import type { Answer, Method } from '../protocol/answer.ts';
import { badParameter, decline, noRoute } from '../protocol/refusal.ts';
import type { StoredAuditEntry } from '../records/audit-entry.ts';

/** How long entries are kept: 18 months (vendor's docs, "Audit Logs - version 2"). */
const RETENTION_MS = 18 * 30 * 86_400_000;

/** How long an entry takes to appear with `auditDelay: minutes` (length assumed). */
const DELAY_MS = 120_000;

const ACTIONS: Readonly<Record<Method, string>> = {
  GET: 'view',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

/** Filters of version 2, each of one value (vendor's SDK, `AuditListParams`; those that leave out are not here). */
const V2_FILTERS: Narrowings<StoredAuditEntry> = {
  id: byValue(({ id }) => id),
  audit_log_id: byValue(({ id }) => id),
  action_type: byValue(({ method }) => ACTIONS[method]),
  actor_context: byValue(({ actor }) => actor.context),
  actor_email: byValue(({ actor }) => actor.email),
  actor_token_id: byValue(({ actor }) => actor.token?.id ?? ''),
  actor_token_name: byValue(({ actor }) => actor.token?.name ?? ''),
  raw_cf_ray_id: byValue(({ ray }) => ray),
  raw_method: byValue(({ method }) => method),
  raw_uri: byValue(({ path }) => path),
  resource_id: byValue((entry) => resourceId(entry)),
  resource_product: byValue((entry) => productOf(entry)),
  zone_id: byValue(({ zone }) => zone?.id ?? ''),
  zone_name: byValue(({ zone }) => zone?.name ?? ''),
};

/** GET accounts/:account/logs/audit: version 2, by cursor. */
function listEntries(call: ScopedCall): Answer {
  requireVersion(call, 'v2');
  const { query } = call;
  const limit = readNumber(query, 'limit', { min: 1, max: 1000, standard: 100 });
  const entries = found(call, { bounds: 'required', filters: V2_FILTERS });
  const cursor = query.get('cursor');
  const start = cursor === null ? 0 : afterCursor(entries, cursor);
  const shown = entries.slice(start, start + limit);
  const last = shown.at(-1);
  const more = start + limit < entries.length && last !== undefined;
  return result(
    shown.map((entry) => showEntry(call, entry)),
    { count: shown.length, cursors: more ? { after: cursorOf(last) } : {} },
  );
}

/** GET accounts/:account/audit_logs: version 1, by page. */
function listOldEntries(call: ScopedCall): Answer {
  requireVersion(call, 'v1');
  const page = readPage(call.query, { min: 1, max: 1000, standard: 100 });
  const filters: Narrowings<StoredAuditEntry> = {
    id: byValue(({ id }) => id),
    'actor.email': byValue(({ actor }) => actor.email),
    'zone.name': byValue(({ zone }) => zone?.name ?? ''),
  };
  return pageOf(found(call, { bounds: 'optional', filters }), page, (entry) => showOldEntry(call, entry));
}

/** Refuses a version that the switch says the service does not have. */
function requireVersion(call: ScopedCall, version: 'v1' | 'v2'): void {
  const { auditLog } = call.service.switches;
  if (auditLog === 'none' || (version === 'v2' && auditLog === 'v1')) {
    throw noRoute(`/accounts/${call.scope.account.id}/${version === 'v2' ? 'logs/audit' : 'audit_logs'}`);
  }
  checkPermission(call, 'Read', ['Account Settings']);
}

/** Returns the entries that a query asks for, newest first unless it says otherwise. */
function found(
  { service, query, scope }: ScopedCall,
  {
    bounds,
    filters,
  }: { readonly bounds: 'required' | 'optional'; readonly filters: Narrowings<StoredAuditEntry> },
): readonly StoredAuditEntry[] {
  checkWord(query, 'direction', ['asc', 'desc']);
  const now = service.clock.now();
  const since = momentIn(query, 'since', bounds) ?? 0;
  const before = momentIn(query, 'before', bounds) ?? Number.MAX_SAFE_INTEGER;
  const newest = service.switches.auditDelay === 'minutes' ? now - DELAY_MS : Number.MAX_SAFE_INTEGER;
  const tests = testsOf(query, filters);
  const entries = service.store.auditLog
    .group(scope.account.id)
    .filter(({ at }) => at >= Math.max(since, now - RETENTION_MS) && at <= Math.min(before, newest))
    .filter((entry) => tests.every((test) => test(entry)))
    .toSorted((one, other) => one.at - other.at);
  return query.get('direction') === 'asc' ? entries : entries.toReversed();
}

/** Reads a time: a whole day in UTC, or a moment. */
function momentIn(
  query: URLSearchParams,
  name: 'since' | 'before',
  bounds: 'required' | 'optional',
): number | undefined {
  const text = query.get(name);
  if (text === null && bounds === 'optional') {
    return undefined;
  }
  const day = /^\d{4}-\d{2}-\d{2}$/u.test(text ?? '');
  const time = Date.parse(day && name === 'before' ? `${text}T23:59:59.999Z` : (text ?? ''));
  return Number.isNaN(time)
    ? decline(badParameter(name, text ?? '', 'it must be a date or a time in RFC 3339'))
    : time;
}

function cursorOf({ id }: StoredAuditEntry): string {
  return Buffer.from(id).toString('base64url');
}

function afterCursor(entries: readonly StoredAuditEntry[], cursor: string): number {
  const id = Buffer.from(cursor, 'base64url').toString();
  const at = entries.findIndex((entry) => entry.id === id);
  return at === -1 ? decline(badParameter('cursor', cursor, 'it is not one of this list')) : at + 1;
}

function showEntry(call: ScopedCall, entry: StoredAuditEntry): unknown {
  const { id, at, actor, method, path, status, ray, userAgent, zone, request, ruleset } = entry;
  const { account } = call.scope;
  return {
    id,
    account: { id: account.id, name: account.name },
    action: {
      description: `${ACTIONS[method]} ${productOf(entry)}`,
      result: 'success',
      time: new Date(at).toISOString(),
      type: ACTIONS[method],
    },
    actor: {
      id: actor.id,
      context: actor.context,
      email: actor.email,
      ip_address: '127.0.0.1',
      ...(actor.token === null ? {} : { token_id: actor.token.id, token_name: actor.token.name }),
      type: 'user',
    },
    raw: { cf_ray_id: ray, method, status_code: status, uri: path, user_agent: userAgent },
    resource: {
      id: resourceId(entry),
      product: productOf(entry),
      ...(request === null ? {} : { request }),
      ...(ruleset === null ? {} : { response: { result: ruleset } }),
      scope: zone === null ? 'accounts' : 'zones',
      type: productOf(entry),
    },
    ...(zone === null ? {} : { zone }),
  };
}

/** An entry as the older version has it: no path, no token (what `metadata` holds differs by action). */
function showOldEntry(call: ScopedCall, entry: StoredAuditEntry): unknown {
  const { id, at, actor, method, zone } = entry;
  const setting = settingOf(entry);
  return {
    id,
    action: {
      result: true,
      type: setting === undefined ? `${ACTIONS[method]}_${productOf(entry)}` : 'change_setting',
    },
    actor: { email: actor.email, id: actor.id, ip: '127.0.0.1', type: 'user' },
    interface: actor.context === 'dash' ? 'UI' : 'API',
    metadata: {
      ...(zone === null ? {} : { zone_name: zone.name }),
      ...(setting === undefined ? {} : { name: setting }),
    },
    newValue: '',
    oldValue: '',
    owner: { id: call.scope.account.id },
    resource: { id: resourceId(entry), type: productOf(entry) },
    when: new Date(at).toISOString(),
  };
}

/** The product that a path is about: `rulesets`, `lists`, `settings` (names assumed). */
function productOf({ path }: StoredAuditEntry): string {
  const [, , , first = 'zone', second = ''] = path.split('/');
  return first === 'rules' ? second : first;
}

/** The id of what a path names: that of the ruleset for a rule of it. */
function resourceId({ path, ruleset, zone, account }: StoredAuditEntry): string {
  const [, , , ...inner] = path.split('/');
  return ruleset?.id ?? inner.find((part) => /^[0-9a-f]{32}$/u.test(part)) ?? zone?.id ?? account;
}

function settingOf({ path }: StoredAuditEntry): string | undefined {
  return /^\/zones\/[0-9a-f]{32}\/settings\/([a-z0-9_]+)$/u.exec(path)?.[1];
}

/** The audit log of an account, in its two versions. */
export const auditRoutes: readonly Route[] = [
  inAccounts('GET', '/logs/audit', listEntries),
  inAccounts('GET', '/audit_logs', listOldEntries),
];
