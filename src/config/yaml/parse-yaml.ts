import { Composer, Lexer, Parser, YAMLParseError } from 'yaml';
import type { CST, Document, ErrorCode, Node, ScalarTag, YAMLError } from 'yaml';
import type { Diagnostic } from '../../model/index.ts';
import { hasErrors } from '../../model/index.ts';
import { memoiseWeakly } from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { readValue, YAML_LIMITS } from './read-value.ts';
import type { YamlDocument } from './yaml-document.ts';
import { firstMistake } from './line-mistakes.ts';
import type { LineMistake } from './line-mistakes.ts';
import { isAstray, isVariable, unclosed, syntaxFinding } from './syntax-finding.ts';
import type { Broken } from './syntax-finding.ts';

/**
 * Reports lines that are not YAML; errors around them only follow from them. All but conflict markers may stand in a text, and count only where
 * the parser has stumbled: `stumbled` are the numbers of those lines, from 1.
 */
function foreignLines(lines: readonly string[], stumbled: ReadonlySet<number>): readonly LineMistake[] {
  const conflicts = conflictMarkers(lines);
  return conflicts.length > 0
    ? conflicts
    : lines.flatMap((text, line): readonly LineMistake[] => {
        const says = stumbled.has(line + 1)
          ? FOREIGN.find(([pattern]) => pattern.test(text))?.[1]
          : undefined;
        return says === undefined ? [] : [{ line, from: text.search(/\S/u), until: text.length, ...says }];
      });
}

const FOREIGN: readonly (readonly [RegExp, Pick<LineMistake, 'message' | 'hint'>])[] = [
  [/^```/u, { message: 'this is a fence of Markdown', hint: 'delete it' }],
  [
    /^ +(?:\.{3}|…)$/u,
    { message: '`...` is a placeholder, not YAML', hint: 'write what it stands for, or delete it' },
  ],
];

/** Reports merge conflicts that a file still holds, each at its first marker: everything between the markers is two texts in one. */
function conflictMarkers(lines: readonly string[]): readonly LineMistake[] {
  let isInside = false;
  return lines.flatMap((text, line): readonly LineMistake[] => {
    const [, marker = ''] = /^([<=>|])\1{6}(?: |$)/u.exec(text) ?? [];
    const isFirst = marker === '<' || (marker !== '' && !isInside);
    if (marker !== '') {
      isInside = marker !== '>';
    }
    return isFirst ? [{ line, from: 0, until: text.length, ...CONFLICT }] : [];
  });
}

const CONFLICT = {
  message: 'this is a merge conflict marker',
  hint: 'keep what is right of the two sides, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`',
};

/** Turns the parser's errors about invalid YAML into findings about the slips themselves, without what only follows from a slip. */
export function explainSyntax(broken: Broken, errors: readonly YAMLError[]): readonly Diagnostic[] {
  const telling = mostTelling(broken.source, errors.slice(0, YAML_LIMITS.syntaxErrors));
  return syntaxFindings(broken, telling).slice(0, YAML_LIMITS.syntaxFindings);
}

/** The error about each token behind one that has ended the document too soon. */
const BEHIND_DOCUMENT = / token in YAML stream: /u;

/**
 * Drops errors that only follow from others: where a variable stands without quotes in brackets, all other errors; behind a quotation mark that
 * nothing closes, all errors about the rest of the file; and all errors behind what has ended the document.
 */
function mostTelling(source: SourceText, all: readonly YAMLError[]): readonly YAMLError[] {
  const errors = all.filter(({ message }, index) => index === 0 || !BEHIND_DOCUMENT.test(message));
  const variables = errors.filter((error) => isVariable(source, error));
  if (variables.length > 0) {
    return variables;
  }
  const marks = errors.map((error) => unclosed(source, error));
  const first = marks.find((mark) => mark !== undefined);
  return first === undefined
    ? errors
    : errors.filter(({ pos: [start] }, index) => marks[index] === first || start < first);
}

/** Returns one finding for each slip: errors of the parser around a line that shows its own slip only follow from it. */
function syntaxFindings(broken: Broken, errors: readonly YAMLError[]): readonly Diagnostic[] {
  const { source } = broken;
  const lines = source.text.split('\n').map((line) => line.replace(/\r$/u, ''));
  const lineWithText = linesWithText(lines);
  const starts = errors.map(({ pos: [start, end] }) => lineWithText(spanAt(source, start, end).start.line));
  const foreign = foreignLines(lines, new Set(starts));
  if (foreign.length > 0) {
    return foreign.map((mistake) => mistakeFinding(source, mistake));
  }
  const tab = errors.find(({ code }) => code === 'TAB_AS_INDENT');
  if (tab !== undefined) {
    return [syntaxFinding(broken, tab)];
  }
  const first = firstMistake(
    lines.slice(0, lineWithText(starts.reduce((last, line) => Math.max(last, line), 0) + 1)),
  );
  const astray = [
    ...(first?.isAstray === true ? [first.line + 1] : []),
    ...starts.filter((_line, index) => isAstray(errors[index])),
  ];
  const lost = astray.reduce((line, other) => Math.min(line, other), Infinity);
  // A slip that is not reported does not explain the errors near it either: something has to be reported.
  const mistake = first === undefined || first.line + 1 > lost ? undefined : first;
  const isTold = (error: YAMLError, index: number): boolean => {
    const line = starts[index] ?? 0;
    const isNear =
      mistake !== undefined &&
      (Math.abs(line - mistake.line - 1) <= 1 || lineWithText(line + 1) === mistake.line + 1);
    const follows = line > lost || starts.indexOf(line) < index;
    return !isNear && !(follows && OF_STRUCTURE.has(error.code) && unclosed(source, error) === undefined);
  };
  return [
    ...(mistake === undefined ? [] : [mistakeFinding(source, mistake)]),
    ...errors
      .filter(isTold)
      .slice(0, YAML_LIMITS.syntaxFindings)
      .map((error) => syntaxFinding(broken, error)),
  ];
}

/**
 * Returns a function from a line to the first line, itself included, that holds more than a comment: an error on empty lines is about the line
 * behind them.
 */
function linesWithText(lines: readonly string[]): (line: number) => number {
  const behind = lines.map((_text, index) => index + 1);
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    if (/^\s*(?:#|$)/u.test(lines[index] ?? '')) {
      behind[index] = behind[index + 1] ?? index + 1;
    }
  }
  return (line) => behind[line - 1] ?? line;
}

/** Codes of errors about a line that does not belong to those above it as the parser expects. */
const OF_STRUCTURE: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
  'MISSING_CHAR',
  'UNEXPECTED_TOKEN',
]);

