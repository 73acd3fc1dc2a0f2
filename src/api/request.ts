/** Query parameters, by name. */
export type Query = Readonly<Record<string, string | number>>;

/** A request that changes something if the service accepts it. */
export interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, with a leading slash and without a query. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** The phase that is written, for the hint about a missing permission (api.md 11.2). */
  readonly phase?: string;
  /** Keeps waiting for its turn when the run is interrupted. */
  readonly insist?: boolean;
}

/** Any request to the service. */
export interface ServiceRequest extends Omit<WriteRequest, 'method'> {
  readonly method: WriteRequest['method'] | 'GET';
}

/** The facts of a request that messages show. */
export interface RequestFacts {
  readonly method: string;
  /** Path with query, relative to the base URL. */
  readonly path: string;
  /** The number of attempts to send the request. */
  readonly attempts: number;
  /** The service's id of the exchange (`cf-ray`); null when there is none. */
  readonly rayId: string | null;
}

/** Returns path and query as they are sent and shown in messages. */
export function requestTarget(request: ServiceRequest): string {
  if (request.query === undefined) {
    return request.path;
  }
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? request.path : `${request.path}?${query}`;
}

/** Which failures of a request may be retried, by the kind of the request (design: retry by what the request is). */
export type Repeatability = 'read' | 'write' | 'never';

/** Returns how a request may be retried. One with `waf_migration` starts something that cannot be undone, so it is sent only once. */
export function repeatability(request: ServiceRequest): Repeatability {
  if (request.method === 'GET') {
    return 'read';
  }
  return request.query !== undefined && 'waf_migration' in request.query ? 'never' : 'write';
}
