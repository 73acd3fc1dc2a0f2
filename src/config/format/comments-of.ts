import { Lexer } from 'yaml';

/** What stands before a plain scalar in the lexer's output. */
const SCALAR = '\u001f';

/** The comments of a text, sorted: what has been written anew has to have them all. */
export function commentsOf(text: string): readonly string[] {
  return commentsInOrder(text).toSorted();
}

/** The comments of a text as they follow each other. */
export function commentsInOrder(text: string): readonly string[] {
  const comments: string[] = [];
  let before = '';
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('#') && before !== SCALAR) {
      comments.push(lexeme.trimEnd());
    }
    before = lexeme;
  }
  return comments;
}
