import type { ProjectQuery } from '../../config/index.ts';
import { findProject } from '../../config/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { RulewrightError } from '../../model/index.ts';
import { usage } from '../run/usage-error.ts';
import type { Selection } from './selection.ts';

/** The folder of the selected project, where `.rulewright` belongs; `cwd` when there is no project. */
export async function projectFolder(query: ProjectQuery): Promise<string> {
  const found = await findProject(query);
  return found.kind === 'not-found' ? query.cwd : found.root;
}

/** Throws `project/not-found` if a named project file does not exist: without it the command would do something else than was asked. */
export async function requireNamedProject(selection: ProjectQuery): Promise<void> {
  const missing = selection.config === undefined ? undefined : await missingProject(selection);
  if (missing !== undefined) {
    throw new RulewrightError(missing.message, { code: NO_PROJECT, fault: 'user', hint: missing.hint });
  }
}

/**
 * Throws if variables are given values and there is no project that could declare them, since the values would be ignored silently.
 * If a project file is named and does not exist, that is reported instead.
 */
export async function requireProjectOfVariables(
  selection: ProjectQuery & Pick<Selection, 'variables'>,
): Promise<void> {
  const [first] = selection.variables?.keys() ?? [];
  if (first === undefined) {
    return;
  }
  await requireNamedProject(selection);
  if ((await missingProject(selection)) !== undefined) {
    throw usage(
      `--var gives ${first} a value, and there is no project here whose files could declare it`,
      'run it in the folder of a project, or leave --var out',
    );
  }
}

async function missingProject(query: ProjectQuery): Promise<Diagnostic | undefined> {
  const found = await findProject(query);
  return found.kind === 'found' ? undefined : found.diagnostics.find(({ code }) => code === NO_PROJECT);
}

/** Code of the finding that there is no project. */
export const NO_PROJECT = 'project/not-found';
