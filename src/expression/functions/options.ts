import type { Span } from '../language/ast.ts';
import type { Int, Value } from '../values/value.ts';

/** What an evaluation needs beyond the fields of a request; each member states its default. */
export interface EvaluationContext {
  /** Whether a list of the service (`$name`, without the `$`) holds a value; by default no list holds any. */
  readonly inList?: (name: string, value: Value) => boolean;
  /**
   * Computes `hash_in_range`, from `start` to before `end`. The service's hash is not published; the default is another hash, just as
   * stable and even.
   */
  readonly hashInRange?: (range: { readonly start: Int; readonly end: Int }, values: readonly Value[]) => Int;
  /** Whether the request carries the token of a configuration; by default it does not. */
  readonly isJwtPresent?: (configuration: string) => boolean;
  /** Whether the request carries a valid token of a configuration; by default it does not. */
  readonly isJwtValid?: (configuration: string) => boolean;
}

/** The options of an evaluation. */
export interface EvaluationOptions {
  /** The result of `x ne …` for a missing value: false as the service documents (default), true as in the open-source engine. */
  readonly nilNotEqual?: boolean;
  readonly context?: EvaluationContext;
}

/** Why a well-formed expression cannot be evaluated here, and where. */
export interface EvaluationProblem {
  readonly message: string;
  readonly span: Span;
}
