import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { isJsonObject, parsedJson } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { errorMessage } from '../../model/index.ts';
import type { Clock } from '../../network/index.ts';
import { usage } from '../run/usage-error.ts';
import type { WatchLease } from './watch-lease.ts';

/** A Lease of `coordination.k8s.io/v1`. */
export interface LeaseName {
  /** That of the pod when null. */
  readonly namespace: string | null;
  readonly name: string;
}

/** Where a pod finds the API server of its cluster. */
export interface ClusterAccess {
  /** `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT` are read of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder with `token`, `ca.crt` and `namespace` of the service account; where pods have it unless given. */
  readonly account?: string;
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Seconds without a renewal after which a holder is gone. */
const DURATION_SECONDS = 60;

/** Time between two renewals. */
const RENEW_MS = 10_000;

/** For so long after a renewal an API server that cannot be reached does not matter: nobody else takes the lease for a minute. */
const SURE_MS = 30_000;

const TIMEOUT_MS = 10_000;

/**
 * Returns the lease of one watcher among several in a cluster, as other controllers hold theirs: made if it is missing, and taken and renewed by a PUT with
 * the `resourceVersion` that was read, which the API server refuses when somebody else was faster. That a holder is gone is told by a lease that did not
 * change for a minute on the own clock, since clocks of nodes differ. Throws `usage/invalid` where there is no cluster.
 */
export async function openKubernetesLease(
  lease: LeaseName,
  access: ClusterAccess,
  clock: Clock,
): Promise<WatchLease> {
  const server = await openServer(lease, access);
  const identity = `${hostname()}_${randomUUID()}`;
  let seen: { readonly version: string; readonly at: number } | null = null;
  return {
    take: async () => {
      const found = await server.read();
      if (found === null) {
        const made = await server.create(specOf({}, identity, clock.now()));
        return made === null ? null : holding(server, { identity, clock, first: made });
      }
      const { holder, version } = found;
      if (seen?.version !== version) {
        seen = { version, at: clock.now() };
      }
      const isFree = holder === '' || clock.now() - seen.at > secondsOf(found.spec) * 1000;
      const taken = isFree ? await server.replace(found, specOf(found.spec, identity, clock.now())) : null;
      return taken === null ? null : holding(server, { identity, clock, first: taken });
    },
    close: () => server.close(),
  };
}

interface TakenLease {
  readonly identity: string;
  readonly clock: Clock;
  readonly first: FoundLease;
}

function holding(
  server: LeaseServer,
  { identity, clock, first }: TakenLease,
): NonNullable<Awaited<ReturnType<WatchLease['take']>>> {
  let found = first;
  let renewedAt = clock.now();
  let isLost = false;
  let renewing: Promise<void> | null = null;
  const renew = async (): Promise<void> => {
    const at = clock.now();
    const renewed = await server.replace(found, { ...found.spec, renewTime: microTime(at) });
    if (renewed !== null) {
      [found, renewedAt] = [renewed, at];
      return;
    }
    // Perhaps the answer to the last renewal was lost.
    const now = await server.read();
    if (now?.holder === identity) {
      found = now;
    } else {
      isLost = true;
    }
  };
  const isStillHeld = async (): Promise<boolean> => {
    if (isLost || clock.now() - renewedAt < RENEW_MS) {
      return !isLost;
    }
    try {
      renewing ??= renew().finally(() => {
        renewing = null;
      });
      await renewing;
    } catch (error) {
      if (clock.now() - renewedAt > SURE_MS) {
        throw error;
      }
    }
    return !isLost;
  };
  // If one renewal fails, the next may succeed.
  const beat = setInterval(() => void isStillHeld().catch(() => undefined), RENEW_MS).unref();
  return {
    isStillHeld,
    release: async () => {
      clearInterval(beat);
      await renewing?.catch(() => undefined);
      if (!isLost) {
        await server.replace(found, { ...found.spec, holderIdentity: '' }).catch(() => null);
      }
    },
  };
}

/** A lease as it was read. */
interface FoundLease {
  /** The whole object, to be sent back. */
  readonly object: JsonObject;
  readonly spec: JsonObject;
  readonly version: string;
  /** Empty when nobody holds it. */
  readonly holder: string;
}

/** What is asked of the API server; null: there is no such lease, or somebody else was faster. Rejects where it gives no usable answer. */
interface LeaseServer {
  readonly read: () => Promise<FoundLease | null>;
  readonly create: (spec: JsonObject) => Promise<FoundLease | null>;
  readonly replace: (found: FoundLease, spec: JsonObject) => Promise<FoundLease | null>;
  readonly close: () => Promise<void>;
}

async function openServer(lease: LeaseName, { env, account = ACCOUNT }: ClusterAccess): Promise<LeaseServer> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  const fromAccount = async (file: string): Promise<string> => {
    try {
      return (await readFile(join(account, file), 'utf8')).trim();
    } catch (error) {
      throw usage(
        `a lease of Kubernetes needs the service account of the pod, and its ${file} cannot be read: ${errorMessage(error)}`,
        'set automountServiceAccountToken: true in the pod, or use a file: --lease FILE',
      );
    }
  };
  if (host === '') {
    throw usage(
      'a lease of Kubernetes is for pods, and KUBERNETES_SERVICE_HOST is not set',
      'outside of a cluster, use a file that all watchers share: --lease FILE',
    );
  }
  const namespace = lease.namespace ?? (await fromAccount('namespace'));
  const agent = new Agent({
    connect: { ca: await fromAccount('ca.crt'), rejectUnauthorized: true },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const all = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const one = `${all}/${lease.name}`;
  /** Sends a request; null for the status that means no. */
  const ask = async (
    {
      method,
      path,
      no,
    }: { readonly method: 'GET' | 'POST' | 'PUT'; readonly path: string; readonly no: number },
    body?: JsonObject,
  ): Promise<FoundLease | null> => {
    const answer = await agent.request({
      origin: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      method,
      path,
      headers: {
        // A token is renewed while the pod runs.
        authorization: `Bearer ${await fromAccount('token')}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const said = parsedJson(await answer.body.text());
    if (answer.statusCode === no) {
      return null;
    }
    const found = answer.statusCode < 300 ? leaseIn(said) : null;
    if (found === null) {
      throw new Error(`${method} ${path}: ${answer.statusCode} ${messageIn(said)}`.trim());
    }
    return found;
  };
  return {
    read: () => ask({ method: 'GET', path: one, no: 404 }),
    create: (spec) =>
      ask(
        { method: 'POST', path: all, no: 409 },
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: lease.name, namespace },
          spec,
        },
      ),
    replace: ({ object }, spec) => ask({ method: 'PUT', path: one, no: 409 }, { ...object, spec }),
    close: () => agent.close(),
  };
}

function leaseIn(value: JsonValue | undefined): FoundLease | null {
  const object = isJsonObject(value) ? value : {};
  const { metadata, spec = {} } = object;
  const version = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  if (typeof version !== 'string' || !isJsonObject(spec)) {
    return null;
  }
  const holder = spec['holderIdentity'];
  return { object, spec, version, holder: typeof holder === 'string' ? holder : '' };
}

/** What an API server says of a refusal, such as a missing right. */
function messageIn(value: JsonValue | undefined): string {
  const message = isJsonObject(value) ? value['message'] : undefined;
  return typeof message === 'string' ? message : '';
}

/** Returns for how long a lease that is not renewed is its holder's, who may be another program. */
function secondsOf({ leaseDurationSeconds: seconds }: JsonObject): number {
  return typeof seconds === 'number' ? Math.max(seconds, DURATION_SECONDS) : DURATION_SECONDS;
}

function specOf({ leaseTransitions }: JsonObject, identity: string, now: number): JsonObject {
  return {
    holderIdentity: identity,
    leaseDurationSeconds: DURATION_SECONDS,
    acquireTime: microTime(now),
    renewTime: microTime(now),
    leaseTransitions: typeof leaseTransitions === 'number' ? leaseTransitions + 1 : 0,
  };
}

/** `MicroTime` of Kubernetes has six digits. */
function microTime(time: number): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}
