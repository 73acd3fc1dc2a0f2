import type { DryRunClient } from './client.ts';
import type { WriteRequest } from './request.ts';
import { hasStatus, isOfService, ServiceError, serviceErrorOf } from './service-error.ts';
import type { ScopeAddress } from './paths.ts';
import { ABSENT_RULE_ID, rulePath } from './paths.ts';

/**
 * Has the service check a write with `dry_run` (api.md 2.4). Rejects with the error that the write would meet, and with `api/dry-run-wrote`
 * when the response has a result: then it was no dry run, and the service has written.
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
 * Finds out whether the service honours `dry_run`. A service that ignores it would write, so only proof counts: the DELETE of a rule that
 * cannot exist gets 404 with `dry_run=true`, and 400 with an invalid value. `forbidden`: the credentials lack the permission to write, so
 * there is no proof. Everything else, including a failed request, is `unknown`. Only with `honoured` may anything be sent as a dry run.
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

/**
 * Finds out whether the credentials may write a ruleset. This is the first half of the proof above, and suffices when the service is known
 * to honour `dry_run`.
 */
export async function probeWrite(
  client: DryRunClient,
  scope: ScopeAddress,
  rulesetId: string,
): Promise<'allowed' | 'unknown' | 'forbidden'> {
  const right = await serviceErrorOf(client.probe(pathOf(scope, rulesetId), 'true'));
  if (right !== null && hasStatus(right, 401, 403)) {
    return 'forbidden';
  }
  return right?.status === 404 && isOfService(right) ? 'allowed' : 'unknown';
}

function pathOf(scope: ScopeAddress, rulesetId: string): string {
  return rulePath(scope, rulesetId, ABSENT_RULE_ID);
}
