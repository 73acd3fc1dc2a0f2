import type { DoctorCheck } from '../../report/text/doctor.ts';
import type { ServiceOptions } from '../service/service-options.ts';

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
