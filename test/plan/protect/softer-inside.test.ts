import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import { planned, read } from '../world.ts';

const PHASE = 'http_request_firewall_custom';
const ENTRY: RulesetAddress = { kind: 'entrypoint', phase: PHASE };
const SHARED: RulesetAddress = { kind: 'custom', phase: PHASE, name: 'Shared' };
const SHARED_ID = id(0xabc);
const SOFT_ID = id(101);

/** Rules by their refs, in order; `soft` has the id `SOFT_ID`. */
type Rules = Readonly<Record<string, RuleContent>>;
interface Rulesets {
  readonly entry: Rules;
  readonly shared: Rules;
}

function planBetween(before: Rulesets, after: Rulesets) {
  const live = ({ entry, shared }: Rulesets) => {
    const made = (rules: Rules, first: number) =>
      Object.entries(rules).map(([ref, said], at) => ({
        id: ref === 'soft' ? SOFT_ID : id(first + at),
        ref,
        content: said,
      }));
    return new Map([
      [PHASE, liveRuleset(made(entry, 1))],
      [addressKey(SHARED), liveRuleset(made(shared, 200), { id: SHARED_ID, name: 'Shared', kind: 'custom' })],
    ]);
  };
  const wanted = (rules: Rules, address: RulesetAddress) =>
    desiredRuleset(
      Object.entries(rules).map(([ref, said]) => ({ ref, adopt: false, content: said, cause: CAUSE })),
      { address },
    );
  return planned(
    planScope(
      {
        scope: { kind: 'zone', name: 'shop.example' },
        rulesetOwnership: 'declared',
        rulesets: [wanted(after.entry, ENTRY), wanted(after.shared, SHARED)],
        cause: CAUSE,
      },
      read(live(before), [ENTRY, SHARED]),
    ),
  );
}

/** What a plan says about protection, by ref. */
function forth(before: Rulesets, after: Rulesets) {
  const { steps } = planBetween(before, after);
  return Object.fromEntries(
    steps.flatMap(({ changes }) =>
      changes.map(({ ref, protection }) => [
        ref,
        protection.kind === 'neutral' ? 'neutral' : `${protection.kind}: ${protection.reason}`,
      ]),
    ),
  );
}

const LOGIN = 'http.request.uri.path eq "/login"';
const soft = content({ action: 'managed_challenge', expression: LOGIN });
const firm = content({ expression: 'starts_with(http.request.uri.path, "/log")' });
const skip = (action_parameters: JsonObject, expression = LOGIN): RuleContent =>
  content({ action: 'skip', action_parameters, expression });
const run = content({ action: 'execute', expression: 'true', action_parameters: { id: SHARED_ID } });
const log = content({ action: 'log', expression: 'true' });
const ENDS = 'ends evaluation with managed_challenge before firm, which may block';

describe('a challenge inside an executed ruleset weakens where a block comes after the execute', () => {
  const without = { entry: { run, firm }, shared: { log } };
  const within = { ...without, shared: { log, soft } };

  it.each<[string, Rulesets, Rulesets, Record<string, string>]>([
    ['added', without, within, { soft: `weakening: ${ENDS}` }],
    [
      'switched on',
      { ...within, shared: { log, soft: { ...soft, enabled: false } } },
      within,
      { soft: `weakening: ${ENDS}` },
    ],
    [
      'widened',
      { ...within, shared: { log, soft: { ...soft, expression: `${LOGIN} and ssl` } } },
      within,
      { soft: `weakening: ${ENDS}` },
    ],
    [
      'made firmer than a log',
      { ...within, shared: { log, soft: { ...soft, action: 'log' } } },
      within,
      { soft: `weakening: ${ENDS}` },
    ],
    [
      'moved before the skip that kept it from acting',
      { ...within, shared: { skip: skip({ ruleset: 'current' }), soft } },
      { ...within, shared: { soft, skip: skip({ ruleset: 'current' }) } },
      { skip: `weakening: no longer skips soft, which ${ENDS}` },
    ],
    [
      'no longer skipped inside',
      { ...within, shared: { skip: skip({ ruleset: 'current' }), soft } },
      { ...within, shared: { soft } },
      { skip: `weakening: no longer skips soft, which ${ENDS}` },
    ],
    [
      'no longer skipped as a ruleset',
      { ...within, entry: { skip: skip({ rulesets: [SHARED_ID] }), run, firm } },
      within,
      { skip: `weakening: no longer skips soft, which ${ENDS}` },
    ],
    [
      'skipped for fewer requests',
      { ...within, entry: { skip: skip({ rules: { [SHARED_ID]: [SOFT_ID] } }), run, firm } },
      {
        ...within,
        entry: { skip: skip({ rules: { [SHARED_ID]: [SOFT_ID] } }, `${LOGIN} and ssl`), run, firm },
      },
      { skip: `weakening: no longer skips soft, which ${ENDS}` },
    ],
  ])('%s', (_how, before, after, expected) => {
    expect(forth(before, after)).toEqual(expected);
    const back = driftChanges({ scopes: [planBetween(after, before)] });
    expect(back.map(({ severity }) => severity)).toContain('weakening');
  });
});

describe('a challenge inside an executed ruleset protects', () => {
  it.each<[string, Rules]>([
    ['if nothing firmer comes after the execute', { firm, run }],
    ['if no request meets both', { run, firm: { ...firm, expression: 'http.request.uri.path eq "/"' } }],
    ['if what comes after is switched off', { run, firm: { ...firm, enabled: false } }],
    ['if what comes after is as soft', { run, firm: { ...firm, action: 'managed_challenge' } }],
    ['if nothing executes the ruleset', { firm }],
  ])('%s', (_when, entry) => {
    expect(forth({ entry, shared: { log } }, { entry, shared: { log, soft } })).toEqual({
      soft: 'strengthening: challenges what it matches',
    });
  });

  it('and may be narrowed, moved among logs, or renamed without a new reason', () => {
    const entry = { run, firm };
    const reason = (shared: Rules) => forth({ entry, shared: { log, soft } }, { entry, shared });
    expect(reason({ log, soft: { ...soft, expression: `${LOGIN} and ssl` } })).toEqual({
      soft: 'weakening: applies to fewer requests',
    });
    expect(Object.values(reason({ soft, log }))).toEqual(['neutral']);
    expect(reason({ log, soft: { ...soft, description: 'Logins' } })).toEqual({ soft: 'neutral' });
  });
});
