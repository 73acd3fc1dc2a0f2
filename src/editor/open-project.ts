import {
  USUAL_TESTS,
  createReadMemory,
  heldSource,
  parseOnce,
  readAgain,
  readSource,
} from '../config/index.ts';
import type { CurrentProject, ReadSource, SourceText, YamlDocument } from '../config/index.ts';
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
  /** Lets what else waits go first, where much was done since. */
  readonly pause: () => Promise<void>;
  /** Returns the text of a file as it is now. */
  readonly read: (path: string) => Promise<ReadSource>;
  /** Checks the project as it is now. Rejects with the signal's reason. */
  readonly check: (signal: AbortSignal) => Promise<CurrentProject>;
  /** Returns the project as it was checked last, or checks it the first time. */
  readonly current: () => Promise<CurrentProject>;
}

/** Work of a check, in milliseconds, after which what else waits goes first. */
const MAX_WORK_MS = 15;

/** Opens a project, with nothing read yet. `today` is asked at each check. */
export function openProject(
  { root, file }: { readonly root: string; readonly file: string },
  { today, now }: { readonly today: () => string; readonly now: () => number },
): OpenProject {
  const held = new Map<string, ReadSource>();
  const onDisk = new Map<string, ReadSource>();
  /** Files whose text on disk has to be looked at again; it may be the same. */
  const stale = new Set<string>();
  const read = async (path: string): Promise<ReadSource> => {
    const known = held.get(path) ?? (stale.has(path) ? undefined : onDisk.get(path));
    if (known !== undefined) {
      return known;
    }
    const before = onDisk.get(path);
    const source = sameOr(before, await readSource(root, path));
    stale.delete(path);
    onDisk.set(path, source);
    return held.get(path) ?? source;
  };
  let began = now();
  const pause = async (): Promise<void> => {
    if (now() - began > MAX_WORK_MS) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      began = now();
    }
  };
  const memory = createReadMemory({ read, pause });
  let last: CurrentProject | undefined;
  const check = async (signal: AbortSignal): Promise<CurrentProject> => {
    began = now();
    const found = { kind: 'found', root, file, selected: [] } as const;
    const options = { environment: 'unread', today: today(), signal } as const;
    const checked = await readAgain(found, options, memory);
    signal.throwIfAborted();
    last = checked;
    return checked;
  };
  return {
    root,
    file,
    read,
    check,
    pause,
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
        stale.add(path);
      } else {
        const before = held.get(path) ?? onDisk.get(path);
        held.set(path, sameOr(before, heldSource(path, text)));
      }
    },
    forget: (path) => {
      for (const one of path === undefined ? onDisk.keys() : [path]) {
        stale.add(one);
      }
    },
    current: async () => last ?? check(new AbortController().signal),
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
