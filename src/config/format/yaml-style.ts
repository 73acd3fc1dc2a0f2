import {
  Composer,
  Document,
  Parser,
  Scalar,
  YAMLMap,
  YAMLSeq,
  isCollection,
  isPair,
  isScalar,
  isSeq,
  visit,
  Lexer,
} from 'yaml';
import type { ScalarTag, Tags } from 'yaml';
import { liftComments } from './lift-comments.ts';

/**
 * Splits a text into the lines of a folded block, which reads them as the same text; undefined where a folded block cannot hold it. An expression
 * breaks before `and`, `or` and `xor` where it can, and never inside a string.
 */
export function foldLines(text: string, width: number): readonly string[] | undefined {
  if (text === '' || /[\n\r\t]/u.test(text) || text.startsWith(' ') || text.endsWith(' ')) {
    return undefined;
  }
  const lines: string[] = [];
  let start = 0;
  /** The gaps of the line so far. */
  let passed: readonly FoldPoint[] = [];
  for (const gap of [...gapsIn(text), { at: text.length, joins: false }]) {
    while (gap.at - start > width && passed.length > 0) {
      const end = passed.findLast(({ joins }) => joins) ?? passed.at(-1) ?? gap;
      lines.push(text.slice(start, end.at));
      start = end.at + 1;
      passed = passed.filter(({ at }) => at > end.at);
    }
    passed = [...passed, gap];
  }
  return [...lines, text.slice(start)];
}

/** A single space outside of quotes, at which a line may end. */
interface FoldPoint {
  readonly at: number;
  /** Whether it stands before `and`, `or` or `xor`. */
  readonly joins: boolean;
}

function gapsIn(text: string): readonly FoldPoint[] {
  const gaps: FoldPoint[] = [];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') {
      at += 1;
    } else if (character === '"') {
      quoted = !quoted;
    } else if (!quoted && character === ' ' && text[at - 1] !== ' ' && text[at + 1] !== ' ') {
      gaps.push({ at, joins: /^ (?:and|or|xor) /u.test(text.slice(at, at + 5)) });
    }
  }
  return gaps;
}

/** Width of a line in columns, where it can be kept. */
export const WIDTH = 110;

/** The style of all YAML that is written: by `fmt`, by `import`, and elsewhere. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  // Text that YAML 1.1 reads as something else stays in quotes: `on`, `yes`, `012`.
  compat: 'yaml-1.1',
  resolveKnownTags: false,
  uniqueKeys: false,
  logLevel: 'silent',
  customTags,
} as const;

/** Creates a document in canonical style from a plain value. */
export function newDocument(value: unknown): Document {
  const document = new Document(value, { ...OPTIONS, aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, node) => {
      node.flow = node.items.length === 0 || isShortList(node);
    },
    Map: (_, node, path) => {
      node.flow = node.items.length === 0 || (isSeq(path.at(-1)) && path.some((one) => isOverrides(one)));
    },
  });
  return document;
}

/** Parses a text into a document that keeps comments and styles. */
export function readDocument(text: string): Document {
  const tokens = [...new Parser().parse(text)].map(liftComments);
  const [document = new Document(null, OPTIONS)] = new Composer(OPTIONS).compose(tokens, true, text.length);
  return document;
}

/** Writes a document in canonical style; comments, the order of keys, and block or flow style stay. */
export function writeDocument(document: Document): string {
  visit(document, {
    Scalar: (key, node, path) => {
      const inFlow = path.some((ancestor) => isCollection(ancestor) && ancestor.flow === true);
      settleStyle(node, inFlow || key === 'key' ? 'one-line' : 'any');
    },
    Seq: (_, node) =>
      node instanceof TightSeq || node.flow !== true ? undefined : retype(node, new TightSeq()),
    Map: (_, node) =>
      node instanceof PaddedMap || node.flow !== true ? undefined : retype(node, new PaddedMap()),
  });
  return document.toString({ lineWidth: WIDTH, indentSeq: true });
}

/** Whether a node holds overrides, whose entries stand on one line each, as in the vendor's documentation. */
function isOverrides(node: unknown): boolean {
  return isPair(node) && isScalar(node.key) && node.key.value === 'overrides';
}

