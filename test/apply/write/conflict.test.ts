import { describe, expect, it } from 'vitest';
import { conflictHint, conflictText } from '../../../src/apply/write/conflict.ts';
import type { History } from '../../../src/apply/write/concurrent-edits.ts';
import { liveDifference } from '../../../src/plan/difference/live-difference.ts';
import { id, liveRuleset } from '../../plan/build.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const PHASE = 'http_request_firewall_custom';
const OURS = liveRuleset([], { version: '5' });

/** A version that somebody else wrote, with the refs of the rules that our write undid or would undo. */
function foreign(version: string, lost: readonly string[] = [], atRisk: readonly string[] = []) {
  const named = (refs: readonly string[]) => refs.map((ref, index) => ({ id: id(index), ref }));
  return {
    version,
    lastUpdated: '2026-01-01T00:00:00Z',
    difference: liveDifference(null, null),
    lost: named(lost),
    ...(atRisk.length === 0 ? {} : { atRisk: named(atRisk) }),
  };
}

function told(history: Partial<History>) {
  const whole = { ours: OURS, others: [], unread: [], landings: [], ...history };
  const target = { kind: 'ruleset', level: 'zone', phase: PHASE, name: 'default' } as const;
  return [conflictText(whole), conflictHint({ scope: SCOPE, target, history: whole })];
}

const AGAIN = 'nothing more was written to this ruleset; plan again to go on from what is live now';
const WAIT = 'wait a minute, then plan again: the plan shows whether it landed';

describe('message and hint of a conflict', () => {
  it.each<[what: string, history: Partial<History>, text: string, hint: string]>([
    [
      'in which nothing was lost',
      { others: [foreign('4')] },
      'somebody else wrote version 4 while this step wrote version 5; nothing of it was lost',
      AGAIN,
    ],
    [
      'in which our write may still land',
      { ours: null, others: [foreign('4', [], ['a', 'b'])] },
      'somebody else wrote version 4; if it still lands, it undoes a part of that: a, b',
      WAIT,
    ],
    [
      'with versions that cannot be read',
      {
        others: [foreign('4')],
        unread: [
          { from: '2', to: '3' },
          { from: '6', to: '6' },
        ],
      },
      'somebody else wrote version 4 while this step wrote version 5; versions 2 to 3, 6 cannot be read: what somebody else wrote there, and whether this write undid it, is not known',
      `rulewright versions zone:shop.example ${PHASE} --show 2 shows it if it is still kept; compare it with live, then plan again`,
    ],
    [
      'of which one version of several was lost',
      { others: [foreign('3', ['theirs']), foreign('4')] },
      'somebody else wrote versions 3, 4 while this step wrote version 5; this write undid a part of it: theirs',
      `to bring back what was lost: rulewright rollback zone:shop.example ${PHASE} --to 3 --whole-ruleset; or put it into the files and plan again`,
    ],
  ])('%s', (_what, history, text, hint) => {
    expect(told(history)).toEqual([text, hint]);
  });
});
