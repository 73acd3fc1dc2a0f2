import { dispatch } from '../call/dispatch.ts';
import type { Dispatched } from '../call/dispatch.ts';
import type { JsonObject } from '../protocol/json.ts';
import { envelope } from '../protocol/answer.ts';
import { noRoute } from '../protocol/gateway-errors.ts';
import type { Route } from '../call/route.ts';
import { routes } from '../interface/routes.ts';
import type { Service } from '../call/service.ts';

/** A request by somebody else. */
export interface ForeignRequest {
  readonly method: string;
  /** The path below the base URL, with its query if there is one. */
  readonly path: string;
  readonly body?: JsonObject | undefined;
}

/** Carries out a request by a user with all rights. The request costs no budget, is not recorded, and no fault strikes it. */
export function sendAsSomebody(service: Service, { method, path, body }: ForeignRequest): Dispatched {
  const url = new URL(path, 'http://service.test');
  const [user] = service.store.users.all();
  for (const route of routes) {
    const params = route.method === method ? paramsOf(route, url.pathname) : undefined;
    if (params !== undefined && user !== undefined) {
      return dispatch(service, route, {
        service,
        credential: { user },
        query: url.searchParams,
        params,
        contentType: 'application/json',
        bodyText: body === undefined ? '' : JSON.stringify(body),
      });
    }
  }
  return { envelope: envelope(noRoute(url.pathname)), wrote: false };
}

function paramsOf(route: Route, path: string): Readonly<Record<string, string>> | undefined {
  const found = patternOf(route.path).exec(path);
  return found === null ? undefined : { ...found.groups };
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const source = path.replaceAll(
    /:(\w+)(?:\{((?:[^{}]|\{[^{}]*\})*)\})?/gu,
    (_, name: string, pattern: string | undefined) => `(?<${name}>${pattern ?? '[0-9a-f]{32}'})`,
  );
  const known = patterns.get(path) ?? new RegExp(`^${source}$`, 'u');
  patterns.set(path, known);
  return known;
}
