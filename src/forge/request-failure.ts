/** The error of a request to a forge that did not succeed. */
export class RequestFailure extends Error {
  /** Null when no answer came. */
  readonly status: number | null;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;

  constructor(
    message: string,
    facts: {
      readonly status: number | null;
      readonly headers?: ReadonlyMap<string, string>;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.name = 'RequestFailure';
    this.status = facts.status;
    this.headers = facts.headers ?? new Map();
  }
}