function mistakeFinding(source: SourceText, { line, from, until, message, hint }: LineMistake): Diagnostic {
  const begin = source.lineStarts[line] ?? 0;
  return finding('yaml/syntax', { message, hint, where: spanAt(source, begin + from, begin + until) });
}

/** Characters that YAML does not print (YAML 1.2.2, 5.1): a file with one counts as binary, and a review does not show its changes. */
const CONTROL = /(?![\t\n\r\x85])\p{Cc}|\r(?!\n)/u;

/** Characters that set the direction of the text behind them, so that a line does not say what it seems to say. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the finding about the first control character of a file, behind which everything is in doubt; undefined where there is none. */
function controlCharacter(source: SourceText): Diagnostic | undefined {
  const at = source.text.search(CONTROL);
  if (at === -1) {
    return undefined;
  }
  const name = codePoint(source.text, at);
  return finding('yaml/control-character', {
    message: `the control character ${name} stands here`,
    hint: 'delete it; if a text needs it, write it as an escape in double quotes, such as "\\x1b"',
    ...SEEN_OFTEN.get(name),
    where: spanAt(source, at, at + 1),
  });
}

/** Characters that may fill a whole file, and what the file is then. */
const SEEN_OFTEN: ReadonlyMap<string, { readonly message?: string; readonly hint: string }> = new Map([
  [
    'U+000D',
    {
      message: 'a carriage return (U+000D) stands here without a line feed',
      hint: 'save the file with the line ends of Unix or Windows',
    },
  ],
  ['U+0000', { hint: 'delete it; if the file is UTF-16, save it as UTF-8' }],
]);

