import { addRule, createRuleset } from '../../api/ruleset-writes.ts';
import { getEntrypoint } from '../../../src/api/rulesets.ts';
import type { PlanOutcome, PlanRun } from '../../../src/apply/apply-plan.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import { isJsonObject } from '../../../src/data/json.ts';
import { isInDoubt } from '../../../src/model/outcome.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import type { Bench } from '../run-against-service.ts';
import { carryOut, carryOutPlan, clientThrough, plan, read, resetService } from '../run-against-service.ts';
import type { CampaignPlan } from './campaign-plans.ts';
import type { Fault } from './fault-proxy.ts';
import { openFaultProxy } from './fault-proxy.ts';

/** What happens at one request of an apply. */
export type Disturbance =
  | 'error 500'
  | 'refused 400'
  | 'cut before'
  | 'cut after'
  | '429'
  | 'html 502'
  | 'html 502 after'
  | 'truncated'
  | 'late 504'
  | 'rules missing'
  | 'rules empty'
  | 'foreign edit';

export const DISTURBANCES: readonly Disturbance[] = [
  'error 500',
  'refused 400',
  'cut before',
  'cut after',
  '429',
  'html 502',
  'html 502 after',
  'truncated',
  'late 504',
  'rules missing',
  'rules empty',
  'foreign edit',
];

const envelope = (code: number, message: string): string =>
  JSON.stringify({ result: null, success: false, errors: [{ code, message }], messages: [] });
const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** The fault for a disturbance; `foreign` is the act of somebody else. */
export function faultOf(kind: Disturbance, foreign: () => Promise<unknown>): Fault {
  switch (kind) {
    case 'error 500':
      return { kind: 'answer', status: 500, body: envelope(1000, 'internal error') };
    case 'refused 400':
      return { kind: 'answer', status: 400, body: envelope(20000, 'not today') };
    case 'cut before':
      return { kind: 'cut-before' };
    case 'cut after':
      return { kind: 'cut-after' };
    case '429':
      return {
        kind: 'answer',
        status: 429,
        body: envelope(10100, 'slow down'),
        headers: { 'retry-after': '7' },
      };
    case 'html 502':
      return { kind: 'answer', status: 502, body: HTML, type: 'text/html' };
    case 'html 502 after':
      return { kind: 'answer-after', status: 502, body: HTML };
    case 'truncated':
      return { kind: 'truncate' };
    case 'late 504':
      return { kind: 'late' };
    case 'rules missing':
      return { kind: 'reanswer', body: (body) => withRules(body, undefined) };
    case 'rules empty':
      return { kind: 'reanswer', body: (body) => withRules(body, []) };
    case 'foreign edit':
      return { kind: 'meanwhile', act: foreign };
    default:
      throw new Error('no such disturbance');
  }
}

/** Changes the rules of the ruleset in an answer. */
export function withRules(body: string, rules: readonly unknown[] | undefined): string {
  const answer: unknown = body === '' ? null : JSON.parse(body);
  return isJsonObject(answer) && isJsonObject(answer['result']) && 'rules' in answer['result']
    ? JSON.stringify({ ...answer, result: { ...answer['result'], rules } })
    : body;
}

/** A plan, and the rulesets before it. */
export interface Prepared {
  readonly plan: PlannedScope;
  /** The rulesets that the plan is about, before it is carried out. */
  readonly before: readonly LiveRuleset[];
}

/** Brings the service into the state before a campaign plan, and plans the change. */
export async function prepare(bench: Bench, given: CampaignPlan): Promise<Prepared> {
  await resetService(bench);
  for (const outcome of await carryOut(bench, await plan(bench, given.before))) {
    if (outcome.kind !== 'done') {
      throw new Error(`${given.name} cannot be prepared: ${JSON.stringify(outcome)}`);
    }
  }
  const { scope } = await read(bench, given.before);
  for (const [phase, place, rule] of given.strangers) {
    const live = await getEntrypoint(bench.client, scope, phase);
    const after = live?.rules[place - 1]?.id ?? '';
    await addRule(bench.client, { scope, rulesetId: live?.id ?? '' }, rule, { after });
  }
  return { plan: await plan(bench, given.desired), before: await rulesetsOf(bench, given) };
}

/** The rulesets that a campaign plan declares, as they are live. */
export async function rulesetsOf(bench: Bench, given: CampaignPlan): Promise<readonly LiveRuleset[]> {
  const { entries } = await read(bench, given.desired);
  return entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset] : []));
}

