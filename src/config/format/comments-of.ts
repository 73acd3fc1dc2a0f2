import { Lexer } from 'yaml';

/** What stands before a plain scalar in the lexer's output. */
const SCALAR = '\u001f';

/** The comments of a text, sorted: what has been written anew has to have them all. */
export function commentsOf(text: string): readonly string[] {
  return commentsInOrder(text).toSorted();
}

/** The comments of a text as they follow each other. */
export function commentsInOrder(text: string): readonly string[] {
  return placedComments(text).map((comment) => comment.text);
}

/** What the lexer tells beside the text itself. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', SCALAR]);

/** The same with the offsets at which they begin. */
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
