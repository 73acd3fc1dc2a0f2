import type { Dispatch } from './request.ts';

/** Asked immediately before a request is sent that may write: null where it may be, else why it is not. */
export type WritePermit = () => Promise<string | null>;

/** What to do about a write that was withheld. */
export const WITHHELD_HINT =
  'another run may be at work, or has written meanwhile: once none is at work, run this again';

/** Asks before each attempt to write, behind all waits: what was right when a run began to wait may be so no more. */
export function withPermit(dispatch: Dispatch, mayWrite: WritePermit): Dispatch {
  return async (request) => {
    const withheld = request.repeat === 'read' ? null : await mayWrite();
    return withheld === null
      ? dispatch(request)
      : { kind: 'broken', reason: 'withheld', sent: false, detail: withheld };
  };
}
