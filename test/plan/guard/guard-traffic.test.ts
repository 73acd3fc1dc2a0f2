import { describe, expect, it } from 'vitest';
import { DEFAULT_SAFETY, REPLAY_OUTCOMES } from '../../../src/model/index.ts';
import type { JsonValue } from '../../../src/data/index.ts';
import type {
  OutcomeCounts,
  ReplayDocument,
  ReplayRule,
  SettingStep,
  TrafficLimits,
} from '../../../src/model/index.ts';
import { checkPlan, guardAgain, makePlan, withReplay } from '../../../src/plan/index.ts';
import { desiredRule, desiredRuleset, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const TODAY = '2026-06-01';
const ZONE = planOne(desiredRuleset([desiredRule({ ref: 'a' })]), liveRuleset([]));
const PLAN = makePlan('emulator', [ZONE]);

const counts = (some: Partial<OutcomeCounts>): OutcomeCounts => ({
  ...(Object.fromEntries(REPLAY_OUTCOMES.map((outcome) => [outcome, 0])) as unknown as OutcomeCounts),
  ...some,
});

/** A replay of 1,000 requests to each of two zones, of which so many are newly blocked, or unknown, in the first. */
function replayOf(blocked: number, { unknown = 0, records = 1000 } = {}): ReplayDocument {
  const some = { newly_blocked: blocked, unknown };
  const first = counts({ ...some, unchanged: records - blocked - unknown });
  const group = {
    records: blocked,
    verified_bots: 0,
    bots_known: 0,
    networks: [],
    paths: [],
    countries: [],
    user_agents: [],
    examples: [],
  };
  const rule: ReplayRule = {
    scope: { kind: 'zone', name: 'one.example' },
    phase: 'http_request_firewall_custom',
    ruleset: null,
    ref: 'block-bots',
    change: 'added',
    matched_live: 0,
    matched_desired: blocked,
    undecided_live: 0,
    undecided_desired: 0,
    ended_before: 0,
    skipped_before: 0,
    outcomes: counts({ newly_blocked: blocked }),
    groups: { newly_blocked: group },
  };
  return {
    kind: 'replay',
    formatVersion: 1,
    records: records + 1000,
    unreadable: 0,
    other_zones: 0,
    without_host: 0,
    zones: [
      { name: 'one.example', records, outcomes: first },
      { name: 'two.example', records: 1000, outcomes: counts({ unchanged: 1000 }) },
    ],
    period: null,
    log: { files: 1, formats: ['logpush'], bytes: 1, digest: '0'.repeat(64) },
    plan: PLAN.digest,
    outcomes: counts({ ...some, unchanged: records + 1000 - blocked - unknown }),
    depends_on: [],
    agreement: {
      compared: 0,
      compared_earlier: 0,
      agreed: 0,
      left_out: { other_rules: 0, no_time: 0, not_simulated: 0 },
      disagreements: [],
    },
    groups: { newly_blocked: group },
    rules: [rule, { ...rule, ref: 'as-before', change: 'none' }],
    unreadable_lines: [],
    unknown_columns: [],
  };
}

const share = (percent: number) => ({ kind: 'percent', percent }) as const;

function found(replay: ReplayDocument | null, limits: Partial<TrafficLimits>): readonly string[] {
  const traffic = { maxNewlyBlockedByRule: [], minRecords: 1000, maxUnknown: share(5), ...limits };
  const safety = { ...DEFAULT_SAFETY, traffic };
  const plan = replay === null ? PLAN : withReplay(PLAN, replay, { safety, today: TODAY, examples: false });
  const again = guardAgain(plan, safety, TODAY).findings ?? [];
  expect(again).toEqual(replay === null ? again : (plan.findings ?? []));
  expect(checkPlan(plan)).toMatchObject({ kind: 'valid' });
  return again.map(({ kind, message }) => `${kind} ${message}`);
}

const BLOCKED = 'recorded requests would be newly blocked; max_newly_blocked';

describe('guards over recorded requests', () => {
  it.each<[string, string, JsonValue, JsonValue, boolean]>([
    ['security_level', '', 'medium', 'under_attack', true],
    ['security_level', '', 'under_attack', 'medium', false],
    ['bot_management', '/sbfm_verified_bots', 'allow', 'block', true],
    ['url_normalization', '/scope', 'incoming', 'none', true],
    ['leaked_credential_checks', '/enabled', false, true, true],
    ['early_hints', '', 'off', 'on', false],
  ])('know whether records show what %s%s stops (%j → %j)', (name, path, before, after, isTold) => {
    const step: SettingStep = {
      id: `zone:one.example/setting:${name}`,
      operation: 'update',
      target: { kind: 'setting', name },
      fields: [{ path, before, after }],
      protection: { kind: 'neutral' },
      turn: 'first',
    };
    const plan = makePlan('emulator', [{ ...ZONE, objects: [step] }]);
    const limits = { maxNewlyBlockedByRule: [], minRecords: 1, maxUnknown: share(5) };
    const safety = { ...DEFAULT_SAFETY, traffic: { ...limits, maxNewlyBlocked: share(1) } };
    const replay = { ...replayOf(0), plan: plan.digest };
    const { findings = [] } = withReplay(plan, replay, { safety, today: TODAY, examples: false });
    const told = findings.filter(({ message }) => message.endsWith(`newly block: ${step.id}`));
    expect([findings.length, told.length]).toEqual(isTold ? [1, 1] : [0, 0]);
  });

  it.each<[string, ReplayDocument | null, Partial<TrafficLimits>, readonly string[]]>([
    ['lets a plan within its limit pass', replayOf(1), { maxNewlyBlocked: share(0.1) }, []],
    [
      'counts each zone, so that a quiet one cannot hide behind others',
      replayOf(2),
      { maxNewlyBlocked: share(0.1) },
      [`newly-blocked zone:one.example: 2 of 1000 ${BLOCKED} allows 1 (0.1%)`],
    ],
    [
      'counts all zones together',
      replayOf(3),
      { maxNewlyBlocked: { kind: 'count', count: 2 } },
      [
        `newly-blocked zone:one.example: 3 of 1000 ${BLOCKED} allows 2`,
        `newly-blocked all 2 zones: 3 of 2000 ${BLOCKED} allows 2`,
      ],
    ],
    [
      'counts what a changed rule blocks, by each pattern that matches it',
      replayOf(3),
      {
        maxNewlyBlockedByRule: [
          { rule: 'block-*', most: share(0.2) },
          { rule: '*', most: share(5) },
        ],
      },
      [
        `newly-blocked zone:one.example/http_request_firewall_custom: rule block-bots: 3 of 1000 ${BLOCKED}_by_rule for block-* allows 2 (0.2%)`,
      ],
    ],
    [
      'refuses a plan that nothing was sent through',
      null,
      { maxNewlyBlocked: share(1) },
      [
        'not-replayed no recorded requests were sent through this plan, and the files limit how many it may newly block: plan with --replay FILE',
      ],
    ],
    [
      'refuses too few records of a zone',
      replayOf(0, { records: 999 }),
      { maxNewlyBlocked: share(1) },
      [
        'not-replayed fewer recorded requests were sent through this plan than min_records, 1000: zone:one.example (999)',
      ],
    ],
    [
      'refuses too many of which it is not known',
      replayOf(0, { unknown: 51 }),
      { maxNewlyBlocked: share(1) },
      [
        'not-replayed of more recorded requests than max_unknown, 5%, it is not known what this plan would do: zone:one.example (51 of 1000)',
      ],
    ],
  ])('%s', (_, replay, limits, findings) => {
    expect(found(replay, limits)).toEqual(findings);
  });

  it('keeps the rules that change or that nothing reached, and asks nothing where nothing is limited', () => {
    const plan = withReplay(PLAN, replayOf(3), { safety: DEFAULT_SAFETY, today: TODAY, examples: false });
    expect([plan.findings, plan.replay?.rules.map(({ ref }) => ref)]).toEqual([undefined, ['block-bots']]);
  });

  it.each<[string, Partial<ReplayDocument>]>([
    ['the recorded requests in it were sent through another plan', { plan: 'f'.repeat(64) }],
    ['the counts of recorded requests in it do not add up', { records: 1 }],
  ])('refuses a saved plan: %s', (problem, changed) => {
    const replay = { ...replayOf(0), ...changed };
    const plan = withReplay(PLAN, replay, { safety: DEFAULT_SAFETY, today: TODAY, examples: false });
    expect(checkPlan(plan)).toEqual({ kind: 'invalid', problems: [problem] });
  });
});
