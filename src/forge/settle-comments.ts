import { assertNever } from '../data/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { Clock } from '../network/index.ts';
import type { Marker, Topic } from './marker.ts';
import { isAbout, isNewer, readMarker } from './marker.ts';
import type { Comment, CommentThread, ForgeWriteResult } from './port.ts';

/** The comments that a thread should have about a topic. */
export interface WantedComments {
  readonly marker: Marker;
  /** The current head commit of the pull request; null when it does not matter. */
  readonly headSha: string | null;
  readonly bodies: readonly string[];
}

/** The result: the comments are as wanted, or were left alone because a newer result is posted. */
export type Settled =
  | { readonly kind: 'settled'; readonly writes: number; readonly parts: number }
  | { readonly kind: 'superseded'; readonly by: Marker };

/** The maximum number of rounds of reading and writing; two concurrent runs need three. */
const MAX_ROUNDS = 6;

const BUSY = 'somebody else changes them all the time';

/** The reason for a forge that accepts a comment and then does not list it as one of this account. */
const UNLISTED = 'the forge took one and does not list it among those of this account';

/**
 * Brings the comments about a topic to the wanted state: reads them, writes what differs, and repeats this until nothing does. So a write
 * of unknown outcome is checked before it is repeated, a comment that was deleted by hand is created again, and of the comments of two
 * concurrent runs the oldest stay. `wanted` is called in each round, because the pull request may have moved on. A comment that the forge
 * accepted and does not list is never posted again, and the first of several parts is posted alone: a forge that does not list one's own
 * comments gets only one.
 */
export async function settleComments(
  thread: CommentThread,
  wanted: () => Promise<WantedComments>,
  clock: Clock,
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

export type CommentWrite =
  /** `part` is the index of the comment among the wanted bodies, from 0. */
  | { readonly kind: 'create'; readonly body: string; readonly part: number }
  | { readonly kind: 'update'; readonly id: number; readonly body: string }
  | { readonly kind: 'remove'; readonly id: number };

/** The writes that lead to the wanted state; none when it is reached. */
export type NextWrites =
  | { readonly kind: 'write'; readonly writes: readonly CommentWrite[] }
  /** A newer result is posted. `remove`: comments of this very run that were posted after it. */
  | { readonly kind: 'superseded'; readonly by: Marker; readonly remove: readonly number[] };

/** Compares the comments with the wanted ones. The parts replace the oldest comments in order; comments beyond them are removed. */
function nextWrites(comments: readonly Comment[], { marker, headSha, bodies }: WantedComments): NextWrites {
  const ours = commentsAbout(comments, marker);
  const newest = ours.find(({ marker: there }) => isNewer(there, marker, headSha));
  if (newest !== undefined) {
    const late = ours.filter((one) => one.marker.run === marker.run && one.marker.at === marker.at);
    return { kind: 'superseded', by: newest.marker, remove: late.map(({ id }) => id) };
  }
  // The first comment shows whether the forge lists this account's own comments.
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

/** Returns the comments of this account about a topic, oldest first. */
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

/** Compares posted texts: forges change line ends and trim blanks. */
export function sameText(a: string, b: string): boolean {
  const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
  return plain(a) === plain(b);
}

function removal(id: number): CommentWrite {
  return { kind: 'remove', id };
}

/** Does the writes in order, up to the first of unknown outcome; returns its reason, or null. Adds the parts that were created to `taken`. */
async function carryOut(
  thread: CommentThread,
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

function send(thread: CommentThread, write: CommentWrite): Promise<ForgeWriteResult> {
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
