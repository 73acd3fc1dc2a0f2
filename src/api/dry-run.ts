import type { DryRunClient } from './client.ts';
import type { WriteRequest } from './request.ts';
import { isOfService, ServiceError, serviceErrorOf } from './service-error.ts';
import type { ScopeAddress } from './paths.ts';
import { ABSENT_RULE_ID, rulePath } from './paths.ts';

/**
 * Has the service check a write with `dry_run` (api.md 2.4). Rejects with the error that the write would meet, and with `api/dry-run-wrote`
 * when the service has written after all: a dry run that comes back with a result was none.
 */
export async function dryRun(client: DryRunClient, request: WriteRequest): Promise<void> {
  const response = await client.check(request);
  if (response.result !== null) {
    throw new ServiceError(
      `${response.request.method} ${response.request.path} was to be a dry run, but the service answered with a result: it has written`,
      {
        ...response.request,
        code: 'api/dry-run-wrote',
        status: response.status,
        errors: [],
        effect: 'unknown',
        hint: 'the service does not know dry runs: look at what it holds now, and continue with --preflight off',
      },
    );
  }
}

/**
 * Whether the service honours `dry_run`. One that ignores it would write, so only proof counts: the
 * DELETE of a rule that cannot exist answers 404 with `dry_run=true` and 400 with a value that is wrong.
 * `forbidden`: the service refused to say, for want of permission to write. Everything else, a failing
 * request included, is `unknown`. With both, nothing may be sent as a dry run.
 */
export async function probeDryRun(
  client: DryRunClient,
  scope: ScopeAddress,
  rulesetId: string,
): Promise<'honoured' | 'unknown' | 'forbidden'> {
  const write = await probeWrite(client, scope, rulesetId);
  if (write !== 'allowed') {
    return write;
  }
  const wrong = await serviceErrorOf(client.probe(pathOf(scope, rulesetId), 'invalid'));
  return wrong?.status === 400 && isOfService(wrong) ? 'honoured' : 'unknown';
}

/** Whether a ruleset may be written: the first half of that proof, and all there is to ask where the service honours `dry_run`. */
export async function probeWrite(
  client: DryRunClient,
  scope: ScopeAddress,
  rulesetId: string,
): Promise<'allowed' | 'unknown' | 'forbidden'> {
  const right = await serviceErrorOf(client.probe(pathOf(scope, rulesetId), 'true'));
  if (right?.status === 403 || right?.status === 401) {
    return 'forbidden';
  }
  return right?.status === 404 && isOfService(right) ? 'allowed' : 'unknown';
}

function pathOf(scope: ScopeAddress, rulesetId: string): string {
  return rulePath(scope, rulesetId, ABSENT_RULE_ID);
}
