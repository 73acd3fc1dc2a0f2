import type { EvaluationContext, Values } from '../expression/index.ts';
import type { NewFields } from './new-fields.ts';

/** The context in which expressions are compiled. */
export interface Evaluation {
  readonly context: EvaluationContext;
  /** The names of the lists whose items are known. */
  readonly lists: ReadonlySet<string>;
  /** Fields of a newer service for which a test may give values. */
  readonly newFields?: NewFields;
  /**
   * Whether requests are records of real ones: what a record does not say is unknown then, and so is what depends on it. Otherwise a field that
   * nobody gave has the value of a plain request.
   */
  readonly recorded?: boolean;
}

/** A compiled text; when it has a problem, `evaluate` returns false or undefined. */
export interface CompiledText<Result> {
  readonly evaluate: (values: Values) => Result;
  /** Why the text cannot be evaluated; undefined when it can. */
  readonly problem: string | undefined;
  /** The assumptions on which the result rests. */
  readonly assumes: readonly string[];
  /** Fields of a newer service on which the result may depend. */
  readonly newFields?: readonly string[];
}
