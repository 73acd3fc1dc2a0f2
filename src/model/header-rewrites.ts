import { objectOf } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';

/** What a rule does with a header (api.md 5.5). */
export interface HeaderRewrite {
  /** As the rule spells it. */
  readonly name: string;
  /** By this headers are told apart: the case of their names does not matter. */
  readonly key: string;
  /** Where a rule does not say, the service sets the header. */
  readonly operation: 'add' | 'set' | 'remove';
  /** The value as it is written out, or the expression that computes it; neither of a header that is removed. */
  readonly value: string | undefined;
  readonly expression: string | undefined;
  /** As the rule has it. */
  readonly given: JsonObject;
}

/** Returns what a rule does with headers, in its own order. Live rules may name one header in two spellings. */
export function headerRewrites(parameters: unknown): readonly HeaderRewrite[] {
  return Object.entries(objectOf(objectOf(parameters)['headers'])).map(([name, change]) => {
    const given = objectOf(change);
    const { operation, value, expression } = given;
    return {
      name,
      key: headerKey(name),
      operation: operation === 'add' || operation === 'remove' ? operation : 'set',
      value: typeof value === 'string' ? value : undefined,
      expression: typeof expression === 'string' ? expression : undefined,
      given,
    };
  });
}

/** Returns a header's name as headers are told apart. */
export function headerKey(name: string): string {
  return name.toLowerCase();
}

/** The header by which browsers insist on HTTPS, as a key. */
export const TRANSPORT_SECURITY = 'strict-transport-security';

/** Returns for how many seconds a value of Strict-Transport-Security counts (RFC 6797); undefined if it does not say. */
export function transportSecuritySeconds(value: string): number | undefined {
  const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d+)/i.exec(value)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
