import { Lexer } from 'yaml';

/** The lexer's mark before a scalar. */
const SCALAR = '\u001f';

/** Returns the comments of a text, sorted, to check that a rewritten text has them all. */
export function commentsOf(text: string): readonly string[] {
  return commentsInOrder(text).toSorted();
}

/** Returns the comments of a text in their order. */
export function commentsInOrder(text: string): readonly string[] {
  return placedComments(text).map((comment) => comment.text);
}

/** Tokens of the lexer that are not part of the text. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', SCALAR]);

/** Returns the comments of a text in their order, with the offsets at which they begin. */
export function placedComments(text: string): readonly { readonly text: string; readonly start: number }[] {
  const comments: { readonly text: string; readonly start: number }[] = [];
  let before = '';
  let start = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('#') && before !== SCALAR) {
      comments.push({ text: lexeme.trimEnd(), start });
    }
    start += MARKS.has(lexeme) ? 0 : lexeme.length;
    before = lexeme;
  }
  return comments;
}
