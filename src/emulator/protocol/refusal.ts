/** One entry of `errors` in an answer (api.md 1.2). `code` is optional in the Rulesets interface. */
export interface ServiceError {
  readonly code?: number | undefined;
  readonly message: string;
  readonly source?: { readonly pointer: string } | undefined;
  readonly error_chain?: readonly ServiceError[] | undefined;
}

/** What a few refusals have in addition to status and errors. */
interface Extras {
  readonly headers?: Readonly<Record<string, string>>;
  /** The messages of the answer; a few old services send null when there are none (api.md 1.2). */
  readonly messages?: readonly unknown[] | null;
  /** Set when what was written before the refusal is kept (specification 4.2 rule 3). */
  readonly keeps?: true;
}

/** The details of a single error besides its message; what is not public is absent. */
interface Details extends Extras {
  readonly code?: number | undefined;
  /** A JSON pointer to the wrong place in the body. */
  readonly pointer?: string | undefined;
  readonly chain?: readonly ServiceError[];
}

/**
 * A request that the service declines: the HTTP status, and the errors of its envelope. A check throws it; it is caught
 * where work comes in (a request, a seed, a control endpoint), and what the work has written is undone.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly ServiceError[];
  readonly extras: Extras;

  constructor(status: number, errors: readonly ServiceError[], extras: Extras = {}) {
    super(errors.map(({ message }) => message).join('; '));
    this.name = 'Refusal';
    this.status = status;
    this.errors = errors;
    this.extras = extras;
  }
}

/** Makes a refusal with one error, for the caller to throw. */
export function refuse(
  status: number,
  message: string,
  { code, pointer, chain, ...extras }: Details = {},
): Refusal {
  const source = pointer === undefined ? undefined : { pointer };
  return new Refusal(status, [{ code, message, source, error_chain: chain }], extras);
}

/** Throws a refusal where an expression is needed. */
export function decline(refusal: Refusal): never {
  throw refusal;
}

/** Does a piece of work; returns its result, or the refusal that it threw. */
export function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) {
      return error;
    }
    throw error;
  }
}
