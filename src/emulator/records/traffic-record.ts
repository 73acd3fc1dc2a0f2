/** What goes wrong for requests once a rule is live. */
export interface TrafficFault {
  /** `ref` or id of the rule. */
  readonly rule: string;
  /** Name of the only zone in which it happens; absent: in all. */
  readonly zone?: string;
  /** Answers of the origin fail with `status`, or requests are blocked, as if by the rule. */
  readonly effect: 'errors' | 'blocks';
  readonly status: number;
  /** Of the requests that would have reached the origin, in percent. */
  readonly percent: number;
}

/** The requests that visitors make. There is one record at most; without it nobody visits. */
export interface TrafficMix {
  readonly id: 'mix';
  readonly requestsPerMinute: number;
  /** The same seed makes the same requests. */
  readonly seed: number;
  /** How many seconds later the analytics tell of them. */
  readonly delaySeconds: number;
  readonly faults: readonly TrafficFault[];
}

/** What became of a part of the requests. */
export interface VisitOutcome {
  readonly status: number;
  /** The security events that each of them left: rules by id, with their actions. */
  readonly events: readonly { readonly rule: string; readonly action: string }[];
  /** From 0 to 1. */
  readonly share: number;
}

/** A time in which the same became of all requests, in milliseconds since 1970. */
export interface TrafficSpan {
  readonly from: number;
  readonly to: number;
  readonly requestsPerMinute: number;
  readonly outcomes: readonly VisitOutcome[];
}

/** What became of the requests to a zone, oldest first. */
export interface ZoneTraffic {
  readonly zone: string;
  readonly spans: readonly TrafficSpan[];
}
