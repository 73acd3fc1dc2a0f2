import type { AuditEntry, ChangeActor, ChangeVia } from '../model/index.ts';
import { isId } from '../model/index.ts';
import { isJsonArray, isJsonObject, objectOf, textOf } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';
import { wholeSecond } from '../text/index.ts';
import type { ReadClient } from './client.ts';
import { readPage } from './pages.ts';
import { decodeResult } from './response.ts';
import { isServiceError } from './service-error.ts';
import { auditLogPath, oldAuditLogPath } from './paths.ts';
import type { FieldReaders } from './answer-shape.ts';
import { decodeAll, optionalText } from './answer-shape.ts';

/** How much of an audit log to read. */
export interface AuditPeriod {
  /** Milliseconds since 1970; both included. */
  readonly since: number;
  readonly before: number;
  /** The most requests. */
  readonly mostPages: number;
}

/** What was read of an account's audit log, newest first. */
export interface AuditLog {
  readonly version: 'v1' | 'v2';
  readonly entries: readonly AuditEntry[];
  /** The time of the oldest entry that was read, where older ones were left out; null where all were read. */
  readonly cutAt: number | null;
}

/** The most that one page has (vendor's SDK: `limit`, at most 1,000). */
const PER_PAGE = 1000;

/** How long the service keeps entries: 18 months (vendor's docs, "Audit Logs - version 2"), counted short. */
export const AUDIT_RETENTION_MS = 540 * 86_400_000;

/**
 * Reads the audit log of an account, newest first: version 2, or the older one where that is refused as something that is not there. Rejects with the
 * error of version 2 where both are refused.
 */
export async function readAuditLog(
  client: ReadClient,
  accountId: string,
  period: AuditPeriod,
): Promise<AuditLog> {
  try {
    return await readCurrent(client, accountId, period);
  } catch (error) {
    // A token that may not read one version may not read the other; an account without version 2 has no such path.
    if (![400, 403, 404, 405].some((status) => isServiceError(error, status))) {
      throw error;
    }
    try {
      return await readOld(client, accountId, { ...period, mostPages: Math.max(1, period.mostPages - 1) });
    } catch (second) {
      throw isServiceError(second) ? error : second;
    }
  }
}

async function readCurrent(
  client: ReadClient,
  accountId: string,
  { since, before, mostPages }: AuditPeriod,
): Promise<AuditLog> {
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const response = await client.get(auditLogPath(accountId), {
      query: {
        since: wholeSecond(since),
        before: wholeSecond(before),
        direction: 'desc',
        limit: PER_PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      },
    });
    const found = decodeResult(response, decodeAll(entryOf));
    entries.push(...found.flatMap((entry) => entry ?? []));
    const next = response.resultInfo?.after;
    if (next === undefined || next === cursor || found.length === 0) {
      return { version: 'v2', entries, cutAt: null };
    }
    if (page >= mostPages) {
      return { version: 'v2', entries, cutAt: entries.at(-1)?.at ?? before };
    }
    cursor = next;
  }
}

async function readOld(
  client: ReadClient,
  accountId: string,
  { since, before, mostPages }: AuditPeriod,
): Promise<AuditLog> {
  const entries: AuditEntry[] = [];
  for (let number = 1; ; number += 1) {
    const page = await readPage(client, oldAuditLogPath(accountId), number, {
      perPage: PER_PAGE,
      query: { since: wholeSecond(since), before: wholeSecond(before), direction: 'desc' },
      decode: decodeAll(oldEntryOf),
    });
    entries.push(...page.items.flatMap((entry) => entry ?? []));
    if (number >= page.lastPage) {
      return { version: 'v1', entries, cutAt: null };
    }
    if (number >= mostPages) {
      return { version: 'v1', entries, cutAt: entries.at(-1)?.at ?? before };
    }
  }
}

