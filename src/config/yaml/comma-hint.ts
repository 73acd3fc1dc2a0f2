/** For a text with a comma or a bracket that stands in brackets without quotes. */
export const COMMA_HINT =
  'inside of `{ }` and `[ ]` a comma or a bracket ends a text: put the text in single quotes, or write each entry on a line of its own';
