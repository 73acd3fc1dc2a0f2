import type { Readable, Writable } from 'node:stream';
import {
  CodeActionKind,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
  createConnection,
} from 'vscode-languageserver';
import type { InitializeParams, InitializeResult, TextDocumentIdentifier } from 'vscode-languageserver';
import { StreamMessageWriter, createProtocolConnection } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { memoise, objectOf } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { errorMessage } from '../model/index.ts';
import {
  answerActions,
  answerCompletion,
  answerDefinition,
  answerFormatting,
  answerHover,
  answerPrepareRename,
  answerReferences,
  answerRename,
  answerSignature,
  answerSymbols,
} from './answers.ts';
import type { FileQuestion } from './answers.ts';
import { kindOfFile, readNames } from './edited-file.ts';
import type { FileKind } from './edited-file.ts';
import { lifecycle } from './lifecycle.ts';
import { readManagedNames } from './read-managed-names.ts';
import type { OpenProject } from './open-project.ts';
import { chooseUnit, createPositions } from './positions.ts';
import type { CharacterUnit } from './positions.ts';
import { createPublisher } from './publish.ts';
import { TolerantReader } from './read-messages.ts';
import { walkSchema } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';
import { createWorkspace, pathOf } from './workspace.ts';
import type { PlacedFile } from './workspace.ts';

/** What the server of an editor takes from its process. */
export interface EditorOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  /** Returns the self-contained schema of a kind of file. */
  readonly schema: (kind: FileKind) => Promise<JsonValue>;
  /** `YYYY-MM-DD`, as it is when asked. */
  readonly today: () => string;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Ends the server. */
  readonly signal: AbortSignal;
}

/** How a server ended: as the protocol wants it, or because its client went away or never said that it would. */
export type EditorEnd = 'shut-down' | 'cut-off';

/**
 * Answers an editor over the Language Server Protocol, until it says that it is done, goes away, or the signal aborts. Reads files of the projects
 * in the editor's folders and nothing else; no input ends it.
 */
export function serveEditor(options: EditorOptions): Promise<EditorEnd> {
  return new Promise((resolve) => {
    const server = createServer(options, resolve);
    options.signal.addEventListener('abort', () => server.end(), { once: true });
    options.input.on('end', () => server.end()).on('close', () => server.end());
    options.output.on('error', () => server.end());
    server.listen();
  });
}

interface Server {
  readonly listen: () => void;
  readonly end: () => void;
}

