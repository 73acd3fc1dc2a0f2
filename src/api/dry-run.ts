import type { DryRunClient } from './client.ts';
import type { WriteRequest } from './request.ts';
import { ServiceError } from './service-error.ts';

/**
 * Has the service check a write with `dry_run` (api.md 2.4). Rejects with the error that the write would meet, and with `dry-run-wrote`
 * when the service has written after all: a dry run that comes back with a result was none.
 */
export async function dryRun(client: DryRunClient, request: WriteRequest): Promise<void> {
  const answer = await client.check(request);
  if (answer.result !== null) {
    throw new ServiceError(
      `${answer.request.method} ${answer.request.path} was to be a dry run, but the service answered with a result: it has written.`,
      {
        ...answer.request,
        code: 'dry-run-wrote',
        status: answer.status,
        errors: [],
        effect: 'unknown',
        hint: 'The service does not know dry runs. Look at what it holds now, and continue with --preflight off.',
      },
    );
  }
}
