import type { ConvertedRule } from './firewall-conversion.ts';
import type { LiveRule } from './rule.ts';

/** An old rate limit (api.md 9.6), as far as it decides anything. */
export interface OldRateLimit {
  readonly id: string;
  readonly disabled: boolean;
  readonly description: string;
  readonly threshold: number;
  /** Seconds. */
  readonly period: number;
  readonly request: {
    readonly methods: readonly string[];
    readonly schemes: readonly string[];
    readonly url: string;
  };
  readonly response: {
    readonly statuses: readonly number[];
    readonly originTraffic: boolean;
    readonly headers: readonly { readonly name: string; readonly op: string; readonly value: string }[];
  };
  readonly bypassUrls: readonly string[];
  readonly action: {
    readonly mode: string;
    readonly timeout: number | null;
    readonly response: { readonly contentType: string; readonly body: string } | null;
  };
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
