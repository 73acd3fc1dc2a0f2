import type { Dispatch } from './dispatch.ts';
import type { TraceEvent } from './trace.ts';
import { traced } from './trace.ts';
import { retiredRoute } from '../model/retired/retired-routes.ts';

/** Reports the first call of each route that the service is retiring, and makes every call. */
export function withDeprecations(dispatch: Dispatch, report: (event: TraceEvent) => void): Dispatch {
  const reported = new Set<string>();
  return (request) => {
    const [path = ''] = request.target.split('?', 1);
    const found = retiredRoute(request.method, path);
    if (found !== undefined && !reported.has(`${request.method} ${found.route.path}`)) {
      reported.add(`${request.method} ${found.route.path}`);
      const { row, route } = found;
      report({ kind: 'deprecated', ...traced(request), deprecation: row.id, route: route.path });
    }
    return dispatch(request);
  };
}
