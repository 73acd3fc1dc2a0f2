import type { WaitReason } from './budget.ts';

/** What every event says about its request. */
interface TracedRequest {
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
    } & TracedRequest)
  | ({ readonly kind: 'broken'; readonly reason: string; readonly ms: number } & TracedRequest)
  | ({ readonly kind: 'retrying'; readonly reason: string; readonly ms: number } & TracedRequest)
  | ({ readonly kind: 'waiting'; readonly reason: WaitReason; readonly ms: number } & TracedRequest);
