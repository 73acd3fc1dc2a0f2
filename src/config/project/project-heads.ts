import type { FoundProject, ProjectQuery } from './find-project.ts';
import { findProject } from './find-project.ts';
import type { ProjectFile } from './project-file.ts';
import { readProjectFile } from './project-file.ts';
import type { ReadSource } from './read-source.ts';
import { readSource } from './read-source.ts';

/** A project file, as it was read. */
export interface ProjectHead {
  readonly source: ReadSource;
  readonly file: ProjectFile;
}

/**
 * The project files that a run has read: each once, so that its secrets, guards and rules are of the same text. A run that changes project files
 * goes without.
 */
export type ProjectHeads = Map<string, Promise<ProjectHead>>;

/** How a project file is read. */
export interface HeadReading {
  readonly heads?: ProjectHeads | undefined;
  /** What `readProjectFile` takes. */
  readonly today?: string | undefined;
}

/** A project that was found. */
export type ProjectFound = Extract<FoundProject, { readonly kind: 'found' }>;

/** Returns the project that a query finds, with its file; undefined where there is none. */
export async function openProjectHead(
  query: ProjectQuery & HeadReading,
): Promise<(ProjectFound & { readonly head: ProjectFile }) | undefined> {
  const found = await findProject(query);
  return found.kind === 'not-found' ? undefined : { ...found, head: (await readHead(query, found)).file };
}

/** Returns the project file of a project, as the run has read it. */
export function readHead(
  { heads, today }: HeadReading,
  { root, file }: Pick<ProjectFound, 'root' | 'file'>,
): Promise<ProjectHead> {
  const key = JSON.stringify([root, file, today]);
  const head = heads?.get(key) ?? headOf({ root, file, today });
  heads?.set(key, head);
  return head;
}

async function headOf({
  root,
  file,
  today,
}: Pick<ProjectFound, 'root' | 'file'> & Pick<HeadReading, 'today'>): Promise<ProjectHead> {
  const source = await readSource(root, file);
  return { source, file: readProjectFile(source, today) };
}
