/** For a text with a comma that stands in brackets without quotes. */
export const COMMA_HINT =
  'inside of `{ }` a comma ends a text: put the text in single quotes, or write each key on a line of its own';
