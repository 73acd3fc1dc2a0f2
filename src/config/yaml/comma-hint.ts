/** Hint for a text without quotes in braces or brackets that contains a comma or a bracket. */
export const COMMA_HINT =
  'inside of `{ }` and `[ ]` a comma or a bracket ends a text: put the text in single quotes, or write each entry on a line of its own';
