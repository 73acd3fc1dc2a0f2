/** What a request was and how it went, for messages. */
export interface RequestFacts {
  readonly method: string;
  /** Path with query, below the base URL. */
  readonly path: string;
  /** How many times it was sent, or tried to. */
  readonly attempts: number;
  /** The service's name for the exchange (`cf-ray`), where it gave one. */
  readonly rayId: string | null;
}

/** What the service says about pages (api.md 1.3); absent members were not sent. */
export interface ResultInfo {
  /** Where the next page of a cursor list starts. */
  readonly after?: string;
  readonly page?: number;
  readonly perPage?: number;
  readonly count?: number;
  readonly totalCount?: number;
  readonly totalPages?: number;
}

/** A remark of the service beside a result. */
export interface AnswerMessage {
  readonly code?: number;
  readonly message: string;
}

/** A successful answer. */
export interface Answer {
  readonly status: number;
  /** `null` for an empty body (204) and for dry runs. */
  readonly result: unknown;
  readonly resultInfo?: ResultInfo;
  readonly messages: readonly AnswerMessage[];
  readonly request: RequestFacts;
}
