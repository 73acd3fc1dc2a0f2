import type { Value, Int } from '../values/value.ts';
import type { Span } from '../language/ast.ts';

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

/** What is known of a call before any request: its literal arguments, and what the host provides. */
interface FunctionSetup {
  /** The value of each argument that is a literal, undefined for the others. */
  readonly literals: readonly (Value | undefined)[];
  readonly context: EvaluationContext;
}

/** Arguments of a call, undefined where a value is missing. */
export type Arguments = readonly (Value | undefined)[];

/** A function ready to be applied, or why it cannot be evaluated. */
export type BuiltFunction =
  | { readonly ok: true; readonly apply: (args: Arguments) => Value | undefined }
  | { readonly ok: false; readonly reason: string };

/** Prepares a function for one call. */
export type FunctionBuilder = (setup: FunctionSetup) => BuiltFunction;

/** Makes a function that needs no setup and receives missing arguments as undefined. */
export function plain(apply: (args: Arguments) => Value | undefined): FunctionBuilder {
  return () => ({ ok: true, apply });
}

/** Makes a function of one byte string; its result is missing for a missing value or one of another type. */
export function ofBytes(apply: (bytes: string) => Value | undefined): FunctionBuilder {
  return plain(([bytes]) => (typeof bytes === 'string' ? apply(bytes) : undefined));
}

/** Makes a function of two byte strings, with a missing result for any other arguments. */
export function ofTwoBytes(apply: (first: string, second: string) => Value | undefined): FunctionBuilder {
  return plain(([first, second]) =>
    typeof first === 'string' && typeof second === 'string' ? apply(first, second) : undefined,
  );
}
