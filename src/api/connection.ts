import type { Answer } from './answer.ts';
import type { RequestBudget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { Credentials } from './credentials.ts';
import type { ServiceRequest } from './request.ts';
import type { TraceEvent } from './trace.ts';

/** How to reach the service. */
export interface ConnectionOptions {
  /** Such as `https://api.cloudflare.com/client/v4`; a closing slash is ignored. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Shared by all clients that use the same credentials. */
  readonly budget: RequestBudget;
  readonly clock?: Clock;
  /** For one attempt, from connecting to the last byte; 60,000 ms unless given. */
  readonly timeoutMs?: number;
  /** Requests in flight at the same time; 8 unless given. */
  readonly concurrency?: number;
  readonly userAgent?: string;
  /** Stops everything that runs or waits. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: TraceEvent) => void;
  /** From 0 to 1, for the spread of retries; `Math.random` unless given. */
  readonly random?: () => number;
  /** The longest wait that the service may ask for; 330,000 ms unless given. */
  readonly maxWaitMs?: number;
}

/** The way to the service that all clients share. */
export interface Connection {
  readonly baseUrl: string;
  request(request: ServiceRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** SIGNATURE ONLY for now. */
export function createConnection(options: ConnectionOptions): Connection {
  throw new Error(`not there yet ${options.baseUrl}`);
}