/** Warns of characters that reverse the direction of a line. */
function directionCharacters(source: SourceText): readonly Diagnostic[] {
  const all = [...source.text.matchAll(DIRECTION)].slice(0, YAML_LIMITS.valueFindings);
  return all.map(({ index }) => {
    const name = codePoint(source.text, index);
    return finding('yaml/text-direction', {
      message: `the invisible character ${name} stands here: this line is not shown in the order in which it is read`,
      hint: `delete it, or write it as "\\u${name.slice(2).toLowerCase()}" in double quotes`,
      where: spanAt(source, index, index + 1),
    });
  });
}

function codePoint(text: string, at: number): string {
  return `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The syntax tree of a text, or where the text exceeds the limits. */
type ReadTokens =
  | { readonly kind: 'read'; readonly tokens: readonly CST.Token[] }
  | { readonly kind: 'too-deep' | 'too-many'; readonly offset: number };

/**
 * Splits a text into syntax step by step, and stops as soon as it is nested too deep or has too many parts: later steps recurse over the depth
 * and keep all parts in memory.
 */
export function readTokens(text: string): ReadTokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
    }
    count += 1;
    if (count > YAML_LIMITS.lexemes) {
      return { kind: 'too-many', offset: parser.offset };
    }
    if (parser.stack.length > YAML_LIMITS.depth && openCollections(parser.stack) > YAML_LIMITS.depth) {
      return { kind: 'too-deep', offset: parser.offset - lexeme.length };
    }
  }
  for (const token of parser.end()) {
    tokens.push(token);
  }
  return { kind: 'read', tokens };
}

const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

function openCollections(stack: readonly CST.Token[]): number {
  return stack.filter((token) => COLLECTIONS.has(token.type)).length;
}

/** A parsed file; without a document where the findings say why there is none. */
export interface ParsedYaml {
  readonly document?: YamlDocument;
  /** Where keys appear twice and nothing else is wrong: a document in which the first ones count, to look for more errors. */
  readonly draft?: YamlDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses one file as YAML 1.2 (core schema, no merge keys). Never throws; bounded by `YAML_LIMITS`.
 * All findings of the file are returned; a document is there only when none of them is an error. `tagsOfOthers` are for files of other tools.
 */
export function parseYaml(source: SourceText, tagsOfOthers: readonly ScalarTag[] = []): ParsedYaml {
  const control = controlCharacter(source);
  if (control !== undefined) {
    return failed(control);
  }
  const read = readTokens(source.text);
  if (read.kind !== 'read') {
    return failed(beyondLimits(source, read));
  }
  const { documents, errors } = compose(read.tokens, source, tagsOfOthers);
  const [document, second] = documents;
  if (errors.length > 0) {
    return failed(...explainSyntax({ source, tokens: read.tokens }, errors));
  }
  if (second !== undefined) {
    const [start] = second.range;
    return failed(
      finding('yaml/several-documents', {
        message: 'the file holds more than one document',
        hint: 'put each document into a file of its own',
        where: spanAt(source, start, source.text.startsWith('---', start) ? start + 3 : start + 1),
      }),
    );
  }
  return document === undefined ? emptyFile(source) : readDocument(source, document);
}

/** As `parseYaml`, for a program that asks about the same texts again and again: what a text says is kept as long as the text. */
export const parseOnce = memoiseWeakly(parseYaml);

function beyondLimits(
  source: SourceText,
  { kind, offset }: Exclude<ReadTokens, { readonly kind: 'read' }>,
): Diagnostic {
  const where = spanAt(source, offset, offset + 1);
  return kind === 'too-deep'
    ? finding('yaml/too-deep', {
        message: `values are nested deeper than ${YAML_LIMITS.depth} levels`,
        hint: 'no document of Rulewright is nested so deeply; look for brackets that are not closed',
        where,
      })
    : finding('yaml/too-large', {
        message: `the file has more than ${YAML_LIMITS.lexemes} tokens`,
        hint: 'split it: several files may describe a scope, each of its phases in one of them',
        where,
      });
}

/**
 * In the core schema, only a text begins like this. Tried first, it saves most scalars eight patterns: a quarter of the time that the library
 * takes from syntax to nodes.
 */
const PLAIN_TEXT: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  test: /^[^-+.~\dNnTtFf]/u,
  resolve: (text) => text,
};

/** The documents of a file, without those behind too many errors, and what the parser finds wrong, errors first. */
interface Composed {
  readonly documents: readonly Document.Parsed[];
  readonly errors: readonly YAMLError[];
}

/** Thrown within this file alone, once there are more errors than anybody looks at. */
const ENOUGH = new Error('enough errors');

/** Where the library says that an error is. */
type ErrorPlace = number | readonly number[] | { readonly offset: number; readonly source?: unknown };

function rangeOf(place: ErrorPlace): [number, number] {
  if (typeof place === 'number') {
    return [place, place + 1];
  }
  if ('offset' in place) {
    const { offset, source } = place;
    return [offset, offset + (typeof source === 'string' ? source.length : 1)];
  }
  const [start = 0, end = start + 1] = place;
  return [start, end];
}

/**
 * Makes nodes of a syntax tree, and stops at the error behind the last one that is looked at. The library makes all of them, each with a trace of the
 * stack: a file full of slips took ten times as long as a correct one. Its handler is the only place to stop it.
 */
export function compose(
  tokens: readonly CST.Token[],
  source: SourceText,
  tagsOfOthers: readonly ScalarTag[] = [],
): Composed {
  const errors: YAMLError[] = [];
  const warnings: YAMLError[] = [];
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    customTags: (tags) => [...tagsOfOthers, PLAIN_TEXT, ...tags],
    resolveKnownTags: false,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  Object.assign(composer, {
    onError: (place: ErrorPlace, code: ErrorCode, message: string, isWarning = false): void => {
      if (errors.length + warnings.length >= YAML_LIMITS.syntaxErrors) {
        throw ENOUGH;
      }
      (isWarning ? warnings : errors).push(new YAMLParseError(rangeOf(place), code, message));
    },
  });
  const documents: Document.Parsed[] = [];
  try {
    for (const document of composer.compose(untilTooManyErrors(tokens), true, source.text.length)) {
      documents.push(document);
    }
  } catch (error) {
    if (error !== ENOUGH) {
      throw error;
    }
  }
  // What stands outside of documents does not go through the handler.
  return { documents, errors: [...errors, ...documents.flatMap((one) => one.errors), ...warnings] };
}

/** Ends a syntax tree at the last of its errors that is looked at. */
function untilTooManyErrors(tokens: readonly CST.Token[]): readonly CST.Token[] {
  let errors = 0;
  const end = tokens.findIndex(({ type }) => type === 'error' && (errors += 1) > YAML_LIMITS.syntaxErrors);
  return end === -1 ? tokens : tokens.slice(0, end);
}

/** Returns what can be made out of a text with or without errors; undefined of one without content, or beyond the limits. */
export function composeLeniently(source: SourceText): Node | undefined {
  const read = readTokens(source.text);
  return read.kind === 'read'
    ? (compose(read.tokens, source).documents[0]?.contents ?? undefined)
    : undefined;
}

function readDocument(source: SourceText, document: Document.Parsed): ParsedYaml {
  const root = document.contents;
  if (root === null || (root.range[0] === root.range[1] && root.tag === undefined)) {
    return emptyFile(source);
  }
  const { value, aliases, diagnostics: found, isWhole } = readValue(source, root);
  const diagnostics = [...directionCharacters(source), ...found];
  const read: YamlDocument = { source, value, root, aliases };
  if (!hasErrors(diagnostics)) {
    return { document: read, diagnostics };
  }
  return isWhole ? { draft: read, diagnostics } : { diagnostics };
}

function emptyFile(source: SourceText): ParsedYaml {
  return failed(
    finding('yaml/empty-file', {
      message: 'the file has no content',
      hint: 'an empty file never means "no rules"; write the document, or take the file out of the project',
      where: spanAt(source, 0, 0),
    }),
  );
}

function failed(...diagnostics: readonly Diagnostic[]): ParsedYaml {
  return { diagnostics };
}
