import type { WaitReason } from './budget.ts';
import type { Clock } from '../network/clock.ts';
import type { Dispatch, WireRequest } from './dispatch.ts';

/** What every event says about its request. */
export interface TracedRequest {
  /** Counts requests of one client from 1; attempts of one request share it. */
  readonly id: number;
  readonly method: string;
  /** Path with query, below the base URL. */
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
}

/** What happens on the wire, as it happens; no event carries a header, a body or a secret. */
export type TraceEvent =
  | ({ readonly kind: 'started' } & TracedRequest)
  | ({
      readonly kind: 'answered';
      readonly status: number;
      readonly rayId: string | null;
      readonly ms: number;
      readonly bytes: number;
      /** The service's clock (`Date`), as it gave it. */
      readonly date?: string;
    } & TracedRequest)
  | ({ readonly kind: 'broken'; readonly reason: string; readonly ms: number } & TracedRequest)
  | ({ readonly kind: 'retrying'; readonly reason: string; readonly ms: number } & TracedRequest)
  /** The first call of a route that the service retires: the registry's row and path. */
  | ({ readonly kind: 'deprecated'; readonly deprecation: string; readonly route: string } & TracedRequest)
  | ({ readonly kind: 'waiting'; readonly reason: WaitReason; readonly ms: number } & TracedRequest);

/** Reports the start and the end of each attempt. */
export function withTrace(
  dispatch: Dispatch,
  options: { readonly clock: Clock; readonly report: (event: TraceEvent) => void },
): Dispatch {
  const { clock, report } = options;
  return async (request) => {
    const about = traced(request);
    report({ kind: 'started', ...about });
    const start = clock.now();
    const result = await dispatch(request);
    const ms = clock.now() - start;
    if (result.kind === 'answered') {
      const { status, headers, text } = result;
      const rayId = headers.get('cf-ray') ?? null;
      const date = headers.get('date');
      const told = date === undefined ? {} : { date };
      report({ kind: 'answered', ...about, status, rayId, ms, bytes: Buffer.byteLength(text), ...told });
    } else {
      report({ kind: 'broken', ...about, reason: result.detail, ms });
    }
    return result;
  };
}

/** What every event says about its request. */
export function traced(request: WireRequest): TracedRequest {
  return { id: request.id, method: request.method, path: request.target, attempt: request.attempt };
}
