import { assertNever } from '../model/assert-never.ts';
import { RulewrightError } from '../model/error.ts';
import type { Marker, Topic } from './marker.ts';
import { isAbout, isNewer, readMarker } from './marker.ts';
import type { Comment, ForgeClock, Thread, WriteResult } from './port.ts';

/** What the comments about a topic are to be. */
export interface WantedComments {
  readonly marker: Marker;
  /** The commit that the pull request has now; null where that does not matter. */
  readonly headSha: string | null;
  readonly bodies: readonly string[];
}

/** How comments came to be as wanted, or why they were left as they are. */
export type Settled =
  | { readonly kind: 'settled'; readonly writes: number; readonly parts: number }
  | { readonly kind: 'superseded'; readonly by: Marker };

/** The most rounds of looking and writing; two runs that meet need three. */
const MAX_ROUNDS = 6;

const BUSY = 'somebody else changes them all the time';

/** Of a forge that took a comment and then does not list it as one of this account. */
const UNLISTED = 'the forge took one and does not list it among those of this account';

/**
 * Makes the comments about a topic as wanted: looks, writes what differs, looks again until nothing does. So a write of unknown outcome
 * is looked up before it is repeated, a comment that was deleted by hand is made anew, and of the comments of two runs that
 * met, the oldest stay. `wanted` is asked each time, since the pull request may have moved on meanwhile. What was taken and is not
 * listed is never posted again, and of several parts the first goes alone: a forge that shows nobody's own comments gets one.
 */
export async function settleComments(
  thread: Thread,
  wanted: () => Promise<WantedComments>,
  clock: ForgeClock,
): Promise<Settled> {
  const taken = new Set<number>();
  let writes = 0;
  let reason = BUSY;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const want = await wanted();
    const step = nextWrites(await thread.list(), want);
    if (step.kind === 'superseded' && step.remove.length === 0) {
      return { kind: 'superseded', by: step.by };
    }
    const todo = step.kind === 'superseded' ? step.remove.map(removal) : step.writes;
    if (todo.length === 0) {
      return { kind: 'settled', writes, parts: want.bodies.length };
    }
    if (todo.some((write) => write.kind === 'create' && taken.has(write.part))) {
      reason = UNLISTED;
      await clock.sleep(1000 * 2 ** round);
      continue;
    }
    const unknown = await carryOut(thread, todo, taken);
    writes += todo.length;
    if (unknown !== null) {
      reason = unknown;
      await clock.sleep(1000 * 2 ** round);
    }
  }
  throw new RulewrightError(`the comments could not be updated: ${reason}`, {
    code: 'forge/unsettled',
    fault: 'remote',
    hint:
      reason === UNLISTED
        ? 'delete the comment by hand, and give the step a token that may read the comments and say which account it belongs to'
        : 'run it again; give the workflow a concurrency group, so that its runs do not overlap',
  });
}

/** A write to a thread. */
export type CommentWrite =
  /** `part` is its number among what is wanted, from 0. */
  | { readonly kind: 'create'; readonly body: string; readonly part: number }
  | { readonly kind: 'update'; readonly id: number; readonly body: string }
  | { readonly kind: 'remove'; readonly id: number };

/** The writes that lead to what is wanted; none when it is there. */
export type NextWrites =
  | { readonly kind: 'write'; readonly writes: readonly CommentWrite[] }
  /** A newer result is there. `remove`: comments of this very run that came too late. */
  | { readonly kind: 'superseded'; readonly by: Marker; readonly remove: readonly number[] };

/** Compares comments with what they are to be. Parts go into the oldest comments in order; what is left over goes. */
function nextWrites(comments: readonly Comment[], { marker, headSha, bodies }: WantedComments): NextWrites {
  const ours = commentsAbout(comments, marker);
  const newest = ours.find(({ marker: there }) => isNewer(there, marker, headSha));
  if (newest !== undefined) {
    const late = ours.filter((one) => one.marker.run === marker.run && one.marker.at === marker.at);
    return { kind: 'superseded', by: newest.marker, remove: late.map(({ id }) => id) };
  }
  // Whether this account finds its own comments again shows with the first.
  const possible = ours.length === 0 ? bodies.slice(0, 1) : bodies;
  return {
    kind: 'write',
    writes: [
      ...possible.flatMap((body, index): readonly CommentWrite[] => {
        const there = ours[index];
        if (there === undefined) {
          return [{ kind: 'create', body, part: index }];
        }
        return sameText(there.body, body) ? [] : [{ kind: 'update', id: there.id, body }];
      }),
      ...ours.slice(bodies.length).map(({ id }) => removal(id)),
    ],
  };
}

/** Comments of this account about a topic, oldest first. */
export function commentsAbout(
  comments: readonly Comment[],
  topic: Topic,
): readonly (Comment & { readonly marker: Marker })[] {
  return comments
    .filter(({ mine }) => mine)
    .flatMap((comment) => {
      const marker = readMarker(comment.body);
      return isAbout(marker, topic) ? [{ ...comment, marker }] : [];
    })
    .sort((a, b) => a.id - b.id);
}

/** Forges change line ends and cut blanks at the end. */
export function sameText(a: string, b: string): boolean {
  const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
  return plain(a) === plain(b);
}

function removal(id: number): CommentWrite {
  return { kind: 'remove', id };
}

/** Writes one after the other up to the first of unknown outcome; its reason, or null. Parts that were created go into `taken`. */
async function carryOut(
  thread: Thread,
  writes: readonly CommentWrite[],
  taken: Set<number>,
): Promise<string | null> {
  for (const write of writes) {
    const written = await send(thread, write);
    if (written.kind === 'unknown') {
      return written.reason;
    }
    if (write.kind === 'create' && written.kind === 'done') {
      taken.add(write.part);
    }
  }
  return null;
}

function send(thread: Thread, write: CommentWrite): Promise<WriteResult> {
  switch (write.kind) {
    case 'create':
      return thread.create(write.body);
    case 'update':
      return thread.update(write.id, write.body);
    case 'remove':
      return thread.remove(write.id);
    default:
      return assertNever(write);
  }
}
