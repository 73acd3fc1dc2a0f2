import type { Tree } from '../../expression/index.ts';
import { isAlwaysTrue, isTrueOverIpv4, parseExpression } from '../../expression/index.ts';
import {
  actsOnEveryMatch,
  lowLimit,
  phaseFacts,
  zoneName,
  stopsRequests,
  actionFacts,
  actionKind,
} from '../../model/index.ts';
import type { LowLimit, RuleContent } from '../../model/index.ts';
import {
  bothHit,
  eitherHits,
  ordinaryHits,
  UNTRIED,
  FIRST_VISITS,
  ORDINARY,
  OVER_IPV4,
  TRIED,
} from '../../simulate/index.ts';
import type { Hits, Requests } from '../../simulate/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { counted, duration } from '../../text/index.ts';
import type { EffectContext } from './security-effect.ts';
import { treeOf, isWithin, clauseOverTime } from './conditions.ts';

/** Returns the limit of a rule if nobody who meets the condition gets along with it. One that counts other requests than it stops is left out. */
function limitForAll({ ratelimit, expression }: RuleContent): LowLimit | undefined {
  return ratelimit !== undefined && countsAll(ratelimit, expression) ? lowLimit(ratelimit) : undefined;
}

function countsAll({ counting_expression: counting }: JsonObject, expression: string): boolean {
  return typeof counting !== 'string' || counting === '' || isWithin(expression, counting);
}

/** Says whom a low limit stops, after what the rule does. */
function limitText({ requests, period, timeout, isShared }: LowLimit): string {
  const whom = isShared ? 'all visitors of a data centre together' : 'a visitor';
  const long = timeout === 0 ? '' : ` for ${duration(timeout)}`;
  return `${whom}${long} after ${counted(requests, 'request')} in ${duration(period)}`;
}

/**
 * The share of requests that is ended, or let past protection, beyond what anybody can intend: 0 is none, and higher is worse. The others mean
 * all requests or nearly all, proven or by trying ordinary requests. IPv4 counts since most traffic comes by it, and first visits count since
 * visitors who cannot come for the first time cannot come at all.
 */
export type TrafficShare = 0 | 1 | 2 | 3 | 4 | 5;

const SHARES: Readonly<Record<TrafficShare, (to: string) => string>> = {
  0: (to) => `no request${to}`,
  1: (to) => `every first visit${to} that was tried`,
  2: (to) => `every ordinary request${to} over IPv4 that was tried`,
  3: (to) => `every request${to} over IPv4`,
  4: (to) => `every ordinary request${to} that was tried`,
  5: (to) => `every request${to}`,
};

/** Returns in words which requests a share means. */
export function requestsOf(share: TrafficShare, host?: string): string {
  return SHARES[share](host === undefined ? '' : ` to ${host}`);
}

/** Conditions that a request has to meet all together. */
type Together = readonly string[];

/** The requests to judge: all that reach a rule, or those to one host name of the zone. */
export interface Traffic extends Pick<EffectContext, 'scope' | 'phase'> {
  readonly host?: string | undefined;
}

/** Returns the host names that people type to visit a zone; none for an account, whose zones are not known. */
export function namesTyped({ scope }: Pick<EffectContext, 'scope'>): readonly string[] {
  const { bare } = zoneName(scope);
  return scope.kind === 'zone' ? [bare, `www.${bare}`] : [];
}

/** Whether a rule ends each request that it matches, or all but those that a limit lets pass with which nobody gets along. */
export function isEnding(content: RuleContent): boolean {
  return (
    content.enabled &&
    (stopsRequests(content.action) || actionKind(content.action) === 'redirect') &&
    (actsOnEveryMatch(content) || limitForAll(content) !== undefined)
  );
}

/**
 * Whether a rule ends each request of this traffic that it matches. Redirects of a single host name are excluded: nearly every zone redirects
 * one name to its main address.
 */
function endsTraffic(content: RuleContent, { host }: Traffic): boolean {
  return isEnding(content) && (host === undefined || actionKind(content.action) !== 'redirect');
}

/** Returns the share of requests that meet all conditions of at least one way. */
export function shareOf(ways: readonly Together[], traffic: Traffic): TrafficShare {
  const { least, most } = ways.map((way) => hitsOf(way, traffic)).reduce(eitherHits, { least: 0, most: 0 });
  const { host } = traffic;
  // A condition that misses a tried request is not always true: nearly always this makes a proof unnecessary.
  const isProven = (proof: (tree: Tree) => boolean): boolean =>
    ways.some((way) =>
      way.every((text) =>
        holds(proof, treeOf(host === undefined ? text : `http.host ne "${host}" or (${text})`)),
      ),
    );
  if (covers(most, TRIED) && isProven(isAlwaysTrue)) {
    return 5;
  }
  const tried = shareAmong(least);
  return tried < 3 && covers(most, OVER_IPV4) && isProven(isTrueOverIpv4) ? 3 : tried;
}

