import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
} from 'vscode-languageserver/node';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  Hover,
  InitializeResult,
  Location,
  Position,
  ProtocolConnection,
  PublishDiagnosticsParams,
  Range,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** The built command line. */
export const MAIN = resolve('dist/cli/main.js');

/** The sign in a text at which a question is asked. */
const CURSOR = '▶';

/** What an editor is started with. */
export interface EditorSetting {
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Folders of the workspace, relative to the temporary folder; the whole by default. */
  readonly folders?: readonly string[] | null;
  readonly encodings?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly watches?: boolean;
  /** Arguments of Node before the program. */
  readonly node?: readonly string[];
}

/** An editor with a real server behind it. */
export interface EditorClient {
  readonly root: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  readonly uri: (path: string) => string;
  /** Opens a file with a text, or with what is on disk. */
  readonly open: (path: string, text?: string) => Promise<void>;
  readonly change: (path: string, text: string) => Promise<void>;
  /** Sends changes as they are, whatever they mean. */
  readonly edit: (path: string, changes: readonly unknown[], version: number) => Promise<void>;
  readonly close: (path: string) => Promise<void>;
  /** Waits until the findings of a file are as wanted; rejects with what they are if they never are. */
  readonly until: (
    path: string,
    wanted: (found: readonly Diagnostic[]) => boolean,
  ) => Promise<readonly Diagnostic[]>;
  /** Returns all findings that were published so far, in the order in which they came. */
  readonly published: () => readonly PublishDiagnosticsParams[];
  /** Opens or changes a text, and waits for its findings. */
  readonly findings: (path: string, text?: string) => Promise<readonly Diagnostic[]>;
  readonly completion: (path: string, marked: string) => Promise<readonly CompletionItem[]>;
  readonly hover: (path: string, marked: string) => Promise<string>;
  readonly ask: (method: string, path: string, marked: string, more?: object) => Promise<unknown>;
  readonly locations: (
    method: string,
    path: string,
    marked: string,
    more?: object,
  ) => Promise<readonly string[]>;
  readonly actions: (path: string, range: Range, only?: readonly string[]) => Promise<readonly CodeAction[]>;
  readonly format: (path: string) => Promise<readonly TextEdit[]>;
  readonly symbols: (path: string) => Promise<readonly DocumentSymbol[]>;
  readonly signature: (path: string, marked: string) => Promise<SignatureHelp | null>;
  /** Returns the text of a file with an edit of the workspace made. */
  readonly edited: (path: string, edit: WorkspaceEdit | undefined) => Promise<string>;
  /** Shuts the server down; returns its exit code. */
  readonly shutDown: () => Promise<number | null>;
}

/** Writes the files into a temporary folder, starts the built server there, and initializes it. */
export async function startEditor(setting: EditorSetting): Promise<EditorClient> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-editor-')));
  for (const [path, text] of Object.entries(setting.files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const child = spawn(process.execPath, [...(setting.node ?? []), MAIN, 'lsp', '--stdio'], {
    cwd: root,
    env: { ...process.env, ...setting.env },
  });
  const exited = once(child, 'exit');
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const found = new Map<string, PublishDiagnosticsParams>();
  const all: PublishDiagnosticsParams[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    found.set(fileURLToPath(params.uri), params);
    all.push(params);
    waiting.forEach((look) => look());
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  const uri = (path: string): string => pathToFileURL(join(root, path)).href;
  const initialized: InitializeResult = await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      general: setting.encodings === undefined ? {} : { positionEncodings: setting.encodings },
      workspace: { didChangeWatchedFiles: { dynamicRegistration: setting.watches ?? true } },
    },
    workspaceFolders:
      setting.folders === null ? null : (setting.folders ?? ['']).map((name) => ({ uri: uri(name), name })),
  });
  await connection.sendNotification('initialized', {});
  const texts = new Map<string, string>();
  const versions = new Map<string, number>();
  const setText = async (path: string, text: string): Promise<void> => {
    const version = (versions.get(path) ?? 0) + 1;
    versions.set(path, version);
    const isOpen = texts.has(path);
    texts.set(path, text);
    await (isOpen
      ? connection.sendNotification('textDocument/didChange', {
          textDocument: { uri: uri(path), version },
          contentChanges: [{ text }],
        })
      : connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri: uri(path), languageId: 'yaml', version, text },
        }));
  };
  const onDisk = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  const ask = async (method: string, path: string, marked: string, more: object = {}): Promise<unknown> => {
    await setText(path, marked.replace(CURSOR, ''));
    return connection.sendRequest(`textDocument/${method}`, {
      textDocument: { uri: uri(path) },
      position: positionOf(marked),
      ...more,
    });
  };
  const published = (
    path: string,
    wanted: (params: PublishDiagnosticsParams) => boolean,
  ): Promise<readonly Diagnostic[]> =>
    new Promise((done, failed) => {
      const timer = setTimeout(() => {
        failed(new Error(`the findings of ${path} stay ${JSON.stringify(found.get(join(root, path)))}`));
      }, 30_000);
      const look = (): void => {
        const now = found.get(join(root, path));
        if (now !== undefined && wanted(now)) {
          clearTimeout(timer);
          waiting.delete(look);
          done(now.diagnostics);
        }
      };
      waiting.add(look);
      look();
    });
  return {
    root,
    child,
    connection,
    initialized,
    uri,
    published: () => all,
    until: (path, wanted) => published(path, ({ diagnostics }) => wanted(diagnostics)),
    ask,
    open: async (path, text) => setText(path, text ?? (await onDisk(path))),
    change: setText,
    edit: (path, contentChanges, version) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(path), version },
        contentChanges,
      }),
    close: async (path) => {
      texts.delete(path);
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(path) } });
    },
    findings: async (path, text) => {
      await setText(path, text ?? (await onDisk(path)));
      return published(path, ({ version }) => version === versions.get(path));
    },
    completion: async (path, marked) => (await ask('completion', path, marked)) as readonly CompletionItem[],
    hover: async (path, marked) => {
      const answer = (await ask('hover', path, marked)) as Hover | null;
      return answer === null ? '' : (answer.contents as { readonly value: string }).value;
    },
    signature: async (path, marked) => (await ask('signatureHelp', path, marked)) as SignatureHelp | null,
    locations: async (method, path, marked, more) => {
      const answer = (await ask(method, path, marked, more)) as readonly Location[] | null;
      return (answer ?? [])
        .map(
          (one) =>
            `${fileURLToPath(one.uri).slice(root.length + 1)}:${one.range.start.line + 1}:${one.range.start.character + 1}`,
        )
        .sort();
    },
    actions: (path, range, only) =>
      connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri: uri(path) },
        range,
        context: { diagnostics: [], only },
      }),
    format: (path) =>
      connection.sendRequest('textDocument/formatting', {
        textDocument: { uri: uri(path) },
        options: { tabSize: 2, insertSpaces: true },
      }),
    symbols: (path) =>
      connection.sendRequest('textDocument/documentSymbol', { textDocument: { uri: uri(path) } }),
    edited: async (path, edit) => {
      const text = texts.get(path) ?? (await onDisk(path));
      return TextDocument.applyEdits(
        TextDocument.create('', 'yaml', 0, text),
        edit?.changes?.[uri(path)] ?? [],
      );
    },
    shutDown: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const [code] = (await exited) as [number | null];
      connection.dispose();
      await rm(root, { recursive: true, force: true });
      return code;
    },
  };
}

/** Returns the position of the sign in a text. */
export function positionOf(marked: string): Position {
  const lines = marked.slice(0, marked.indexOf(CURSOR)).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
