import type { DoctorCheck } from '../../model/doctor-report.ts';
import { serviceProxy } from '../service/service-options.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** Reports the proxy that requests go through, if any, without user and password. */
export function checkProxy(options: ServiceOptions): readonly DoctorCheck[] {
  const proxy = serviceProxy(options);
  if (proxy === undefined) {
    return [];
  }
  const except = proxy.noProxy === '' ? '' : ', but for the hosts of NO_PROXY';
  const message = `requests go through ${new URL(proxy.httpsProxy).origin} (${proxy.variable})${except}`;
  return [{ subject: 'proxy', status: 'good', message }];
}

const SKEW_MS = 60_000;

/** Checks that this machine's clock agrees with the service's, by the response with the smallest difference. */
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
