import { DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type {
  Diagnostic as ProtocolDiagnostic,
  PublishDiagnosticsParams,
  Range,
} from 'vscode-languageserver';
import type { ProjectOutline } from '../config/index.ts';
import { groupBy } from '../data/index.ts';
import { hasErrors } from '../model/index.ts';
import { counted } from '../text/index.ts';
import type { Diagnostic, Severity, SourceSpan } from '../model/index.ts';
import type { OpenProject } from './open-project.ts';
import type { Positions } from './positions.ts';
import { uriOf } from './workspace.ts';

/** Checks projects as they change, and publishes their findings. */
export interface Publisher {
  /**
   * Checks a project once everything that waits now is done; a check that runs is dropped. The findings of the file that was edited are out before
   * those of other files, where these take long.
   */
  readonly changed: (open: OpenProject, edited?: string) => void;
  /** Returns the findings about a file as they were published last. */
  readonly findings: (open: OpenProject, path: string) => readonly Diagnostic[];
  readonly close: () => void;
}

/** What a publisher needs of the server. */
export interface PublisherMeans {
  readonly positions: () => Positions;
  /** Settles once the findings are out. */
  readonly send: (params: PublishDiagnosticsParams) => Promise<void>;
  /** Returns the files of a project that the editor has open, by path: by which address, and the version of the text. */
  readonly opened: (
    open: OpenProject,
  ) => ReadonlyMap<string, { readonly uri: string; readonly version: number }>;
  /** Called when the findings of a project are out. */
  readonly checked: (open: OpenProject, project: ProjectOutline) => Promise<unknown>;
  readonly failed: (error: unknown) => void;
}

interface Published {
  running: AbortController | undefined;
  /** What was sent, as JSON, by path. */
  readonly sent: Map<string, string>;
  byFile: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** Creates a publisher that has published nothing. */
export function createPublisher(means: PublisherMeans): Publisher {
  const states = new Map<OpenProject, Published>();
  let isClosed = false;
  const stateOf = (open: OpenProject): Published => {
    const state = states.get(open) ?? { running: undefined, sent: new Map(), byFile: new Map() };
    states.set(open, state);
    return state;
  };
  const check = async (
    open: OpenProject,
    {
      state,
      signal,
      edited,
    }: { readonly state: Published; readonly signal: AbortSignal; readonly edited: string | undefined },
  ): Promise<void> => {
    try {
      const project = await open.check(
        signal,
        edited === undefined
          ? undefined
          : {
              path: edited,
              mayLint: ![...state.byFile].some(([path, found]) => path !== edited && hasErrors(found)),
              tell: async (found) => {
                if (onlyLacks(found, state.byFile.get(edited) ?? [])) {
                  return;
                }
                state.byFile = new Map([...state.byFile, [edited, found]]);
                await publish(open, { state, signal, paths: [edited] });
              },
            },
      );
      state.byFile = groupBy(project.diagnostics, ({ where }) => where?.file ?? open.file);
      const paths = new Set([...means.opened(open).keys(), ...state.sent.keys(), ...state.byFile.keys()]);
      await publish(open, { state, signal, paths });
      await means.checked(open, project);
    } catch (error) {
      if (!signal.aborted) {
        means.failed(error);
      }
    }
  };
  /** Sends the findings of files where they are not what was sent before. */
  const publish = async (
    open: OpenProject,
    {
      state,
      signal,
      paths,
    }: { readonly state: Published; readonly signal: AbortSignal; readonly paths: Iterable<string> },
  ): Promise<void> => {
    const opened = means.opened(open);
    for (const path of paths) {
      const diagnostics = await limited(open, state.byFile.get(path) ?? [], means.positions());
      signal.throwIfAborted();
      const as = opened.get(path);
      const params = { uri: as?.uri ?? uriOf(open, path), diagnostics, ...(as && { version: as.version }) };
      const text = JSON.stringify(params);
      const isSent = state.sent.get(path) === text;
      state.sent.set(path, text);
      if (diagnostics.length === 0 && as === undefined) {
        state.sent.delete(path);
      }
      if (!isSent) {
        await means.send(params);
      }
    }
  };
  return {
    changed: (open, edited) => {
      // A file whose project had to be looked for may be taken after the client has gone.
      if (isClosed) {
        return;
      }
      const state = stateOf(open);
      state.running?.abort();
      const abort = new AbortController();
      state.running = abort;
      setImmediate(() => {
        if (!abort.signal.aborted) {
          void check(open, { state, signal: abort.signal, edited });
        }
      });
    },
    findings: (open, path) => stateOf(open).byFile.get(path) ?? [],
    close: () => {
      isClosed = true;
      states.forEach(({ running }) => running?.abort());
    },
  };
}

/** Whether findings are those from before without some. These may come back once all files are read, and would flicker. */
function onlyLacks(found: readonly Diagnostic[], before: readonly Diagnostic[]): boolean {
  const key = ({ code, message }: Diagnostic): string => `${code} ${message}`;
  const [now, then] = [new Set(found.map(key)), new Set(before.map(key))];
  return [...now].every((one) => then.has(one)) && [...then].some((one) => !now.has(one));
}

/** Most findings of one file that are published: an editor would be busy with more, and nobody reads them. */
const MOST_FINDINGS = 1000;

/** Returns the first findings of a file as the protocol has them, and how many others there are: a note, without a code that could be explained. */
async function limited(
  open: OpenProject,
  found: readonly Diagnostic[],
  positions: Positions,
): Promise<ProtocolDiagnostic[]> {
  const shown = await Promise.all(
    found.slice(0, MOST_FINDINGS).map((one) => toProtocol(open, one, positions)),
  );
  const more = found.length - shown.length;
  return more === 0
    ? shown
    : [
        ...shown,
        {
          range: TOP,
          severity: DiagnosticSeverity.Information,
          source: 'rulewright',
          message: `This file has ${counted(more, 'more finding', 'more findings')}. To see all: rulewright validate`,
        },
      ];
}

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** Codes of what is there and does nothing, which editors show in grey. */
const UNUSED: ReadonlySet<string> = new Set([
  'variable/unused',
  'pack/unused',
  'pack/unused-parameter',
  'suppression/unused',
  'lint/unreachable-rule',
]);

const OLD: ReadonlySet<string> = new Set(['expression/deprecated-field', 'config/deprecated-parameter']);

/** Returns a finding as the protocol has it. */
export async function toProtocol(
  open: OpenProject,
  { code, severity, message, hint, where }: Diagnostic,
  positions: Positions,
): Promise<ProtocolDiagnostic> {
  const related = await Promise.all(
    (where?.via ?? []).map(async (use) => ({
      location: { uri: uriOf(open, use.file), range: await rangeIn(open, use, positions) },
      message: 'used here',
    })),
  );
  return {
    range: where === undefined ? TOP : await rangeIn(open, where, positions),
    severity: SEVERITIES[severity],
    code,
    source: 'rulewright',
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(UNUSED.has(code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(OLD.has(code) ? { tags: [DiagnosticTag.Deprecated] } : {}),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

const TOP: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns the range of a span in a file of a project, by the text that the file has now. */
export async function rangeIn(open: OpenProject, span: SourceSpan, positions: Positions): Promise<Range> {
  const read = await open.read(span.file);
  return read.kind === 'read' ? positions.rangeOf(read.source, span) : plainRange(span);
}

/** The range of a span in a text that cannot be read. */
function plainRange({ start, end }: SourceSpan): Range {
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
}
