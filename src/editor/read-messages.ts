import type { Readable } from 'node:stream';
import { AbstractMessageReader } from 'vscode-languageserver-protocol/node';
import type { DataCallback, Disposable, MessageReader } from 'vscode-languageserver-protocol/node';

/** Most bytes of one message: a file of the largest size that is read, with each character escaped. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Most bytes that may stand before a message: more is no header. */
const MAX_HEADER_BYTES = 8192;

const HEADER = 'Content-Length:';
const HEADER_END = '\r\n\r\n';

/**
 * Reads the messages of a client. The library's own reader hears nothing any more after a header that makes no sense; this one looks for the next
 * header, and leaves out what stands before it.
 */
export class TolerantReader extends AbstractMessageReader implements MessageReader {
  readonly #input: Readable;
  #held: Buffer = Buffer.alloc(0);
  /** Pieces of a message that is not whole yet, so that a long one is joined only once. */
  #pieces: Buffer[] = [];
  #missing = 0;

  constructor(input: Readable) {
    super();
    this.#input = input;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer): void => {
      this.#pieces.push(chunk);
      this.#missing -= chunk.byteLength;
      if (this.#missing <= 0) {
        this.#held = Buffer.concat([this.#held, ...this.#pieces]);
        this.#pieces = [];
        this.#missing = 0;
        while (this.#next(callback)) {
          // One message after the other.
        }
      }
    };
    const onEnd = (): void => this.fireClose();
    const onError = (error: Error): void => this.fireError(error);
    this.#input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
    return {
      dispose: () => {
        this.#input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      },
    };
  }

  /** Reads one message of what is held; returns whether there may be another. */
  #next(callback: DataCallback): boolean {
    const start = this.#held.indexOf(HEADER);
    const end = start === -1 ? -1 : this.#held.indexOf(HEADER_END, start);
    if (end === -1) {
      this.#held = this.#held.subarray(start === -1 ? -HEADER.length : start);
      if (start !== -1 && this.#held.byteLength > MAX_HEADER_BYTES) {
        this.#skip(HEADER.length);
        return true;
      }
      return false;
    }
    const length = Number(
      /^Content-Length:[ \t]*(\d+)[ \t]*(?:\r\n|$)/u.exec(this.#held.toString('latin1', start, end))?.[1],
    );
    if (!(length <= MAX_BYTES)) {
      this.#skip(start + HEADER.length);
      return true;
    }
    const body = end + HEADER_END.length;
    if (this.#held.byteLength < body + length) {
      this.#missing = body + length - this.#held.byteLength;
      return false;
    }
    this.#deliver(this.#held.toString('utf8', body, body + length), callback);
    this.#skip(body + length);
    return true;
  }

  #deliver(text: string, callback: DataCallback): void {
    const message = parsed(text);
    if (message === undefined) {
      this.fireError(new Error('a message is not JSON'));
    } else {
      callback(message);
    }
  }

  #skip(bytes: number): void {
    this.#held = this.#held.subarray(bytes);
  }
}

/** Returns the message of a text; undefined where it is none. */
function parsed(text: string): { readonly jsonrpc: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is { readonly jsonrpc: string } {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}
