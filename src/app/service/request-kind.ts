import type { TraceEvent } from '../../api/index.ts';

/** What a request is for: reading, having a write checked, or writing. */
export type RequestKind = 'read' | 'check' | 'write';

/** Returns the kind of the request that an event is about. */
export function requestKind({ method, path }: Pick<TraceEvent, 'method' | 'path'>): RequestKind {
  return method === 'GET' ? 'read' : /[?&]dry_run=/.test(path) ? 'check' : 'write';
}