function createServer(options: EditorOptions, ended: (how: EditorEnd) => void): Server {
  const watchDog = {
    shutdownReceived: false,
    initialize: () => undefined,
    exit: (): void => end(),
  };
  const writer = new StreamMessageWriter(options.output);
  const messageStrategy = lifecycle((answer) => guarded(writer.write(answer)));
  const connection = createConnection(
    (logger) =>
      createProtocolConnection(new TolerantReader(options.input), writer, logger, { messageStrategy }),
    watchDog,
  );
  const report = (text: string): void => {
    try {
      connection.console.error(text);
    } catch {
      // The client has gone: nobody is left to read it.
    }
  };
  let positions = createPositions('utf-16');
  let canWatch = false;
  let takesSnippets = false;
  const documents = new TextDocuments({
    create: (uri, language, version, text) => TextDocument.create(uri, language, version, text),
    update: (document: TextDocument, changes, version) => positions.update(document, changes, version),
  });
  const questions = createQuestions();
  const workspace = createWorkspace({ ...options, answered: questions.answered });
  /** Where each file that the editor has open lies, by its address, and which version of its text the project has. */
  const taken = new Map<string, PlacedFile & { readonly version: number }>();
  const publisher = createPublisher({
    positions: () => positions,
    send: (params) => connection.sendDiagnostics(params).catch(() => undefined),
    opened: (open) =>
      new Map(
        documents.all().flatMap(({ uri }) => {
          const placed = taken.get(uri);
          return placed?.open === open ? [[placed.path, { uri, version: placed.version }]] : [];
        }),
      ),
    // So that the first question about names need not wait for all files.
    checked: (open, project) => readNames({ open, project }),
    failed: (error) => report(`a check failed: ${errorMessage(error)}`),
  });
  const schemaOf = memoise(async (kind: FileKind): Promise<SchemaWalk> =>
    walkSchema(await jsonSchema(options, kind)),
  );

  const end = (): void => {
    publisher.close();
    ended(watchDog.shutdownReceived ? 'shut-down' : 'cut-off');
  };

  /** Takes the text that the editor has of a file into its project, or lets go of it; returns the project. */
  const take = async (uri: string): Promise<PlacedFile | undefined> => {
    const path = pathOf(uri);
    const placed = path === undefined ? undefined : await workspace.projectOf(path);
    const document = documents.get(uri);
    const before = taken.get(uri);
    // A project file that has come or gone may put the file into another project.
    if (before !== undefined && (document === undefined || before.open !== placed?.open)) {
      taken.delete(uri);
      before.open.hold(before.path, undefined);
      publisher.changed(before.open);
    }
    if (placed !== undefined && document !== undefined && taken.get(uri)?.version !== document.version) {
      taken.set(uri, { ...placed, version: document.version });
      placed.open.hold(placed.path, document.getText());
      // At once: a check of the text before must not come out as one of this text.
      publisher.changed(placed.open, placed.path);
    }
    return placed;
  };
  const guarded = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => report(errorMessage(error)));

  const takeAll = (): void => documents.all().forEach(({ uri }) => guarded(take(uri)));
  documents.onDidOpen(() => workspace.forget());
  documents.onDidChangeContent(({ document }) => guarded(take(document.uri)));
  documents.onDidClose(({ document }) => guarded(take(document.uri)));
  documents.onDidSave(({ document }) => {
    if (!canWatch) {
      workspace.forget();
      guarded(take(document.uri).then((placed) => placed && refresh(placed.open)));
    }
  });
  const refresh = (open: OpenProject, path?: string): void => {
    open.forget(path);
    publisher.changed(open);
  };
  const lookAgain = async (path: string, isOne: boolean): Promise<void> => {
    const placed = await workspace.projectOf(path);
    if (placed !== undefined) {
      refresh(placed.open, isOne ? placed.path : undefined);
    }
    if (!isOne) {
      takeAll();
    }
  };
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri, type } of changes) {
      const path = pathOf(uri);
      // A new folder may hold anything; of what is gone it is not known what it was.
      const isOne = path !== undefined && type === FileChangeType.Changed;
      if (!isOne) {
        workspace.forget();
      }
      guarded(lookAgain(path ?? '', isOne));
    }
  });

  connection.onInitialize((params): InitializeResult => {
    const unit = chooseUnit(params.capabilities.general?.positionEncodings);
    positions = createPositions(unit);
    takesSnippets = params.capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    canWatch = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    workspace.setFolders(foldersOf(params));
    return initialised(unit, options.version);
  });
  connection.onInitialized(() => {
    if (canWatch) {
      const watchers = ['**/*.{yaml,yml,csv,txt}', '**/rulewright.lock'].map((globPattern) => ({
        globPattern,
      }));
      guarded(connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
    }
  });
  connection.onNotification('workspace/didChangeWorkspaceFolders', (params: unknown) => {
    guarded(
      connection.workspace.getWorkspaceFolders().then((folders) => {
        workspace.setFolders((folders ?? []).flatMap(({ uri }) => pathOf(uri) ?? []));
        takeAll();
        return params;
      }),
    );
  });

  /** Returns the file that a request is about; undefined where it is none of a project. */
  const askedOf = async ({ uri }: TextDocumentIdentifier): Promise<FileQuestion | undefined> => {
    const placed = await take(uri);
    const read = placed === undefined ? undefined : await placed.open.read(placed.path);
    if (placed === undefined || read?.kind !== 'read') {
      return undefined;
    }
    const { open, path } = placed;
    const project = await open.current();
    const kind = kindOfFile(read.source, { open, project });
    return kind === undefined
      ? undefined
      : {
          file: { path, source: read.source, kind, open, project },
          uri,
          positions,
          means: { schema: await schemaOf(kind), managed: await readManagedNames(open) },
        };
  };
  /** Answers a request about a file; with nothing where the file is none of ours, and where it cannot be answered. */
  const answer = async <Answer>(
    document: TextDocumentIdentifier,
    make: (asked: FileQuestion) => Answer | Promise<Answer>,
  ): Promise<Answer | null> => {
    try {
      const asked = await askedOf(document);
      return asked === undefined ? null : await questions.during(make(asked));
    } catch (error) {
      report(`a request failed: ${errorMessage(error)}`);
      return null;
    }
  };
  const orRefusal = <Answer extends object>(made: Answer | { readonly reason: string } | null) =>
    made !== null && 'reason' in made ? new ResponseError(LSPErrorCodes.RequestFailed, made.reason) : made;

  connection.onCompletion(({ textDocument, position }) =>
    answer(textDocument, (asked) => answerCompletion(asked, position, { takesSnippets })),
  );
  connection.onHover(({ textDocument, position }) =>
    answer(textDocument, (asked) => answerHover(asked, position)),
  );
  connection.onSignatureHelp(({ textDocument, position }) =>
    answer(textDocument, (asked) => answerSignature(asked, position)),
  );
  connection.onDefinition(({ textDocument, position }) =>
    answer(textDocument, (asked) => answerDefinition(asked, position)),
  );
  connection.onReferences(({ textDocument, position, context }) =>
    answer(textDocument, (asked) => answerReferences(asked, position, context.includeDeclaration)),
  );
  connection.onPrepareRename(async ({ textDocument, position }) =>
    orRefusal(await answer(textDocument, (asked) => answerPrepareRename(asked, position))),
  );
  connection.onRenameRequest(async ({ textDocument, position, newName }) =>
    orRefusal(await answer(textDocument, (asked) => answerRename(asked, position, newName))),
  );
  connection.onDocumentSymbol(({ textDocument }) => answer(textDocument, answerSymbols));
  connection.onCodeAction(({ textDocument, range, context }) =>
    answer(textDocument, (asked) =>
      answerActions(asked, range, {
        findings: publisher.findings(asked.file.open, asked.file.path),
        only: context.only,
      }),
    ),
  );
  connection.onDocumentFormatting(({ textDocument }) => answer(textDocument, answerFormatting));
  return {
    listen: () => {
      documents.listen(connection);
      connection.listen();
    },
    end,
  };
}

