import type { Values } from '../expression/index.ts';
import { decodeBytes, encodeBytes } from '../expression/values/bytes.ts';
import type { Equivalence, RequestOutcome, RuleConversion } from '../model/firewall-conversion.ts';
import type { OldRateLimit } from '../model/old-rate-limit.ts';
import { compileCondition } from '../simulate/compile.ts';
import { GENERATED_EVALUATION } from './clause-values.ts';
import type { Assignment } from './assignment.ts';
import { describeRequest, valuesOf } from './generated-request.ts';
import { generateRequests } from './generate-requests.ts';
import type { OldRequest } from './rate-limits-old-world.ts';
import { isLimited, requestsAround } from './rate-limits-old-world.ts';

/**
 * Compares, on generated requests, which requests old rate limits apply to with which requests the new rules apply to. No single request can tell
 * how often and for how long a limit acts, nor what is counted by the response.
 */
export function checkRateLimits(conversions: readonly RuleConversion<OldRateLimit>[]): Equivalence {
  const { requests: generated, coverage } = generateRequests(
    conversions.map(({ ref, content }) => ({ name: ref, expression: content.expression })),
  );
  // Requests made from the rules alone would not show a condition that the conversion forgot.
  const requests = [
    ...generated,
    ...conversions.flatMap(({ old }) => requestsAround(old).map(assignmentOf)),
  ].filter((assignment) => textOf(valuesOf(assignment), 'http.request.uri.path').startsWith('/'));
  const ready = conversions.map(({ old, ref, content }) => ({
    old,
    ref,
    test: compileCondition(content.expression, GENERATED_EVALUATION).evaluate,
  }));
  const differences = requests.flatMap((assignment) => {
    const values = valuesOf(assignment);
    const asked = {
      host: textOf(values, 'http.host'),
      path: textOf(values, 'http.request.uri.path'),
      method: textOf(values, 'http.request.method'),
      scheme: values.get('ssl') === true ? 'https' : 'http',
    };
    const before = ready.filter(({ old }) => isLimited(old, asked)).map(({ ref }) => ref);
    const after = ready.filter(({ test }) => test(values)).map(({ ref }) => ref);
    return before.join() === after.join()
      ? []
      : [
          {
            kind: 'events' as const,
            request: describeRequest(assignment),
            before: counted(before),
            after: counted(after),
          },
        ];
  });
  return { requests: requests.length, coverage, differences };
}

function assignmentOf({ host, path, method, scheme }: OldRequest): Assignment {
  return new Map<string, string | boolean>([
    ['http.host', encodeBytes(host)],
    ['http.request.uri.path', encodeBytes(path)],
    ['http.request.method', method],
    ['ssl', scheme === 'https'],
  ]);
}

function counted(acted: readonly string[]): RequestOutcome {
  return { end: null, acted, skipped: [] };
}

function textOf(values: Values, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? (decodeBytes(value) ?? value) : '';
}
