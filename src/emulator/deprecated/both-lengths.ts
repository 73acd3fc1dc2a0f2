import type { Clock } from '../clock.ts';
import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { inEffect } from './effect.ts';

/** The refusal of a request that says its length twice (specification 7.3, 9; status and text assumed). */
export function bothLengthsProblem(
  service: { readonly clock: Clock },
  header: (name: string) => string | undefined,
): Refusal | undefined {
  return header('transfer-encoding') !== undefined &&
    header('content-length') !== undefined &&
    inEffect(service, 'transfer-encoding-with-content-length')
    ? refuse(
        400,
        serviceError('requests with both Transfer-Encoding and Content-Length headers are declined'),
      )
    : undefined;
}
