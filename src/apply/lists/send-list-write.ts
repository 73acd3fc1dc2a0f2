import type { ReadClient, ServiceError, WriteClient, WriteRequest } from '../../api/index.ts';
import {
  decodeListHead,
  decodeOperationId,
  decodeResult,
  getBulkOperation,
  hasStatus,
  orElse,
} from '../../api/index.ts';
import type { LiveListHead } from '../../model/index.ts';
import type { Clock } from '../../network/index.ts';
import type { ListWrite } from './list-writes.ts';

/** How a write of a list came out. `unknown`: no answer came, so only live can tell. */
export type ListWriteResult =
  | { readonly kind: 'landed'; readonly made?: LiveListHead }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** The operation that was to carry it out ended without doing so, or went on for too long. */
  | { readonly kind: 'not-carried-out'; readonly reason: string; readonly isOver: boolean }
  | { readonly kind: 'unknown'; readonly error: ServiceError }
  /** It would have undone what somebody changed while it waited, so it was not sent; `now` is the list as it is. */
  | { readonly kind: 'moved'; readonly now: LiveListHead | null };

/** A request to send, or why nothing is sent any more. */
export type PreparedWrite =
  | { readonly kind: 'request'; readonly request: WriteRequest }
  | Extract<ListWriteResult, { readonly kind: 'landed' | 'moved' }>;

/** Makes the request of a write, each time before it is sent: what it repeats of live may have moved since. */
export type PrepareWrite = () => Promise<PreparedWrite>;

/** What sending takes. */
export interface SendingMeans {
  readonly client: WriteClient;
  /** Reads what the write did; waits for its turn even after an interruption. */
  readonly reader: ReadClient;
  readonly accountId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** The longest that somebody else's operation is waited for, and that our own is followed. */
const LONGEST_WAIT_MS = 10 * 60_000;
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [500, 15_000];

/**
 * Sends a write and follows its operation to the end. An account takes one operation at a time: the answer to another is 429, and then the write,
 * which did nothing, is sent again until its turn comes.
 */
export async function sendListWrite(
  write: ListWrite,
  prepare: PrepareWrite,
  means: SendingMeans,
): Promise<ListWriteResult> {
  const sent = await sendInTurn(prepare, means);
  if (sent.kind !== 'answered') {
    return sent;
  }
  switch (write.kind) {
    case 'create-list':
      return { kind: 'landed', made: decodeResult(sent.answer, decodeListHead) };
    case 'describe-list':
    case 'delete-list':
      return { kind: 'landed' };
    default:
      return follow(decodeResult(sent.answer, decodeOperationId), means);
  }
}

type WriteAnswer = Awaited<ReturnType<WriteClient['send']>>;

async function sendInTurn(
  prepare: PrepareWrite,
  { client, clock, signal }: SendingMeans,
): Promise<ListWriteResult | { readonly kind: 'answered'; readonly answer: WriteAnswer }> {
  const began = clock.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    if (signal?.aborted === true) {
      return { kind: 'interrupted' };
    }
    const prepared = await prepare();
    if (prepared.kind !== 'request') {
      return prepared;
    }
    const sent = await orElse(
      client.send(prepared.request).then((answer) => ({ kind: 'answered' as const, answer })),
      (error) => ({ kind: 'failed' as const, error }),
    );
    if (sent.kind === 'answered') {
      return sent;
    }
    const { error } = sent;
    if (!hasStatus(error, 429) || clock.now() - began >= LONGEST_WAIT_MS) {
      return error.code === 'api/aborted' && error.effect === 'none'
        ? { kind: 'interrupted' }
        : { kind: error.effect === 'unknown' ? 'unknown' : 'failed', error };
    }
    await rest(pause, { clock, signal });
  }
}

/** Asks for an operation until it is over, at growing intervals. An interruption does not stop it: it would go on without us. */
async function follow(
  operation: string,
  { reader, accountId, clock }: SendingMeans,
): Promise<ListWriteResult> {
  const began = clock.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    const found = await orElse(getBulkOperation(reader, accountId, operation), (error) => ({
      kind: 'unread' as const,
      error,
    }));
    if (found.kind === 'completed') {
      return { kind: 'landed' };
    }
    if (found.kind === 'failed') {
      return { kind: 'not-carried-out', reason: found.error, isOver: true };
    }
    if (clock.now() - began >= LONGEST_WAIT_MS) {
      return found.kind === 'unread'
        ? { kind: 'unknown', error: found.error }
        : { kind: 'not-carried-out', reason: `its operation ${operation} is not over yet`, isOver: false };
    }
    await rest(pause, { clock, signal: undefined });
  }
}

async function rest(
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) {
      throw error;
    }
  }
}
