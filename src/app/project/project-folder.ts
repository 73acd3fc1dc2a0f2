import { findProject } from '../../config/project/find-project.ts';
import { RulewrightError } from '../../model/error.ts';
import { usage } from '../usage.ts';
import type { Selection } from './selection.ts';

/** The folder of the selected project, where `.rulewright` belongs; `cwd` when there is no project. */
export async function projectFolder({ cwd, config, paths }: Selection): Promise<string> {
  const found = await findProject({ cwd, config, paths });
  return found.kind === 'not-found' ? cwd : found.root;
}

/**
 * Throws where values are given to variables and no project could declare one: they would count for nothing, without a word. A project
 * file that is named and not there is said instead.
 */
export async function requireProjectOfVariables({
  cwd,
  config,
  paths,
  variables,
}: Pick<Selection, 'cwd' | 'config' | 'paths' | 'variables'>): Promise<void> {
  const [first] = variables?.keys() ?? [];
  if (first === undefined) {
    return;
  }
  const found = await findProject({ cwd, config, paths });
  const missing =
    found.kind === 'found' ? undefined : found.diagnostics.find(({ code }) => code === NO_PROJECT);
  if (missing === undefined) {
    return;
  }
  throw config === undefined
    ? usage(
        `--var gives ${first} a value, and there is no project here whose files could declare it`,
        'run it in the folder of a project, or leave --var out',
      )
    : new RulewrightError(missing.message, { code: NO_PROJECT, fault: 'user', hint: missing.hint });
}

/** Code of the finding that there is no project. */
export const NO_PROJECT = 'project/not-found';
