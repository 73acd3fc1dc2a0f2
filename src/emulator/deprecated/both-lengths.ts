import type { ServiceClock } from '../environment/clock.ts';
import { refuse } from '../protocol/refusal.ts';
import { inEffect } from '../environment/clock.ts';

/**
 * Refuses a request with both a Transfer-Encoding and a Content-Length header, once that is in effect
 * (specification 7.3, 9; status and text assumed).
 */
export function checkOneLength(
  service: { readonly clock: ServiceClock },
  header: (name: string) => string | undefined,
): void {
  if (
    header('transfer-encoding') !== undefined &&
    header('content-length') !== undefined &&
    inEffect(service, 'transfer-encoding-with-content-length')
  ) {
    throw refuse(400, 'requests with both Transfer-Encoding and Content-Length headers are declined');
  }
}
