import { InsertTextFormat } from 'vscode-languageserver';
import type {
  CodeAction,
  CompletionItem,
  DocumentSymbol,
  Hover,
  Location,
  Position,
  Range,
  SignatureHelp,
  TextEdit as ProtocolEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { cursorAt, formatText } from '../config/index.ts';
import type { TextEdit } from '../config/index.ts';
import { FUNCTIONS } from '../expression/index.ts';
import type { Diagnostic, SourceSpan } from '../model/index.ts';
import { fileActions } from './code-actions.ts';
import { complete } from './complete.ts';
import type { CompletionMeans } from './complete.ts';
import type { EditedFile } from './edited-file.ts';
import { expressionCursor } from './expression-cursor.ts';
import { hover } from './hover.ts';
import { functionText, signatureText } from './language-words.ts';
import { definition, prepareRename, references, rename } from './navigate.ts';
import { outline } from './outline.ts';
import type { OutlinePart } from './outline.ts';
import { parsedOf } from './open-project.ts';
import { documentOf, offsetOf } from './positions.ts';
import type { Positions } from './positions.ts';
import { rangeIn, toProtocol } from './publish.ts';
import { expressionRoleAt } from './symbols.ts';
import { uriOf } from './workspace.ts';

/** A file that is asked about, with what answers are made of. */
export interface FileQuestion {
  readonly file: EditedFile;
  readonly uri: string;
  readonly positions: Positions;
  readonly means: CompletionMeans;
}

const offsetIn = ({ file, positions }: FileQuestion, position: Position): number =>
  positions.offsetAt(documentOf(file.source), position);

const rangeFor = ({ file, positions }: FileQuestion, start: number, end: number): Range =>
  positions.rangeAt(documentOf(file.source), start, end);

/** Answers what may stand at a position; with texts up to where the cursor belongs, for a client that takes no snippets. */
export async function answerCompletion(
  asked: FileQuestion,
  position: Position,
  { takesSnippets }: { readonly takesSnippets: boolean },
): Promise<CompletionItem[]> {
  const found = await complete(asked.file, offsetIn(asked, position), asked.means);
  if (found === undefined) {
    return [];
  }
  const range = rangeFor(asked, found.start, found.end);
  return found.items.map(({ insert, insertTextFormat, ...item }) => {
    const newText = insert ?? item.label;
    if (insertTextFormat !== InsertTextFormat.Snippet) {
      return { ...item, textEdit: { range, newText } };
    }
    return takesSnippets
      ? { ...item, insertTextFormat, textEdit: { range, newText } }
      : { ...item, textEdit: { range, newText: newText.replace(/\$1.*$/su, '') } };
  });
}

/** Explains what is at a position. */
export async function answerHover(asked: FileQuestion, position: Position): Promise<Hover | null> {
  const found = await hover(asked.file, offsetIn(asked, position), asked.means);
  return found === undefined
    ? null
    : {
        contents: { kind: 'markdown', value: found.markdown },
        range: rangeFor(asked, found.start, found.end),
      };
}

/** Shows the function around a position, and the argument that it is in. */
export function answerSignature(asked: FileQuestion, position: Position): SignatureHelp | null {
  const cursor = cursorAt(asked.file.source, offsetIn(asked, position));
  if (cursor?.part !== 'value' || expressionRoleAt(cursor.path) === undefined) {
    return null;
  }
  const call = expressionCursor(cursor.text, cursor.at).calls.at(-1);
  const facts = call && FUNCTIONS.get(call.name);
  if (call === undefined || facts === undefined) {
    return null;
  }
  const { label, parameters } = signatureText(facts);
  return {
    signatures: [
      {
        label,
        documentation: { kind: 'markdown', value: functionText(facts) },
        parameters: parameters.map(([start, end]) => ({ label: [start, end] })),
      },
    ],
    activeSignature: 0,
    activeParameter: Math.min(call.argument, parameters.length - 1),
  };
}

function locations(
  { file: { open }, positions }: FileQuestion,
  spans: readonly SourceSpan[],
): Promise<Location[]> {
  return Promise.all(
    spans.map(async (span) => ({ uri: uriOf(open, span.file), range: await rangeIn(open, span, positions) })),
  );
}

/** Answers where the name at a position is declared. */
export async function answerDefinition(asked: FileQuestion, position: Position): Promise<Location[]> {
  return locations(asked, await definition(asked.file, offsetIn(asked, position)));
}

/** Answers where the name at a position is used. */
export async function answerReferences(
  asked: FileQuestion,
  position: Position,
  withDeclaration: boolean,
): Promise<Location[]> {
  return locations(asked, await references(asked.file, offsetIn(asked, position), { withDeclaration }));
}

/** Answers what would be renamed; or why nothing is. */
export function answerPrepareRename(
  asked: FileQuestion,
  position: Position,
): { readonly range: Range; readonly placeholder: string } | { readonly reason: string } {
  const found = prepareRename(asked.file, offsetIn(asked, position));
  return found.kind === 'refused'
    ? found
    : { range: rangeFor(asked, found.start, found.end), placeholder: found.text };
}

/** Answers the edits that give a new name; or why it cannot be given. */
export async function answerRename(
  asked: FileQuestion,
  position: Position,
  newName: string,
): Promise<WorkspaceEdit | { readonly reason: string }> {
  const spans = await rename(asked.file, offsetIn(asked, position), newName);
  if ('reason' in spans) {
    return spans;
  }
  const changes: Record<string, ProtocolEdit[]> = {};
  for (const { uri, range } of await locations(asked, spans)) {
    changes[uri] = [...(changes[uri] ?? []), { range, newText: newName }];
  }
  return { changes };
}

/** Answers the outline of a file. */
export function answerSymbols({ file, positions }: FileQuestion): DocumentSymbol[] {
  const { document } = parsedOf(file.source);
  const end = file.source.text.length;
  const symbols = (parts: readonly OutlinePart[], until: number): DocumentSymbol[] =>
    parts.map(({ name, detail, kind, where, parts: inner }, index) => {
      const next = parts[index + 1];
      const start = offsetOf(file.source, where.start);
      const last = Math.max(
        offsetOf(file.source, where.end),
        next ? offsetOf(file.source, next.where.start) : until,
      );
      return {
        name: name === '' ? '…' : name,
        detail,
        kind,
        range: positions.rangeAt(documentOf(file.source), start, last),
        selectionRange: positions.rangeOf(file.source, where),
        children: symbols(inner, last),
      };
    });
  return document === undefined ? [] : symbols(outline(document), end);
}

function protocolEdits(asked: FileQuestion, edits: readonly TextEdit[]): ProtocolEdit[] {
  return edits.map(({ start, end, text }) => ({ range: rangeFor(asked, start, end), newText: text }));
}

/** Answers what can be done about the findings in a range; `only` of some kinds, if a client asks for them. */
export async function answerActions(
  asked: FileQuestion,
  range: Range,
  {
    findings,
    only,
  }: { readonly findings: readonly Diagnostic[]; readonly only: readonly string[] | undefined },
): Promise<CodeAction[]> {
  const stretch = { start: offsetIn(asked, range.start), end: offsetIn(asked, range.end) };
  const actions = await fileActions(asked.file, stretch, findings);
  return Promise.all(
    actions
      .filter(({ kind }) => only?.some((one) => `${kind}.`.startsWith(`${one}.`)) ?? true)
      .map(async ({ title, kind, edits, mends, isPreferred }) => ({
        title,
        kind,
        isPreferred,
        diagnostics: await Promise.all(mends.map((one) => toProtocol(asked.file.open, one, asked.positions))),
        edit: { changes: { [asked.uri]: protocolEdits(asked, edits) } },
      })),
  );
}

/** Answers the edits that bring a file into the style of `fmt`; none of a file that cannot be read, or would change its meaning. */
export function answerFormatting(asked: FileQuestion): ProtocolEdit[] {
  const { source } = asked.file;
  const made = formatText(source);
  return made.kind !== 'formatted' || made.text === source.text
    ? []
    : protocolEdits(asked, [{ start: 0, end: source.text.length, text: made.text }]);
}
