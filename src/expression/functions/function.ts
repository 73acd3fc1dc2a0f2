import type { EvaluationContext } from './options.ts';
import type { Value } from '../values/value.ts';

/** What is known of a call before any request: the arguments that are literals, and what the host gives. */
interface FunctionSetup {
  /** The value of each argument that is a literal, undefined for the others. */
  readonly literals: readonly (Value | undefined)[];
  readonly context: EvaluationContext;
}

/** Arguments of a call, undefined where a value is missing. */
export type Arguments = readonly (Value | undefined)[];

/** A function ready to be applied, or why it cannot be. */
export type BuiltFunction =
  | { readonly ok: true; readonly apply: (args: Arguments) => Value | undefined }
  | { readonly ok: false; readonly reason: string };

/** Makes a function ready for one place where it is called. */
export type FunctionBuilder = (setup: FunctionSetup) => BuiltFunction;

/** A function that needs nothing of the place where it is called and sees its missing arguments. */
export function plain(apply: (args: Arguments) => Value | undefined): FunctionBuilder {
  return () => ({ ok: true, apply });
}

/** A function of one byte string; of anything else, and of a missing value, it gives nothing. */
export function ofBytes(apply: (bytes: string) => Value | undefined): FunctionBuilder {
  return plain(([bytes]) => (typeof bytes === 'string' ? apply(bytes) : undefined));
}

/** A function of two byte strings. */
export function ofTwoBytes(apply: (first: string, second: string) => Value | undefined): FunctionBuilder {
  return plain(([first, second]) =>
    typeof first === 'string' && typeof second === 'string' ? apply(first, second) : undefined,
  );
}
