import { any, integer, list, nothing, object, text, word } from './shape.ts';
import type { Shape } from './shape.ts';

/** What an operation answers with: the result, and what it says about pages (api.md 1.3). */
export interface AnswerShape {
  readonly result: Shape;
  readonly info?: Shape;
  /** HTTP 204 without a body. */
  readonly empty?: true;
}

/** The shapes of a family's answers, by method and path as the routes have them. */
export type AnswerShapes = Readonly<Record<string, AnswerShape>>;

/** Page-style `result_info`. */
export const pages: Shape = object(
  { page: integer, per_page: integer, count: integer, total_count: integer },
  { total_pages: integer },
);

/** Cursor-style `result_info` of rulesets: both forms at once (api.md 13.4). */
export const cursor: Shape = object({ cursor: text, cursors: object({ after: text }) });

/** Cursor-style `result_info` of list items. */
export const cursors: Shape = object({ cursors: object({}, { before: text, after: text }) });

/** The envelope of a success around a result (specification 2.1, api.md 1.2). */
export function envelope({ result, info }: AnswerShape): Shape {
  return object(
    { result, success: any, errors: list(any), messages: list(any) },
    info === undefined ? {} : { result_info: info },
  );
}

/** An error object (specification 2.6, api.md 1.2). */
export const error: Shape = object(
  { message: text },
  {
    code: integer,
    source: object({ pointer: text }),
    error_chain: list(object({ code: integer, message: text })),
  },
);

/** The envelope of a failure (specification 7 rule 1). */
export const failure: Shape = object({
  result: nothing,
  success: any,
  errors: list(error),
  messages: list(any),
});

/** The plan words of zones. */
export const plan: Shape = word('free', 'pro', 'business', 'enterprise');