/** Decodes an entry of version 2; null for one that changed nothing, or has no time. */
function entryOf(members: FieldReaders): AuditEntry | null {
  const { object } = members;
  const [action, actor, raw, resource] = ['action', 'actor', 'raw', 'resource'].map((name) =>
    objectOf(object[name]),
  );
  const at = Date.parse(textOf(action?.['time']));
  if (Number.isNaN(at) || isFailure(action?.['result'], raw?.['status_code'])) {
    return null;
  }
  const via = viaOf(textOf(actor?.['context']), textOf(actor?.['type']));
  return {
    id: textOf(object['id']),
    at,
    actor: actorOf(actor ?? {}, via),
    via,
    userAgent: textOf(raw?.['user_agent']),
    ray: rayOf(textOf(raw?.['cf_ray_id'])),
    method: textOf(raw?.['method']).toUpperCase(),
    path: pathOf(textOf(raw?.['uri'])),
    resource: textOf(resource?.['id']),
    setting: null,
    version: versionIn(resource?.['response']),
    ref: refIn(resource?.['request']),
  };
}

function isFailure(result: unknown, status: unknown): boolean {
  return result === 'failure' || result === false || (typeof status === 'number' && status >= 400);
}

const VIAS: ReadonlyMap<string, ChangeVia> = new Map([
  ['dash', 'dashboard'],
  ['api_token', 'api-token'],
  ['api_key', 'api-key'],
  ['oauth', 'oauth'],
  ['api', 'api'],
  ['origin_ca_key', 'api-key'],
]);

/** The types of actors that are the service itself (vendor's SDK: `actor.type`; `Cloudflare` and `admin` in the older version). */
const SERVICE_ACTORS = new Set(['system', 'cloudflare_admin', 'delegated_service', 'Cloudflare', 'admin']);

function viaOf(context: string, type: string): ChangeVia {
  return VIAS.get(context) ?? (SERVICE_ACTORS.has(type) ? 'service' : 'unknown');
}

function actorOf(actor: JsonObject, via: ChangeVia): ChangeActor {
  const [type, email, token] = ['type', 'email', 'token_name'].map((name) => textOf(actor[name]));
  if (SERVICE_ACTORS.has(type ?? '')) {
    return { kind: 'service', name: email ?? '' };
  }
  if (via === 'api-token' || via === 'oauth') {
    return { kind: 'token', name: token || textOf(actor['token_id']) };
  }
  if (email !== undefined && email !== '') {
    return { kind: 'user', name: email };
  }
  return type === 'account' ? { kind: 'account', name: '' } : { kind: 'unknown', name: '' };
}

/** Returns the path of a URI below the base URL. */
function pathOf(uri: string): string {
  return /\/(?:zones|accounts)\/[^?#]*/u.exec(uri)?.[0] ?? uri;
}

/** Returns the id of an exchange without the place that `cf-ray` adds to it. */
export function rayOf(ray: string): string {
  return ray.split('-', 1)[0] ?? '';
}

/** Returns the version in what the log shows of a response, which may be the whole envelope or its result. */
function versionIn(response: unknown): string | null {
  const whole = isJsonObject(response) ? response : {};
  const version = textOf(objectOf(whole['result'])['version']) || textOf(whole['version']);
  return /^[0-9]+$/u.test(version) ? version : null;
}

/** Returns the `ref` of the one rule that a request wrote; null for a list of rules. */
function refIn(request: unknown): string | null {
  const ref = isJsonObject(request) && !isJsonArray(request['rules']) ? request['ref'] : undefined;
  return typeof ref === 'string' && ref !== '' ? ref : null;
}

/** Decodes an entry of the older version, which has no path and no token (vendor's SDK: `Shared.AuditLog`). */
function oldEntryOf(members: FieldReaders): AuditEntry | null {
  const { object } = members;
  const [action, actor, resource, metadata] = ['action', 'actor', 'resource', 'metadata'].map((name) =>
    objectOf(object[name]),
  );
  const at = Date.parse(optionalText(members, 'when') ?? '');
  if (Number.isNaN(at) || isFailure(action?.['result'], null)) {
    return null;
  }
  const context = object['interface'] === 'UI' ? 'dash' : object['interface'] === 'API' ? 'api' : '';
  const via = viaOf(context, textOf(actor?.['type']));
  const [zone, name] = [textOf(metadata?.['zone_name']), textOf(metadata?.['name'])];
  return {
    id: textOf(object['id']),
    at,
    actor: actorOf(actor ?? {}, via),
    via,
    userAgent: '',
    ray: '',
    method: null,
    path: null,
    resource: isId(textOf(resource?.['id'])) ? textOf(resource?.['id']) : '',
    setting: textOf(action?.['type']) === 'change_setting' ? { zone, name } : null,
    version: null,
    ref: null,
  };
}
