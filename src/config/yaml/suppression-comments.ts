import { Lexer } from 'yaml';
import type { SourceSpan } from '../../model/index.ts';
import type { SourceText } from '../source/source-text.ts';
import { sourceText, spanAt } from '../source/source-text.ts';
import { scalarAt, settle, throughUses } from './yaml-document.ts';
import type { ValuePath, YamlDocument } from './yaml-document.ts';

/** A comment that suppresses findings, as written; its content is not checked yet. */
export interface SuppressionComment {
  /** The text behind the marker. */
  readonly text: string;
  readonly where: SourceSpan;
  /** The lines that the comment applies to: the next one, and all lines of a text or a rule in braces that begins there. */
  readonly lines: { readonly first: number; readonly last: number };
}

/** The beginning of a comment that suppresses findings. */
export const MARKER = 'rulewright-disable-next-line';

/** The part of a code that all findings of the rules language have. */
const OF_EXPRESSIONS = 'expression/';

const OF_NAMES: ReadonlySet<string> = new Set([
  'schema/unknown-action',
  'config/unknown-phase',
  'config/rate-limit-period',
]);

/**
 * Whether errors of a code are none where the service is newer than this version, and has more grammar, names, periods or higher limits: the only
 * errors that a comment may suppress.
 */
export function isPermittable(code: string): boolean {
  return OF_NAMES.has(code) || (code.startsWith(OF_EXPRESSIONS) && code !== 'expression/blank');
}

const COMMENT = new RegExp(`^#\\s*${MARKER}(?![\\w-])(?<text>.*)$`, 'u');

/** Returns all comments of a YAML text that suppress findings. The same words inside a value are not a comment. */
export function suppressionComments(path: string, text: string): readonly SuppressionComment[] {
  if (!text.includes(MARKER)) {
    return [];
  }
  const source = sourceText(path, text);
  const pieces = piecesOf(source);
  const comments = pieces.filter(({ kind }) => kind === 'comment');
  const commentLines = new Set(comments.filter(({ alone }) => alone).map(({ first }) => first));
  return comments.flatMap(({ text: comment, where, first, alone }) => {
    const said = COMMENT.exec(comment)?.groups?.['text'];
    return said === undefined || !alone
      ? []
      : [{ text: said, where, lines: linesBehind(first, commentLines, pieces) }];
  });
}

/** A lexeme with the lines that it spans; a block scalar counts from the line of its `|` or `>`. */
interface CommentLexeme {
  readonly kind: 'comment' | 'other';
  readonly text: string;
  readonly where: SourceSpan;
  readonly first: number;
  readonly last: number;
  /** Whether nothing stands before it on its line. */
  readonly alone: boolean;
}

/** Marks of the lexer that stand for no text: a document begins, a flow ends, a scalar follows. */
const SCALAR_FOLLOWS = '\u001F';
const CONTROL: ReadonlySet<string> = new Set(['\uFEFF', '\u0002', '\u0018', SCALAR_FOLLOWS]);

function piecesOf(source: SourceText): readonly CommentLexeme[] {
  const pieces: CommentLexeme[] = [];
  let offset = source.text.startsWith('\uFEFF') ? 1 : 0;
  let header: number | undefined;
  let scalar = false;
  for (const lexeme of new Lexer().lex(source.text)) {
    if (CONTROL.has(lexeme)) {
      scalar = lexeme === SCALAR_FOLLOWS;
      continue;
    }
    const where = spanAt(source, offset, offset + lexeme.trimEnd().length);
    const { line } = where.start;
    pieces.push({
      kind: !scalar && lexeme.startsWith('#') ? 'comment' : 'other',
      text: lexeme,
      where,
      first: scalar ? (header ?? line) : line,
      last: where.end.line,
      alone: source.text.slice(source.lineStarts[line - 1], offset).trim() === '',
    });
    header = /^[|>][-+\d]*$/u.test(lexeme) && !scalar ? line : scalar ? undefined : header;
    scalar = false;
    offset += lexeme.length;
  }
  return pieces;
}

function linesBehind(
  line: number,
  comments: ReadonlySet<number>,
  pieces: readonly CommentLexeme[],
): SuppressionComment['lines'] {
  let first = line + 1;
  while (comments.has(first)) {
    first += 1;
  }
  const inside = pieces.filter((piece) => piece.kind === 'other' && piece.first === first);
  return { first, last: Math.max(first, endOfBraces(first, pieces), ...inside.map(({ last }) => last)) };
}

/** What may stand before braces that are a whole item: white space, its dash, an anchor. */
const BEFORE_BRACES = /^(?:\s*|-|&.*)$/u;

/** Returns the line in which the braces end that a line begins with: `fmt` writes a long rule in braces over several lines. */
function endOfBraces(line: number, pieces: readonly CommentLexeme[]): number {
  const start = pieces.findIndex(({ first, text }) => first === line && !BEFORE_BRACES.test(text));
  let depth = 0;
  for (const { text, last } of start === -1 ? [] : pieces.slice(start)) {
    depth += text === '{' ? 1 : text === '}' ? -1 : 0;
    if (depth === 0) {
      return last;
    }
  }
  return line;
}

/** A comment on the line on which a text without quotes ends. */
export interface CommentBehind {
  /** The comment with its `#`. */
  readonly text: string;
  readonly where: SourceSpan;
}

/** Returns the comment by which YAML may have cut a text short: without quotes, ` #` ends a text. */
export function commentBehind(document: YamlDocument, path: ValuePath): CommentBehind | undefined {
  const scalar = scalarAt(document, path);
  if (scalar?.type !== 'PLAIN' || scalar.range === null || scalar.range === undefined) {
    return undefined;
  }
  const { document: own, via } = settle(document, path);
  const [, end] = scalar.range;
  const lineEnd = own.source.text.indexOf('\n', end);
  const rest = own.source.text.slice(end, lineEnd === -1 ? undefined : lineEnd);
  const [, blank = '', text] = /^([ \t]+)(#.*)$/u.exec(rest.trimEnd()) ?? [];
  if (text === undefined) {
    return undefined;
  }
  const start = end + blank.length;
  return { text, where: throughUses(spanAt(own.source, start, start + text.length), via) };
}
