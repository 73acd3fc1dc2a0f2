import type { Tree } from '../../expression/language/ast.ts';
import { isAlwaysTrue, isTrueOverIpv4 } from '../../expression/implies.ts';
import { parseExpression } from '../../expression/parse/parse.ts';
import { actsOnEveryMatch } from '../../model/acts-on-match.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { RuleContent } from '../../model/rule.ts';
import { zoneName } from '../../model/scope.ts';
import { bothHit, eitherHits, ordinaryHits, UNTRIED } from '../../simulate/ordinary-hits.ts';
import type { Hits } from '../../simulate/ordinary-hits.ts';
import type { Requests } from '../../simulate/ordinary-requests.ts';
import { FIRST_VISITS, ORDINARY, OVER_IPV4, TRIED } from '../../simulate/ordinary-requests.ts';
import { treeOf } from './conditions.ts';
import { stopsRequests } from './role.ts';
import type { Stand } from './stand.ts';

/**
 * More requests than anybody can mean to end, as a number: 0 is none, and the greater the worse. All of them or nearly, provably or all that
 * were tried; most traffic comes by IPv4, and who cannot come for the first time does not come at all.
 */
export type Outage = 0 | 1 | 2 | 3 | 4 | 5;

const OUTAGES: Readonly<Record<Outage, (to: string) => string>> = {
  0: (to) => `no request${to}`,
  1: (to) => `every first visit${to} that was tried`,
  2: (to) => `every ordinary request${to} over IPv4 that was tried`,
  3: (to) => `every request${to} over IPv4`,
  4: (to) => `every ordinary request${to} that was tried`,
  5: (to) => `every request${to}`,
};

/** Which requests an outage ends, in words. */
export function requestsOf(outage: Outage, host?: string): string {
  return OUTAGES[outage](host === undefined ? '' : ` to ${host}`);
}

/** Conditions all of which a request has to meet. */
type Together = readonly string[];

/** Which requests it is about: all that come to where a rule stands, or those to one name of the zone. */
export interface Traffic extends Pick<Stand, 'scope' | 'phase'> {
  readonly host?: string | undefined;
}

/** The names that people type to come to a zone; of an account it is not known which zones it has. */
export function namesTyped({ scope }: Pick<Stand, 'scope'>): readonly string[] {
  const { bare } = zoneName(scope);
  return scope.kind === 'zone' ? [bare, `www.${bare}`] : [];
}

/** Whether a rule ends each request that it comes to act on, by what it does. */
export function isEnding({ enabled, ...content }: RuleContent): boolean {
  return (
    enabled && (stopsRequests(content.action) || content.action === 'redirect') && actsOnEveryMatch(content)
  );
}

/** Whether it does so for these: that one name is redirected is how nearly every zone has one address. */
function endsTraffic(content: RuleContent, { host }: Traffic): boolean {
  return isEnding(content) && (host === undefined || content.action !== 'redirect');
}

/** What ends whatever meets all conditions of one of some ways. */
export function outageOf(ways: readonly Together[], traffic: Traffic): Outage {
  const { least, most } = ways.map((way) => hitsOf(way, traffic)).reduce(eitherHits, { least: 0, most: 0 });
  const { host } = traffic;
  // What misses a request is not true of every one: nearly always, this is told from it.
  const isProven = (proof: (tree: Tree) => boolean): boolean =>
    ways.some((way) =>
      way.every((text) =>
        holds(proof, treeOf(host === undefined ? text : `http.host ne "${host}" or (${text})`)),
      ),
    );
  if (covers(most, TRIED) && isProven(isAlwaysTrue)) {
    return 5;
  }
  const tried = outageAmong(least);
  return tried < 3 && covers(most, OVER_IPV4) && isProven(isTrueOverIpv4) ? 3 : tried;
}

/** What a rule ends of requests that come to it on some ways. */
export function outageBy(content: RuleContent, ways: readonly Together[], traffic: Traffic): Outage {
  const outage = endsTraffic(content, traffic) ? outageOf(ways, traffic) : 0;
  return endsFirstVisits(content) ? outage : exceptFirstVisits(outage);
}

/** Whether a rule turns people away for good: a challenge is there to be solved on a first visit, and `/` is often redirected to `/en/`. */
export function endsFirstVisits(content: RuleContent | null): boolean {
  return content?.action === 'block';
}

/** What is let past that meets all conditions of one of some ways. */
export function outageLetPast(ways: readonly Together[], traffic: Traffic): Outage {
  return exceptFirstVisits(outageOf(ways, traffic));
}

/** Without what is an outage only where requests end: whoever comes for the first time asks for a page, and attacks nothing. */
export function exceptFirstVisits(outage: Outage): Outage {
  return outage === 1 ? 0 : outage;
}

function holds(proof: (tree: Tree) => boolean, tree: Tree | undefined): boolean {
  return tree !== undefined && proof(tree);
}

/** What it is that these ordinary requests end. */
export function outageAmong(ended: Requests): 0 | 1 | 2 | 4 {
  if (covers(ended, ORDINARY)) {
    return 4;
  }
  return covers(ended, OVER_IPV4) ? 2 : covers(ended, FIRST_VISITS) ? 1 : 0;
}

function covers(requests: Requests, all: Requests): boolean {
  return (requests & all) === all;
}

/** The ordinary requests that meet some conditions. */
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
 * What a rule comes to do that stops or redirects every request, or stops every one to a name of the zone, and did not before: more
 * protection by the letter, and an outage where nobody meant it; undefined where it is none. `old` is null for a rule that was not there.
 * Rules that act on less than they match are left out. As if all that comes to the phase came to the rule.
 */
export function comesToEndEveryRequest(
  old: RuleContent | null,
  now: RuleContent,
  stand: Stand,
): string | undefined {
  for (const host of [undefined, ...namesTyped(stand)]) {
    const traffic = { ...stand, host };
    const outage = (content: RuleContent | null): Outage =>
      content === null ? 0 : outageBy(content, [[content.expression]], traffic);
    const ends = outage(now);
    if (ends > 0 && ends > outage(old)) {
      return appliesTo(now, ends, host);
    }
  }
  return undefined;
}

/** What a rule does by itself, as a clause. */
export function appliesTo({ action }: RuleContent, outage: Outage, host?: string): string {
  return `applies ${action} to ${requestsOf(outage, host)}`;
}
