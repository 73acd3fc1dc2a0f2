import type { Credentials } from '../../api/index.ts';
import { RulewrightError, causeText } from '../../model/index.ts';
import type { Cause } from '../../model/index.ts';
import type { ServiceOptions } from './service-options.ts';

/**
 * Returns the credentials for a scope: those in its environment variable if a file names one, else the default ones. The embedded
 * service always takes the default ones. Throws `app/no-credentials` if there are none.
 */
export function credentialsFor(
  options: ServiceOptions,
  usual: Credentials | null,
  tokenEnv: string | undefined,
  named?: Cause,
): Credentials {
  if (options.service.kind === 'emulator' && usual !== null) {
    return usual;
  }
  if (tokenEnv !== undefined) {
    const token = options.env[tokenEnv];
    if (token === undefined || token === '') {
      const place = named === undefined ? '' : ` at ${causeText(named)}`;
      throw noCredentials(
        `the environment variable ${tokenEnv}, which token_env${place} names, is not set`,
        `set ${tokenEnv} to the API token of this scope; without token_env the usual credentials count`,
      );
    }
    return { kind: 'token', token };
  }
  if (usual === null) {
    throw noCredentials('no credentials for the service', USUAL);
  }
  return usual;
}

/** Throws `app/no-credentials` if there are no credentials for a scope of which no file says otherwise. */
export function requireCredentials(options: ServiceOptions): void {
  if (options.service.kind === 'service') {
    credentialsFor(options, options.service.credentials, undefined);
  }
}

const USUAL =
  'set CLOUDFLARE_API_TOKEN, or CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY; or use --emulator to try without an account';

function noCredentials(message: string, hint: string): RulewrightError {
  return new RulewrightError(message, { code: 'app/no-credentials', fault: 'user', hint });
}
