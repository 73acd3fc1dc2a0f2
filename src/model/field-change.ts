import type { JsonValue } from '../data/index.ts';

/** One field of a rule that differs; `path` is a JSON Pointer into the rule. */
export type FieldChange =
  | { readonly kind: 'added'; readonly path: string; readonly after: JsonValue }
  | { readonly kind: 'removed'; readonly path: string; readonly before: JsonValue }
  | {
      readonly kind: 'changed';
      readonly path: string;
      readonly before: JsonValue;
      readonly after: JsonValue;
    };

/** A text before and after a change. */
export interface TextChange {
  readonly before: string;
  readonly after: string;
}