/** The result of an apply that was disturbed. */
export interface Disturbed extends Pick<PlanOutcome, 'outcomes' | 'rollback'> {
  /** Requests that went through the proxy. */
  readonly requests: number;
  /** The ref of the rule that somebody else added, the version of the ruleset that this made, and the step of the ruleset. */
  readonly foreign: {
    readonly ref: string;
    readonly version: string;
    readonly step: string;
    /** The rule came between the last read and the deletion of the whole ruleset. The answer to that has no version, so nobody can know. */
    readonly unseen: boolean;
  } | null;
}

/**
 * Tells whether outcomes report that the rule of somebody else is gone: by its ref, as undone by our write or by one that may still land, or
 * by its version, as one that could not be read.
 */
export function tellsOf(
  outcomes: readonly Outcome[],
  { ref, version, step }: NonNullable<Disturbed['foreign']>,
): boolean {
  return outcomes.some(
    (outcome) =>
      outcome.kind === 'conflict' &&
      outcome.step === step &&
      ((outcome.others ?? []).some(({ lost, atRisk = [] }) =>
        [...lost, ...atRisk].some((rule) => rule.ref === ref),
      ) ||
        (outcome.unread ?? []).some(
          ({ from, to }) => BigInt(from) <= BigInt(version) && BigInt(version) <= BigInt(to),
        )),
  );
}

/** Tells whether outcomes leave a write in doubt although every disturbance has a known effect. */
export function doubtsInVain(
  outcomes: readonly Outcome[],
  disturbances: ReadonlyMap<number, Disturbance>,
): boolean {
  const clear: readonly Disturbance[] = [
    'refused 400',
    '429',
    'rules missing',
    'rules empty',
    'foreign edit',
  ];
  return outcomes.some(isInDoubt) && [...disturbances.values()].every((kind) => clear.includes(kind));
}

/** Applies a plan through a proxy that disturbs some of its requests, counted from 1. */
export async function applyDisturbed(
  bench: Bench,
  { given, prepared }: { readonly given: CampaignPlan; readonly prepared: Prepared },
  disturbances: ReadonlyMap<number, Disturbance>,
  onFailure: PlanRun['onFailure'] = 'stop',
): Promise<Disturbed> {
  let requests = 0;
  let foreign: Disturbed['foreign'] = null;
  const proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, path }) => {
    requests += 1;
    const kind = disturbances.get(requests);
    const unseen = method === 'DELETE' && /\/rulesets\/[0-9a-f]{32}$/.test(path);
    const edit = async (): Promise<void> => {
      foreign ??= await editAsStranger(bench, prepared.plan, unseen);
    };
    return kind === undefined ? { kind: 'pass' } : faultOf(kind, edit);
  });
  const client = clientThrough(bench, proxy);
  try {
    const { strategy, preflight } = given;
    const options = { client, strategy, preflight, onFailure };
    const { outcomes, rollback } = await carryOutPlan(bench, [prepared.plan], options);
    return { outcomes, rollback, requests, foreign };
  } finally {
    await client.close();
    await proxy.close();
  }
}

/** Adds a rule as somebody else to the entry point that a plan is about, or creates the entry point with it. */
async function editAsStranger(
  bench: Bench,
  { scope, steps }: PlannedScope,
  unseen: boolean,
): Promise<Disturbed['foreign']> {
  const step = steps.find(({ target }) => target.level !== 'custom') ?? steps[0];
  const { phase } = step?.target ?? { phase: '' };
  const rule = {
    ref: 'stranger',
    action: phase === 'http_request_dynamic_redirect' ? 'redirect' : 'log',
    expression: 'ssl',
    ...(phase === 'http_request_dynamic_redirect'
      ? {
          action_parameters: {
            from_value: { target_url: { value: 'https://stranger.example/' }, status_code: 302 },
          },
        }
      : {}),
  };
  const live = await getEntrypoint(bench.client, scope, phase);
  if (scope.kind !== 'zone') {
    // Account entry points of this phase take execute rules only (api.md 1.6), so the stranger creates a custom ruleset instead.
    await createRuleset(bench.client, scope, { name: 'Stranger', kind: 'custom', phase, rules: [] });
    return null;
  }
  const made =
    live === null
      ? await createRuleset(bench.client, scope, { name: 'default', kind: 'zone', phase, rules: [rule] })
      : await addRule(bench.client, { scope, rulesetId: live.id }, rule);
  return { ref: rule.ref, version: made?.version ?? '', step: step?.id ?? '', unseen };
}

/** All rules of some rulesets. */
export function rulesIn(rulesets: readonly LiveRuleset[]): readonly LiveRule[] {
  return rulesets.flatMap(({ rules }) => rules);
}
