import type { Clock } from '../network/index.ts';
import type { WaitReason } from './budget.ts';
import type { Dispatch, WireRequest } from './request.ts';

/** What every event says about its request. */
export interface TracedRequest {
  /** The number of the request within its client, from 1; all attempts of a request share it. */
  readonly id: number;
  readonly method: string;
  /** Path with query, relative to the base URL. */
  readonly path: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** An event on the wire. No event carries a header, a body or a secret. */
export type TraceEvent =
  | ({ readonly kind: 'started' } & TracedRequest)
  | ({
      readonly kind: 'answered';
      readonly status: number;
      readonly rayId: string | null;
      readonly ms: number;
      readonly bytes: number;
      /** The `Date` header of the response, as the service sent it. */
      readonly date?: string;
    } & TracedRequest)
  | ({ readonly kind: 'broken'; readonly reason: string; readonly ms: number } & TracedRequest)
  | ({ readonly kind: 'retrying'; readonly reason: string; readonly ms: number } & TracedRequest)
  /** The first call of a route that the service is retiring; `deprecation` is the registry's row, `route` its path. */
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
