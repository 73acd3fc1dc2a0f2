import type { ConvertedRule } from './firewall-conversion.ts';
import type { LiveRule } from './rule.ts';

/** An old rate limit (api.md 9.6), as far as it decides anything. */
export interface OldRateLimit {
  readonly id: string;
  readonly disabled: boolean;
  readonly description: string;
  /** Requests in the period. */
  readonly threshold: number;
  /** Seconds. */
  readonly period: number;
  readonly request: {
    /** `_ALL_` stands for every method. */
    readonly methods: readonly string[];
    /** `_ALL_` stands for both. */
    readonly schemes: readonly string[];
    /** Host and path with `*`; empty when there is none. */
    readonly url: string;
  };
  readonly response: {
    readonly statuses: readonly number[];
    /** Whether only what reaches the origin counts. */
    readonly originTraffic: boolean;
    readonly headers: readonly { readonly name: string; readonly op: string; readonly value: string }[];
  };
  /** URLs that do not count. */
  readonly bypassUrls: readonly string[];
  readonly action: {
    readonly mode: string;
    /** Seconds; `null` for challenges. */
    readonly timeout: number | null;
    readonly response: { readonly contentType: string; readonly body: string } | null;
  };
  /** `nat` counts visitors behind one address apart. */
  readonly correlateBy: string | null;
}

/** What becomes of the old rate limits of a zone. */
export type RateLimitConversion =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string }
  | {
      readonly kind: 'converted';
      readonly rules: readonly ConvertedRule<OldRateLimit>[];
      /** Rules that were there; they stay as they are, before the converted ones. */
      readonly existing: readonly LiveRule[];
      readonly warnings: readonly string[];
    };

/** What an old rate limit is called in messages. */
export function rateLimitName({ id, description, request }: OldRateLimit): string {
  return description !== '' ? description : request.url !== '' ? request.url : id;
}
