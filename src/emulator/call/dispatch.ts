import { auditedScope, recordAudit } from './record-audit.ts';
import type { CallOrigin } from './record-audit.ts';
import { envelope } from '../protocol/answer.ts';
import type { Answer, Envelope } from '../protocol/answer.ts';
import { badParameter, unauthorizedResource, attempt, decline, Refusal } from '../protocol/refusal.ts';
import type { Store } from '../store/store.ts';
import { accountScope, reaches, zoneScope } from './call.ts';
import type { Call, Credential, CallScope } from './call.ts';
import type { Route } from './route.ts';
import type { EmulatedService } from './service.ts';

/** An answered call: the envelope, and whether the state changed. */
export interface Dispatched {
  readonly envelope: Envelope;
  readonly wrote: boolean;
}

/**
 * Carries out one operation: checks `dry_run`, then finds the scope. The operation runs in a transaction, which is
 * undone after a refusal (unless the refusal keeps what was written) or a dry run. What it changed is written into the audit log.
 */
export function dispatch(route: Route, call: Call, origin: CallOrigin): Dispatched {
  const { service } = call;
  const scope = auditedScope(service.store, call);
  const mode = attempt(() => dryRunMode(service, route, call.query));
  if (mode instanceof Refusal) {
    return { envelope: envelope(mode), wrote: false };
  }
  const { outcome, wrote } = service.store.transact(
    () => attempt(() => carryOut(route, call)),
    (outcome) => mode === 'real' && (!(outcome instanceof Refusal) || outcome.extras.keeps === true),
  );
  const answer = envelope(outcome, mode);
  // Reads and refusals leave no entry (vendor's docs, "Audit Logs - version 2").
  if (!wrote || route.method === 'GET' || answer.status >= 400) {
    return { envelope: answer, wrote };
  }
  const id = recordAudit(service, route, { call, origin, scope, status: answer.status });
  return { envelope: { ...answer, headers: { ...answer.headers, 'cf-auditlog-id': id } }, wrote };
}

function carryOut(route: Route, call: Call): Answer {
  return route.kind === 'plain'
    ? route.handle(call)
    : route.handle({ ...call, scope: findScope(call.service.store, call.params, call.credential) });
}

// A wrong value is refused before any look-up (api.md 13.4).
function dryRunMode(service: EmulatedService, route: Route, query: URLSearchParams): 'real' | 'dry-run' {
  if (route.kind === 'plain' || route.dryRun === 'unknown' || service.switches.dryRun === 'ignored') {
    return 'real';
  }
  const value = query.get('dry_run');
  if (value === null || value === 'false') {
    return 'real';
  }
  return value === 'true' ? 'dry-run' : decline(badParameter('dry_run', value, 'it must be true or false'));
}

/**
 * Finds the zone or account that a path names. Gives the same refusal whether it is missing or the credential cannot
 * reach it.
 */
function findScope(
  store: Store,
  params: Readonly<Record<string, string>>,
  credential: Credential,
): CallScope {
  const { zone: zoneId, account: accountId } = params;
  const zone = zoneId === undefined ? undefined : store.zones.get(zoneId);
  const account = store.accounts.get(zone?.account ?? accountId ?? '');
  if (account === undefined || (zoneId !== undefined && zone === undefined)) {
    throw unauthorizedResource();
  }
  const scope = zone === undefined ? accountScope(account) : zoneScope(zone, account);
  return reaches(credential, scope) ? scope : decline(unauthorizedResource());
}