/** Whether a list is short enough to stand on one line. */
function isShortList(node: YAMLSeq): boolean {
  const lengths = node.items.map((item) => (isScalar(item) ? JSON.stringify(item.value).length + 1 : WIDTH));
  return lengths.reduce((sum, length) => sum + length, 0) < 72;
}

type StringifyContext = Parameters<YAMLSeq['toString']>[0];

/** A list written as `[a, b]`: the library pads brackets and braces alike. */
class TightSeq extends YAMLSeq {
  override toString(context: StringifyContext, ...rest: Callbacks): string {
    return super.toString(
      context === undefined ? context : { ...context, flowCollectionPadding: '' },
      ...rest,
    );
  }
}

/** A mapping written as `{ a: b }`, also inside brackets. */
class PaddedMap extends YAMLMap {
  override toString(context: StringifyContext, ...rest: Callbacks): string {
    return super.toString(
      context === undefined ? context : { ...context, flowCollectionPadding: ' ' },
      ...rest,
    );
  }
}

type Callbacks = readonly [onComment?: () => void, onChompKeep?: () => void];

function retype<Kind extends YAMLSeq | YAMLMap>(node: Kind, fresh: Kind): Kind {
  return Object.assign(fresh, node);
}

/** A blank at either end that YAML keeps in plain text, such as a no-break space, though nobody sees it. */
const EDGE_BLANK = /^[^\S \t\r\n]|[^\S \t\r\n]$/u;

/** Invisible characters, and those that control a terminal or the direction of a line; the library writes them unescaped. */
const HIDDEN = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Length above which a text is folded, where it has places to break. */
const LONG = 88;

/** Sets the style of a text: plain where possible, else quoted; long texts as folded blocks; blocks of several lines stay. */
function settleStyle(node: Scalar, room: 'one-line' | 'any'): void {
  const { value, type } = node;
  if (typeof value !== 'string') {
    return;
  }
  if (EDGE_BLANK.test(value) || value.search(HIDDEN) !== -1) {
    node.type = Scalar.QUOTE_DOUBLE;
    return;
  }
  const isBlock = type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;
  if (room === 'any' && isBlock && value.includes('\n')) {
    return;
  }
  delete node.type;
  if (endsInBlanks(value) || (room === 'one-line' && value.includes('\n'))) {
    node.type = Scalar.QUOTE_DOUBLE;
    return;
  }
  if (room === 'any' && value.length > LONG && (foldLines(value, WIDTH)?.length ?? 1) > 1) {
    node.type = Scalar.BLOCK_FOLDED;
  }
}

/**
 * Whether a text ends in blanks with more than a single line break, or is a line break: a block would mix them with the blanks of the file around
 * it.
 */
function endsInBlanks(value: string): boolean {
  const end = value.slice(value.trimEnd().length);
  return end.includes('\n') && (end !== '\n' || end === value);
}

function customTags(tags: Tags): Tags {
  return tags.map((tag) => (isTextTag(tag) ? { ...tag, stringify: textWriter(tag) } : tag));
}

function isTextTag(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str';
}

/** Escapes a character as YAML does between double quotes. */
function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

type Writer = NonNullable<ScalarTag['stringify']>;

/** Writes a text on one line, or folded by `foldLines`: the library would fold at any space. */
function textWriter(tag: ScalarTag): Writer {
  return (node, context, onComment, onChompKeep) => {
    const { value, type } = node;
    if (type === Scalar.BLOCK_FOLDED && typeof value === 'string' && context.inFlow !== true) {
      const lines = foldLines(value, WIDTH - context.indent.length);
      if (lines !== undefined) {
        const comment = node.comment === null || node.comment === undefined ? '' : ` #${node.comment}`;
        onComment?.();
        return [`>-${comment}`, ...lines].join(`\n${context.indent}`);
      }
    }
    // Inside braces and brackets, a text of several lines is written on one line with escaped line breaks.
    const oneLine = context.inFlow === true ? { doubleQuotedMinMultiLineLength: Infinity } : {};
    const options = { ...context.options, lineWidth: 0, ...oneLine };
    const text = tag.stringify?.(node, { ...context, options }, onComment, onChompKeep) ?? String(value);
    return node.type === Scalar.QUOTE_DOUBLE ? text.replace(HIDDEN, escaped) : text;
  };
}

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
