import { listOf } from '../../data/index.ts';
import { isSharedByVisitors, stopsRequests } from '../../model/index.ts';
import type { RuleContent } from '../../model/index.ts';
import { oneLine } from '../../text/index.ts';
import type { SecurityImpact } from './security-effect.ts';
import { SAME, weaker } from './security-effect.ts';

/** The parts of a request that hold whatever its sender writes there, with their names in messages. Nothing verifies them. */
const CHOSEN: readonly (readonly [part: RegExp, called: string])[] = [
  [/^http\.request\.cookies(?![\w.])/u, 'the cookie'],
  [/^http\.cookie\b/u, 'the cookies'],
  [/^http\.request\.headers(?:\.\w+)?(?![\w.])/u, 'the header'],
  [/^(?:http\.user_agent|http\.referer|http\.x_forwarded_for)\b/u, 'the header'],
  [/^(?:raw\.)?http\.request\.uri\.(?:args|query)\b/u, 'the query argument'],
  [/^http\.request\.body\.(?:form|multipart)\b/u, 'the form field'],
  [/^http\.request\.body\b/u, 'the body'],
];

/**
 * Judges by what a rate limit newly counts. One that counts only by what the client writes into a request stops nobody who writes something else
 * each time. An address, or a value that the service verifies or gives itself, tells clients apart.
 */
export function compareCounting(before: RuleContent | null, after: RuleContent): SecurityImpact {
  const [had, has] = [chosenIn(before), chosenIn(after)];
  return has.length === 0 || had.length > 0
    ? SAME
    : weaker(`counts by ${has.join(' and ')}, which clients can change at will`);
}

/** Returns in words the values by which the limit of a rule tells clients apart, if clients choose all of them. */
function chosenIn(content: RuleContent | null): readonly string[] {
  if (content === null || !stopsRequests(content.action)) {
    return [];
  }
  const { ratelimit } = content;
  const findingFor = listOf(ratelimit?.['characteristics']).filter((name) => !isSharedByVisitors(name));
  const chosen = findingFor.flatMap((name) => (typeof name === 'string' ? (inWords(name) ?? []) : []));
  return chosen.length === findingFor.length ? chosen : [];
}

/** The field in a characteristic, which may be computed from it: `lower(http.request.headers["x-key"][0])`. */
const FIELD = /(?:raw\.)?http\.[\w.]+(?:\["([^"]*)"\])?/u;

function inWords(characteristic: string): string | undefined {
  const [field, key] = FIELD.exec(characteristic) ?? [];
  const called = CHOSEN.find(([part]) => field !== undefined && part.test(field))?.[1];
  if (called === undefined || field === undefined) {
    return undefined;
  }
  const name = key ?? /^http\.(user_agent|referer|x_forwarded_for)$/u.exec(field)?.[1]?.replaceAll('_', '-');
  return name === undefined ? called : `${called} ${oneLine(name)}`;
}
