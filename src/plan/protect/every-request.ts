import type { Condition } from '../../expression/ast.ts';
import { compileFilter } from '../../expression/evaluate/compile.ts';
import type { EvaluationContext } from '../../expression/evaluate/options.ts';
import { isAlwaysTrue } from '../../expression/implies.ts';
import { flatten } from '../../expression/ungroup.ts';
import { actsOnEveryMatch } from '../../model/acts-on-match.ts';
import { isWritten } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { RuleContent } from '../../model/rule.ts';
import { zoneName } from '../../model/scope.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { ordinaryRequests } from '../../simulate/ordinary-requests.ts';
import { glanceAt } from './conditions.ts';
import { stopsRequests } from './role.ts';

/** More requests than anybody can mean to end with one rule: all, provably, or all that were tried. */
type Outage = 'every request' | 'every ordinary request that was tried';

/** Where a rule stands, and so what it sees. */
export interface Stand {
  readonly scope: ScopeRef;
  readonly phase: string;
}

/**
 * What a rule comes to do that stops or redirects every request and did not before: more protection by the letter, and an outage where
 * nobody meant it. `old` is null for a rule that was not there. Undefined where it is none. Rules that act on less than they match are
 * left out.
 */
export function comesToEndEveryRequest(
  old: RuleContent | null,
  now: RuleContent,
  stand: Stand,
): string | undefined {
  const ends = endedBy(now, stand);
  const before = ends === undefined || old === null ? undefined : endedBy(old, stand);
  return ends === undefined || before === ends || before === 'every request'
    ? undefined
    : `applies ${now.action} to ${ends}`;
}

/** What a plan makes a rule do to every request. */
export function outageBy(change: RuleChange, stand: Stand): string | undefined {
  return isWritten(change)
    ? comesToEndEveryRequest(change.kind === 'patch' ? change.before : null, change.content, stand)
    : undefined;
}

function endedBy(content: RuleContent, { scope, phase }: Stand): Outage | undefined {
  const { enabled, action, expression } = content;
  const isEnding = enabled && (stopsRequests(action) || action === 'redirect') && actsOnEveryMatch(content);
  const tree = isEnding ? glanceAt(expression) : undefined;
  if (tree?.mode !== 'filter') {
    return undefined;
  }
  const tried = isHttp(phase) ? meetsOrdinary(tree.root, scope) : undefined;
  // What misses a request is not true of every one.
  if (tried === false) {
    return undefined;
  }
  if (isAlwaysTrue(tree)) {
    return 'every request';
  }
  return tried === true ? 'every ordinary request that was tried' : undefined;
}

function isHttp(phase: string): boolean {
  const stage = phaseFacts(phase)?.stage;
  return stage === 'request' || stage === 'response';
}

/**
 * Whether ordinary requests meet a condition, all of them; undefined where it cannot be said. Clause by clause: most conditions are
 * told from one clause and one request.
 */
function meetsOrdinary(condition: Condition, scope: ScopeRef): boolean | undefined {
  const zone = scope.kind === 'zone' ? zoneName(scope).bare : undefined;
  let isTried = false;
  for (const clause of flatten(condition, 'and')) {
    const compiled = compileFilter(clause, { context: CONTEXT });
    if (!compiled.ok) {
      return undefined;
    }
    for (const request of ordinaryRequests(zone)) {
      if (!compiled.evaluate(request)) {
        return false;
      }
      isTried = true;
    }
  }
  return isTried ? true : undefined;
}

/** What a list holds, a plan does not know: of addresses no ordinary one, and of hosts that of every other request. */
const CONTEXT: EvaluationContext = {
  inList: (_name, value) => typeof value === 'string' && value.startsWith('www.'),
};
