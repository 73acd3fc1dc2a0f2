/** Query parameters, by name. */
export type Query = Readonly<Record<string, string | number>>;

/** A request that changes something, when the service takes it. */
export interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, with a leading slash and without a query. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** The phase that is written, for the hint when permission is missing (api.md 11.2). */
  readonly phase?: string;
  /** Does not give up waiting when the run is interrupted. */
  readonly insist?: boolean;
}

/** Any request to the service. */
export interface ServiceRequest extends Omit<WriteRequest, 'method'> {
  readonly method: WriteRequest['method'] | 'GET';
}

/** The facts of a request that messages show. */
export interface RequestFacts {
  readonly method: string;
  /** Path with query, below the base URL. */
  readonly path: string;
  /** How many times it was sent, or tried to. */
  readonly attempts: number;
  /** The id of the exchange (`cf-ray`), where there is one. */
  readonly rayId: string | null;
}

/** Path and query as they go on the wire and into messages. */
export function requestTarget(request: ServiceRequest): string {
  if (request.query === undefined) {
    return request.path;
  }
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? request.path : `${request.path}?${query}`;
}

/** How often a request may be sent again, by what it is (design: retry by what the request is). */
export type Repeatability = 'read' | 'write' | 'never';

/** Requests that carry `waf_migration` start something that cannot be undone; they are sent once. */
export function repeatability(request: ServiceRequest): Repeatability {
  if (request.method === 'GET') {
    return 'read';
  }
  return request.query !== undefined && 'waf_migration' in request.query ? 'never' : 'write';
}