/** Questions whose answers are being made: of a project that is known, so that none of them waits for a check. */
function createQuestions() {
  const asked = new Set<unknown>();
  return {
    during: async <Answer>(making: Answer | Promise<Answer>): Promise<Answer> => {
      asked.add(making);
      try {
        return await making;
      } finally {
        asked.delete(making);
      }
    },
    /** Settles once all that were asked so far are answered. */
    answered: () => Promise.allSettled(asked),
  };
}

async function jsonSchema({ schema }: EditorOptions, kind: FileKind): Promise<JsonObject> {
  return objectOf(await schema(kind));
}

/** Returns the folders that a client works in. */
function foldersOf({ workspaceFolders, ...old }: InitializeParams): readonly string[] {
  const uris =
    workspaceFolders?.map(({ uri }) => uri) ?? ('rootUri' in old && old.rootUri ? [old.rootUri] : []);
  return uris.flatMap((uri) => pathOf(uri) ?? []);
}

function initialised(positionEncoding: CharacterUnit, version: string): InitializeResult {
  return {
    serverInfo: { name: 'rulewright', version },
    capabilities: {
      positionEncoding,
      textDocumentSync: {
        openClose: true,
        change: TextDocumentSyncKind.Incremental,
        save: { includeText: false },
      },
      completionProvider: { triggerCharacters: ['.', '$', '{', ' ', ':', '"'] },
      hoverProvider: true,
      signatureHelpProvider: { triggerCharacters: ['(', ','] },
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
      documentSymbolProvider: true,
      codeActionProvider: {
        codeActionKinds: [CodeActionKind.QuickFix, `${CodeActionKind.SourceFixAll}.rulewright`],
      },
      documentFormattingProvider: true,
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
}
