import type { ServiceResponse } from './response.ts';
import { readBody } from './body.ts';
import { brokenError, refusedError } from './failure.ts';
import type { ServiceRequest } from './request.ts';
import { requestTarget } from './request.ts';
import type { Attempted } from './retry.ts';

/** What reading a response needs besides the request. */
export interface Exchange extends Attempted {
  readonly host: string;
  readonly mask: (text: string) => string;
}

/**
 * Returns the response of a request that succeeded: a 2xx with `success: true` (the status alone does not prove success, api.md 1.1), or an
 * empty 2xx. An answer of the analytics has no `success`: it has data and no errors. Throws a `ServiceError` for everything else.
 */
export function readEnvelope(request: ServiceRequest, exchange: Exchange): ServiceResponse {
  const { result, attempts, mask } = exchange;
  const rayId = result.kind === 'answered' ? (result.headers.get('cf-ray') ?? null) : null;
  const facts = {
    method: request.method,
    path: mask(requestTarget(request)),
    attempts,
    rayId: rayId === null ? null : mask(rayId),
  };
  if (result.kind === 'broken') {
    throw brokenError(request, { facts, result, host: exchange.host });
  }
  const body = readBody(result.text, mask);
  const { status } = result;
  const fine = status >= 200 && status < 300;
  const auditId = result.headers.get('cf-auditlog-id');
  const receipt = auditId === undefined ? {} : { auditId: mask(auditId) };
  if (fine && body.kind === 'empty') {
    return { status, result: null, messages: [], request: facts, ...receipt };
  }
  if (fine && body.kind === 'envelope' && body.success === true) {
    return {
      status,
      result: body.result,
      messages: body.messages,
      request: facts,
      ...receipt,
      ...(body.resultInfo === null ? {} : { resultInfo: body.resultInfo }),
    };
  }
  if (
    fine &&
    request.asks === true &&
    body.kind === 'envelope' &&
    body.errors.length === 0 &&
    body.data !== null
  ) {
    return { status, result: body.data, messages: [], request: facts };
  }
  const location = result.headers.get('location');
  const contentType = result.headers.get('content-type');
  throw refusedError(request, {
    facts,
    status,
    location: location === undefined ? null : mask(location),
    contentType: contentType === undefined ? null : mask(contentType),
    body,
    tooLong: exchange.tooLong ?? null,
  });
}
