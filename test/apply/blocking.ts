import type { DesiredRule } from '../../src/model/rule.ts';
import type { DesiredRuleset } from '../../src/model/ruleset.ts';
import { desiredRule, desiredRuleset } from '../plan/build.ts';

/** A rule that blocks the host with the name of its ref. */
export function block(ref: string, over: Partial<Parameters<typeof desiredRule>[0]> = {}): DesiredRule {
  return desiredRule({ ref, expression: `http.host eq "${ref}.example"`, ...over });
}

/** The custom rules of a zone, each of which blocks a host. */
export function entry(...refs: readonly string[]): DesiredRuleset {
  return desiredRuleset(refs.map((ref) => block(ref)));
}

/** The rate limiting entry point of a zone, with one rule. */
export function limits(requests: number): DesiredRuleset {
  const ratelimit = {
    characteristics: ['ip.src', 'cf.colo.id'],
    period: 60,
    requests_per_period: requests,
    mitigation_timeout: 60,
  };
  return desiredRuleset([block('limit', { ratelimit })], {
    address: { kind: 'entrypoint', phase: 'http_ratelimit' },
  });
}
