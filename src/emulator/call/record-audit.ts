import type { Call } from './call.ts';
import type { Route } from './route.ts';
import { namedId } from '../environment/service-clock.ts';
import type { AuditContext, StoredAuditEntry } from '../records/audit-entry.ts';
import type { Account, Zone } from '../records/directory-record.ts';
import { latest } from '../records/ruleset-record.ts';
import type { Store } from '../store/store.ts';
import type { EmulatedService } from './service.ts';

/** What the audit log says of a request beside what it asks for. */
export interface CallOrigin {
  /** Whether a person in the dashboard sent it. */
  readonly from: 'api' | 'dash';
  /** The path below the base URL, without its query. */
  readonly path: string;
  readonly userAgent: string;
  /** The id of the exchange, as `cf-ray` has it. */
  readonly ray: string;
}

/** The account and the zone that a request is about; a zone may be gone once the request has been carried out. */
export interface AuditedScope {
  readonly account: Account;
  readonly zone: Zone | undefined;
}

/** Returns the account, and the zone, that the path of a request names; undefined where it names none. */
export function auditedScope(store: Store, { params }: Pick<Call, 'params'>): AuditedScope | undefined {
  const zone = store.zones.get(params['zone'] ?? '');
  const account = store.accounts.get(zone?.account ?? params['account'] ?? '');
  return account === undefined ? undefined : { account, zone };
}

/** The most entries that are kept: the oldest tenth goes when there would be more. */
const MOST_ENTRIES = 50_000;

/** Writes a request that changed something into the audit log, and returns the id of the entry, which its answer carries (api.md 1.2). */
export function recordAudit(
  service: EmulatedService,
  route: Route,
  {
    call,
    origin,
    scope,
    status,
  }: {
    readonly call: Call;
    readonly origin: CallOrigin;
    readonly scope: AuditedScope | undefined;
    readonly status: number;
  },
): string {
  const { store, clock } = service;
  const at = clock.now();
  const id = namedId('audit', origin.ray, String(at), String(store.auditLog.size()));
  if (scope === undefined) {
    return id;
  }
  const { account, zone } = scope;
  const { user, token } = call.credential;
  const entry: StoredAuditEntry = {
    id,
    account: account.id,
    at,
    actor: {
      id: user.id,
      email: user.email,
      context: contextOf(call, origin),
      token: token === undefined ? null : { id: token.id, name: token.name ?? '' },
    },
    method: route.method,
    path: origin.path,
    status,
    ray: origin.ray.split('-')[0] ?? '',
    userAgent: origin.userAgent,
    zone: zone === undefined ? null : { id: zone.id, name: zone.name },
    request: null,
    ruleset: rulesetAfter(store, origin.path),
  };
  if (store.auditLog.size() >= MOST_ENTRIES) {
    store.auditLog.load(store.auditLog.all().slice(MOST_ENTRIES / 10));
  }
  store.auditLog.set(id, entry);
  return id;
}

function contextOf({ credential }: Call, { from }: CallOrigin): AuditContext {
  return from === 'dash' ? 'dash' : credential.token === undefined ? 'api_key' : 'api_token';
}

/** Returns the ruleset that a path names, as it is now. */
function rulesetAfter(store: Store, path: string): StoredAuditEntry['ruleset'] {
  const [, owner, id, phase] =
    /^\/((?:zones|accounts)\/[0-9a-f]{32})\/rulesets\/(?:([0-9a-f]{32})|phases\/([a-z0-9_]+)\/entrypoint)(?:\/|$)/u.exec(
      path,
    ) ?? [];
  const found =
    id === undefined
      ? store.rulesets
          .group(owner ?? '')
          .find((one) => phase !== undefined && one.phase === phase && one.kind !== 'custom')
      : store.rulesets.get(id);
  if (found === undefined) {
    return null;
  }
  const { version, last_updated } = latest(found);
  return { id: found.id, version, last_updated };
}
