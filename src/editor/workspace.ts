import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROJECT_FILE } from '../config/index.ts';
import { isInside } from '../files/index.ts';
import { openProject } from './open-project.ts';
import type { OpenProject, ProjectMeans } from './open-project.ts';

/** Finds the project of each file in the folders that an editor works in. */
export interface Workspace {
  readonly setFolders: (folders: readonly string[]) => void;
  /** Says that files have come or gone on disk: where projects are is looked up again. */
  readonly forget: () => void;
  /** Returns the project that a file lies in, and the path of the file in it; undefined where there is none. */
  readonly projectOf: (path: string) => Promise<PlacedFile | undefined>;
}

/** A file in its project. */
export interface PlacedFile {
  readonly open: OpenProject;
  /** Relative to the project folder, with `/`. */
  readonly path: string;
}

/**
 * Creates a workspace without folders. A project is the nearest project file above a file, in the same folder of the workspace; without folders,
 * the nearest one above. No link leads out of the folder.
 */
export function createWorkspace(means: ProjectMeans): Workspace {
  let folders: readonly string[] = [];
  const projects = new Map<string, OpenProject>();
  /** The project of each folder that was asked about, so that a keystroke need not wait for the disk. */
  const roots = new Map<string, Promise<string | undefined>>();
  const rootOf = (path: string): Promise<string | undefined> => {
    const folder = dirname(path);
    const root = roots.get(folder) ?? findRoot(folder);
    roots.set(folder, root);
    return root;
  };
  const findRoot = async (inner: string): Promise<string | undefined> => {
    const bounds = folders.filter((folder) => isInside(folder, inner)).sort((a, b) => b.length - a.length)[0];
    if (bounds === undefined && folders.length > 0) {
      return undefined;
    }
    for (let folder = inner; ; folder = dirname(folder)) {
      if (await isFile(join(folder, PROJECT_FILE))) {
        return bounds === undefined || (await isReallyInside(bounds, folder)) ? folder : undefined;
      }
      if (folder === bounds || dirname(folder) === folder) {
        return undefined;
      }
    }
  };
  return {
    setFolders: (next) => {
      folders = next;
      roots.clear();
    },
    forget: () => roots.clear(),
    projectOf: async (path) => {
      const root = await rootOf(path);
      if (root === undefined) {
        return undefined;
      }
      const open = projects.get(root) ?? openProject({ root, file: PROJECT_FILE }, means);
      projects.set(root, open);
      return { open, path: relative(root, path).replaceAll(sep, '/') };
    },
  };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

async function isReallyInside(bounds: string, folder: string): Promise<boolean> {
  try {
    return isInside(await realpath(bounds), await realpath(folder));
  } catch {
    return false;
  }
}

/** Returns the path of a file's address; undefined of anything that is no file here. */
export function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the address of a file of a project. */
export function uriOf({ root }: Pick<OpenProject, 'root'>, path: string): string {
  return pathToFileURL(join(root, path)).href;
}
