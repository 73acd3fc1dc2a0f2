import type { ReadClient } from '../api/client.ts';
import { systemClock } from '../api/clock.ts';
import { isServiceError } from '../api/service-error.ts';
import { verifyToken } from '../api/tokens.ts';
import { pageOfZones } from '../api/zones.ts';
import type { DoctorCheck } from '../report/doctor-text.ts';
import type { ServiceOptions } from './service-options.ts';

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Proxies are not used: said only where somebody counts on one. */
export function checkProxy({ env, service }: ServiceOptions): readonly DoctorCheck[] {
  const set = PROXY_VARIABLES.filter((name) => (env[name] ?? '') !== '');
  return set.length === 0 || service.kind === 'emulator'
    ? []
    : [
        {
          subject: 'proxy',
          status: 'warning',
          message: `${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set, and not used: connections are made directly`,
          hint: 'let the machine reach the service directly, or name a gateway by CLOUDFLARE_BASE_URL',
        },
      ];
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

/** Whether the service knows the token, and for how long. */
export async function checkToken(
  client: ReadClient,
  { service }: ServiceOptions,
): Promise<readonly DoctorCheck[]> {
  if (service.kind === 'service' && service.credentials?.kind === 'key') {
    await pageOfZones(client, 1);
    return [
      {
        subject: 'key',
        status: 'warning',
        message: 'a key may do everything that its user may',
        hint: 'make a token with the permissions that are needed, and set CLOUDFLARE_API_TOKEN',
      },
    ];
  }
  try {
    const { status, expiresOn } = await verifyToken(client);
    return status === 'active'
      ? [validity(expiresOn)]
      : [{ subject: 'token', status: 'problem', message: `it is ${status}`, hint: 'make a new token' }];
  } catch (error) {
    if (!isServiceError(error, 401) && !isServiceError(error, 403)) {
      throw error;
    }
    // A token that belongs to an account is not known to this check, and may be good all the same.
    await pageOfZones(client, 1);
    return [
      {
        subject: 'token',
        status: 'unknown',
        message: 'the service takes it, and does not say until when it is valid',
      },
    ];
  }
}

function validity(expiresOn: string | null): DoctorCheck {
  if (expiresOn === null) {
    return { subject: 'token', status: 'good', message: 'valid, without an end' };
  }
  const days = Math.floor((Date.parse(expiresOn) - systemClock.now()) / DAY_MS);
  return days >= SOON_DAYS
    ? { subject: 'token', status: 'good', message: `valid until ${expiresOn}` }
    : {
        subject: 'token',
        status: 'warning',
        message: `valid until ${expiresOn} only`,
        hint: 'make a new token before that day',
      };
}

const SKEW_MS = 60_000;

/** Whether this machine's clock agrees with that of the service; the answer of least difference counts. */
export function checkClock(skews: readonly number[]): readonly DoctorCheck[] {
  const known = skews.filter((skew) => Number.isFinite(skew));
  if (known.length === 0) {
    return [
      { subject: 'clock', status: 'unknown', message: 'no answer of the service says what time it is' },
    ];
  }
  const least = known.reduce((best, skew) => (Math.abs(skew) < Math.abs(best) ? skew : best));
  return Math.abs(least) < SKEW_MS
    ? [{ subject: 'clock', status: 'good', message: 'it agrees with that of the service' }]
    : [
        {
          subject: 'clock',
          status: 'warning',
          message: `it is ${Math.round(Math.abs(least) / 1000)} seconds ${least > 0 ? 'ahead of' : 'behind'} that of the service`,
          hint: 'set the clock: days at which allowances and ignored differences end depend on it',
        },
      ];
}
