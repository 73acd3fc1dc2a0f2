import { setImmediate } from 'node:timers/promises';
import {
  USUAL_TESTS,
  createReadMemory,
  heldSource,
  parseOnce,
  readAgain,
  readOutline,
  readSource,
} from '../config/index.ts';
import type {
  CurrentProject,
  EarlyFindings,
  ProjectOutline,
  ReadSource,
  SourceText,
  YamlDocument,
} from '../config/index.ts';
import { NODE_MODULES, findFiles } from '../files/index.ts';

/** A project that an editor has open: its files on disk, under the unsaved texts of the editor. */
export interface OpenProject {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file. */
  readonly file: string;
  /** Sets the unsaved text of a file; undefined when the editor closes it. */
  readonly hold: (path: string, text: string | undefined) => void;
  /** Says that files on disk have changed; all of them unless one is named. */
  readonly forget: (path?: string) => void;
  /** Returns the paths of the project's test files. */
  readonly tests: () => Promise<readonly string[]>;
  /** Lets what else waits go first, where much was done since; returns whether it did. */
  readonly pause: () => Promise<boolean>;
  /** Returns the text of a file as it is now. */
  readonly read: (path: string) => Promise<ReadSource>;
  /** Checks the project as it is now; `early` hears of a file's findings before that, where it takes long. Rejects with the signal's reason. */
  readonly check: (signal: AbortSignal, early?: EarlyFindings) => Promise<CurrentProject>;
  /** Returns the project as it was checked last; before the first check, what its files can name. */
  readonly current: () => Promise<ProjectOutline>;
}

/** Work of a check, in milliseconds, after which what else waits goes first. */
const MAX_WORK_MS = 15;

/** Turns of the event loop in which a keystroke and the question after it are read and begun: one for what comes in, one for each of them. */
const TURNS = 3;

/** What a project has of the server that opens it. */
export interface ProjectMeans {
  /** `YYYY-MM-DD`, as it is when asked: at each check. */
  readonly today: () => string;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Settles once the questions that the editor has asked so far are answered: these go before a check. */
  readonly answered: () => Promise<unknown>;
}

/** Opens a project, with nothing read yet. */
export function openProject(
  { root, file }: { readonly root: string; readonly file: string },
  { today, now, answered }: ProjectMeans,
): OpenProject {
  const held = new Map<string, ReadSource>();
  const onDisk = new Map<string, ReadSource>();
  /** Files whose text on disk has to be looked at again; it may be the same. Each mark is an object of its own. */
  const stale = new Map<string, object>();
  const read = async (path: string): Promise<ReadSource> => {
    const known = held.get(path) ?? (stale.has(path) ? undefined : onDisk.get(path));
    if (known !== undefined) {
      return known;
    }
    const mark = stale.get(path);
    const source = await readSource(root, path);
    if (stale.get(path) !== mark) {
      return read(path);
    }
    stale.delete(path);
    onDisk.set(path, sameOr(onDisk.get(path), source));
    return read(path);
  };
  let began = now();
  /** Whether much was done since the last turn, and if so lets others go first. */
  const pauseFor = async (others: () => Promise<unknown>): Promise<boolean> => {
    const isDue = now() - began > MAX_WORK_MS;
    if (isDue) {
      await others();
      began = now();
    }
    return isDue;
  };
  const memory = createReadMemory({
    read,
    pause: () =>
      pauseFor(async () => {
        for (let turn = 0; turn < TURNS; turn += 1) {
          await setImmediate();
        }
        await answered();
      }),
  });
  const found = { kind: 'found', root, file, selected: [] } as const;
  const options = (): { readonly environment: 'unread'; readonly today: string } => ({
    environment: 'unread',
    today: today(),
  });
  let last: ProjectOutline | undefined;
  return {
    root,
    file,
    read,
    check: async (signal, early) => {
      began = now();
      const checked = await readAgain(found, { ...options(), signal, early }, memory);
      signal.throwIfAborted();
      last = checked;
      return checked;
    },
    pause: () => pauseFor(() => setImmediate()),
    tests: async () => {
      const found = await findFiles({
        cwd: root,
        patterns: [USUAL_TESTS],
        passOver: NODE_MODULES,
        links: 'pass-over',
      });
      return found.files;
    },
    hold: (path, text) => {
      if (text === undefined) {
        held.delete(path);
        stale.set(path, {});
      } else {
        const before = held.get(path) ?? onDisk.get(path);
        held.set(path, sameOr(before, heldSource(path, text)));
      }
    },
    forget: (path) => {
      for (const one of path === undefined ? onDisk.keys() : [path]) {
        stale.set(one, {});
      }
    },
    current: async () => last ?? readOutline(found, options(), memory),
  };
}

/** Returns the earlier object where the text has stayed the same, since what was made of a text goes with its object. */
function sameOr(before: ReadSource | undefined, source: ReadSource): ReadSource {
  return before?.kind === 'read' && source.kind === 'read' && before.source.text === source.source.text
    ? before
    : source;
}

/** Returns the document of a text, with or without errors in what it says; undefined where it cannot be read. */
export function parsedOf(source: SourceText): { readonly document?: YamlDocument | undefined } {
  const { document, draft } = parseOnce(source);
  return { document: document ?? draft };
}
