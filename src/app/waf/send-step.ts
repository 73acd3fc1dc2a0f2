import type { WriteClient } from '../../api/client.ts';
import { isUncertain, ServiceError } from '../../api/service-error.ts';
import { migrateWaf } from '../../api/waf-migration.ts';
import { insisting } from '../../apply/base/look-up.ts';
import { mayComeLate } from '../../apply/write/send-until-known.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { WafOutcome, WafStatus, WafStep } from '../../model/waf-migration.ts';
import type { Expectation } from '../../plan/requests/expect.ts';
import { configurationOf, differencesTo } from './rules-sent.ts';
import { statusNow } from './step.ts';

/** Values of the query parameter (specification 4.3 rule 1). */
export const QUERY_VALUES = { validate: 'validation', finish: 'pending' } as const;

/** The state that a step ends in (specification 3.1). */
export const END_STATES = { validate: 'validation', finish: 'complete' } as const;

/** What became of the PUT of a step. */
type Sent =
  | { readonly kind: 'landed'; readonly ruleset: LiveRuleset | null }
  | { readonly kind: 'failed'; readonly outcome: Failure };

type Failure = Extract<WafOutcome, { readonly code: string }>;

/** A step that is taken, the zone that it is for, and the state that was read before. */
interface StepToSend {
  readonly step: WafStep;
  readonly scope: Scope;
  readonly before: WafStatus;
  readonly client: WriteClient;
}

/** Sends the PUT of a step, once. After an error, reads the state to learn whether the step took effect. */
export async function sendStep(sending: StepToSend, expected: Expectation): Promise<Sent> {
  const { client, scope, step } = sending;
  try {
    const configuration = configurationOf(expected);
    return {
      kind: 'landed',
      ruleset: await migrateWaf(client, scope.id, { step: QUERY_VALUES[step], configuration }),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    const now = await statusNow(insisting(client), scope);
    return now !== null && (await wasExecuted(sending, expected, now))
      ? { kind: 'landed', ruleset: null }
      : { kind: 'failed', outcome: failure(scope, error, now) };
  }
}

/**
 * After an error: whether the state, or the rules if the state has not changed, show that the step took effect. Also after a
 * refusal, because the service refuses a repeated request.
 */
async function wasExecuted(
  { client, scope, step, before }: StepToSend,
  expected: Expectation,
  now: WafStatus,
): Promise<boolean> {
  if (now.state !== before.state) {
    return now.state === END_STATES[step] || now.state === 'pending';
  }
  return (
    step === 'validate' &&
    now.state === 'validation' &&
    (await differencesTo(insisting(client), scope, expected)).length === 0
  );
}

function failure(scope: Scope, error: ServiceError, now: WafStatus | null): Failure {
  const { code, message, hint } = error;
  const unread = `its state cannot be read either: run rulewright waf status ${scope.name} before anything else`;
  if (isUncertain(error) && (now === null || mayComeLate(error))) {
    const late = `the service may still take it: run rulewright waf status ${scope.name} before anything else`;
    return { kind: 'in-doubt', code, message, hint: now === null ? unread : late };
  }
  const told = now === null ? unread : isUncertain(error) ? `it did nothing: try again` : hint;
  return { kind: 'failed', code, message, hint: told };
}
