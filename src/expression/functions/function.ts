import type { EvaluationContext } from './options.ts';
import type { Value } from '../values/value.ts';

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
