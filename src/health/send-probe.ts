import { lookup as resolveName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { ProbeReach, ProbeTarget } from './probe-reach.ts';
import { addressProblem, probeTarget } from './probe-reach.ts';

/** Returns the addresses of a host. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const resolveBySystem: ResolveHost = async (host) =>
  (await resolveName(host, { all: true, verbatim: true })).map(({ address }) => address);

/** What probes are sent with. */
export interface ProbeMeans {
  readonly reach: ProbeReach;
  /** The system's resolver unless given. */
  readonly resolve?: ResolveHost | undefined;
  /** The longest that one attempt may take, from the first name to the last header; 10,000 ms unless given. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a probe. `refused`: it was not sent, since it would reach what probes must not. */
export type ProbeAnswer =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

const TIMEOUT_MS = 10_000;

/** How often a redirect to the same host is followed. */
const MOST_REDIRECTS = 5;

/**
 * Sends a GET without credentials, cookies and proxy, and reads the status only: no body. It connects to the very address that was checked, so a
 * name cannot lead elsewhere between check and connection. Redirects are followed within the host, unless their status is one that is expected; each
 * is checked anew. Certificates are verified, whatever the environment says. Throws when the run is interrupted.
 */
export async function sendProbe(
  url: string,
  expect: readonly number[],
  means: ProbeMeans,
): Promise<ProbeAnswer> {
  const { signal, timeoutMs = TIMEOUT_MS } = means;
  const until = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? until : AbortSignal.any([signal, until]);
  try {
    return await follow(url, expect, { ...means, signal: either, timeoutMs });
  } catch (error) {
    signal?.throwIfAborted();
    return {
      kind: 'failed',
      why: until.aborted ? `no answer within ${timeoutMs} ms` : `no answer (${reasonOf(error)})`,
    };
  }
}

type ProbeSending = ProbeMeans & { readonly signal: AbortSignal; readonly timeoutMs: number };

async function follow(first: string, expect: readonly number[], means: ProbeSending): Promise<ProbeAnswer> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const target = probeTarget(url, means.reach);
    if (target.kind === 'refused') {
      return hops === 0
        ? target
        : { kind: 'failed', why: `it redirects to where probes do not go: ${target.why}` };
    }
    const answer = await ask(target, means);
    if (answer.kind !== 'answered') {
      return answer;
    }
    const { status, location } = answer;
    if (expect.includes(status) || location === undefined || status < 300 || status > 399) {
      return { kind: 'answered', status };
    }
    const next = URL.canParse(location, target.url.href) ? new URL(location, target.url.href) : undefined;
    if (next === undefined || next.hostname !== target.url.hostname) {
      return {
        kind: 'failed',
        why: `status ${status}, a redirect to ${next?.hostname ?? 'no URL'}, which probes do not follow`,
      };
    }
    url = next.href;
  }
  return { kind: 'failed', why: `more than ${MOST_REDIRECTS} redirects` };
}

type ProbeResponse =
  | { readonly kind: 'answered'; readonly status: number; readonly location: string | undefined }
  | Extract<ProbeAnswer, { readonly kind: 'refused' | 'failed' }>;

/** Asks one URL. The name is resolved once; if any of its addresses must not be reached, none is. */
async function ask(
  target: Extract<ProbeTarget, { readonly kind: 'target' }>,
  { resolve = resolveBySystem, signal, timeoutMs }: ProbeSending,
): Promise<ProbeResponse> {
  const { url } = target;
  const host = url.hostname.replaceAll(/^\[|\]$/gu, '');
  const addresses = isIP(host) === 0 ? await untilAborted(resolve(host), signal) : [host];
  const problem = addresses
    .map((address) => addressProblem(address, target))
    .find((one) => one !== undefined);
  if (problem !== undefined) {
    return { kind: 'refused', why: problem };
  }
  if (addresses.length === 0) {
    return { kind: 'failed', why: `${host} has no address` };
  }
  const { Agent, request } = await import('undici');
  const agent = new Agent({
    connections: 1,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeoutMs,
    connect: { lookup: only(addresses), timeout: timeoutMs, rejectUnauthorized: true },
  });
  try {
    const { statusCode, headers, body } = await request(url, {
      method: 'GET',
      headers: { accept: '*/*', 'user-agent': 'rulewright' },
      dispatcher: agent,
      signal,
    });
    body.on('error', () => undefined).destroy();
    const { location } = headers;
    return {
      kind: 'answered',
      status: statusCode,
      location: typeof location === 'string' ? location : undefined,
    };
  } finally {
    await agent.destroy();
  }
}

/** A look-up that knows the addresses that were checked, and no other. */
function only(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, options, callback) => {
    const [first] = known;
    if (options.all === true) {
      callback(null, known);
    } else {
      callback(null, first?.address ?? '', first?.family ?? 4);
    }
  };
}

async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) {
    return reasonOf(error.errors[0]);
  }
  if (!(error instanceof Error)) {
    return 'unknown';
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