/** Returns the share that a rule ends of the requests that reach it on some ways. */
export function shareEnded(content: RuleContent, ways: readonly Together[], traffic: Traffic): TrafficShare {
  const share = endsTraffic(content, traffic) ? shareOf(ways, traffic) : 0;
  return endsFirstVisits(content) ? share : exceptFirstVisits(share);
}

/** Whether a rule rejects first visits for good. A challenge is meant to be solved then, and `/` is often redirected to `/en/`. */
export function endsFirstVisits(content: RuleContent | null): boolean {
  return content !== null && actionKind(content.action) === 'block' && content.ratelimit === undefined;
}

/** Returns the share of requests that are let past: those that meet all conditions of at least one way. */
export function shareLetPast(ways: readonly Together[], traffic: Traffic): TrafficShare {
  return exceptFirstVisits(shareOf(ways, traffic));
}

/** Returns in words that a condition holds for every request, or for every request to a host name of the zone; undefined if it does not. */
export function everyRequestIn({ expression }: RuleContent, context: EffectContext): string | undefined {
  for (const host of [undefined, ...namesTyped(context)]) {
    const share = shareLetPast([[expression]], { ...context, host });
    if (share > 0) {
      return requestsOf(share, host);
    }
  }
  return undefined;
}

/** Drops a share of first visits only, which matters only when requests end for good: a first visitor asks for a page, and attacks nothing. */
export function exceptFirstVisits(share: TrafficShare): TrafficShare {
  return share === 1 ? 0 : share;
}

function holds(proof: (tree: Tree) => boolean, tree: Tree | undefined): boolean {
  return tree !== undefined && proof(tree);
}

/** Returns the share that these ordinary requests amount to. */
export function shareAmong(ended: Requests): 0 | 1 | 2 | 4 {
  if (covers(ended, ORDINARY)) {
    return 4;
  }
  return covers(ended, OVER_IPV4) ? 2 : covers(ended, FIRST_VISITS) ? 1 : 0;
}

function covers(requests: Requests, all: Requests): boolean {
  return (requests & all) === all;
}

/** Returns which ordinary requests meet all of some conditions. */
export function hitsOf(conditions: Together, { scope, phase, host }: Traffic): Hits {
  const stage = phaseFacts(phase)?.stage;
  if (stage !== 'request' && stage !== 'response') {
    return UNTRIED;
  }
  const zone = scope.kind === 'zone' ? zoneName(scope).bare : undefined;
  return conditions.map((text) => ordinaryHits(text, { zone, host }, () => rootOf(text))).reduce(bothHit);
}

function rootOf(text: string) {
  const parsed = parseExpression(text);
  return parsed.ok && parsed.tree.mode === 'filter' ? parsed.tree.root : undefined;
}

/**
 * Returns what a rule newly does if it stops or redirects every request, or stops every request to a host name of the zone: more protection by
 * the letter, and an outage if nobody meant it; undefined otherwise. `old` is null for a new rule. Rules that act on only some of their matches
 * are left out. Assumes that every request of the phase reaches the rule.
 */
export function comesToEndEveryRequest(
  old: RuleContent | null,
  now: RuleContent,
  context: EffectContext,
): string | undefined {
  return clauseOverTime([old?.expression ?? '', now.expression], (conditionThen) => {
    for (const host of [undefined, ...namesTyped(context)]) {
      const traffic = { ...context, host };
      const share = (content: RuleContent | null): TrafficShare =>
        content === null ? 0 : shareEnded(content, [[conditionThen(content.expression)]], traffic);
      const ends = share(now);
      if (ends > 0 && ends > share(old)) {
        return appliesTo(now, ends, host);
      }
    }
    return undefined;
  });
}

/** Returns what a rule does by itself, as a clause. */
export function appliesTo(content: RuleContent, share: TrafficShare, host?: string): string {
  const limit = limitForAll(content);
  const which = requestsOf(share, host);
  const does = actionFacts(content.action)?.verbs?.[0] ?? `applies ${content.action} to`;
  const counts = share === 5 && host === undefined ? '' : ` (counts ${which})`;
  return `${does} ${limit === undefined ? which : `${limitText(limit)}${counts}`}`;
}
