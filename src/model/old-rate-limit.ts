import type { ConvertedRule } from './firewall-conversion.ts';
import type { LiveRule } from './rule.ts';

/** The fields of an old rate limit that affect what it does (api.md 9.6). */
export interface OldRateLimit {
  readonly id: string;
  readonly disabled: boolean;
  readonly description: string;
  /** Number of requests in the period. */
  readonly threshold: number;
  /** Seconds. */
  readonly period: number;
  readonly request: {
    /** `_ALL_` stands for every method. */
    readonly methods: readonly string[];
    /** `_ALL_` stands for both schemes. */
    readonly schemes: readonly string[];
    /** Host and path with `*` as wildcard; empty when the limit names none. */
    readonly url: string;
  };
  readonly response: {
    readonly statuses: readonly number[];
    /** Whether only requests that reach the origin count. */
    readonly originTraffic: boolean;
    readonly headers: readonly { readonly name: string; readonly op: string; readonly value: string }[];
  };
  /** URLs whose requests do not count. */
  readonly bypassUrls: readonly string[];
  readonly action: {
    readonly mode: string;
    /** Seconds; `null` for challenges. */
    readonly timeout: number | null;
    readonly response: { readonly contentType: string; readonly body: string } | null;
  };
  /** `nat` counts visitors that share one address separately. */
  readonly correlateBy: string | null;
}

/** The conversion of a zone's old rate limits. */
export type RateLimitConversion =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string }
  | {
      readonly kind: 'converted';
      readonly rules: readonly ConvertedRule<OldRateLimit>[];
      /** Existing rules; they stay as they are, before the converted ones. */
      readonly existing: readonly LiveRule[];
      readonly warnings: readonly string[];
    };

/** Names an old rate limit in messages: by its description, else its URL, else its id. */
export function rateLimitName({ id, description, request }: OldRateLimit): string {
  return description !== '' ? description : request.url !== '' ? request.url : id;
}
