import type { WireObject } from '../protocol/wire-object.ts';
import type { Method } from '../protocol/answer.ts';

/** How a request came to the service, as the audit log says it. */
export type AuditContext = 'api' | 'api_key' | 'api_token' | 'dash';

/** One entry of an account's audit log: who changed what, and when. */
export interface StoredAuditEntry {
  readonly id: string;
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: {
    readonly id: string;
    readonly email: string;
    readonly context: AuditContext;
    /** The token that was used; null for a key and for the dashboard. */
    readonly token: { readonly id: string; readonly name: string } | null;
  };
  readonly method: Method;
  /** The path below the base URL, without its query. */
  readonly path: string;
  readonly status: number;
  readonly ray: string;
  readonly userAgent: string;
  readonly zone: { readonly id: string; readonly name: string } | null;
  /** The body of the request; null unless a seed gives it: they are large, and versions tell what was written. */
  readonly request: WireObject | null;
  /** The ruleset after the request; null for other objects. */
  readonly ruleset: { readonly id: string; readonly version: string; readonly last_updated: string } | null;
}
