import { findProject } from '../../config/project/find-project.ts';
import { usage } from '../usage.ts';
import type { Selection } from './selection.ts';

/** The folder of the selected project, where `.rulewright` belongs; `cwd` when there is no project. */
export async function projectFolder({ cwd, config, paths }: Selection): Promise<string> {
  const found = await findProject({ cwd, config, paths });
  return found.kind === 'not-found' ? cwd : found.root;
}

/** Throws where values are given to variables and no project could declare one: they would count for nothing, without a word. */
export async function requireProjectOfVariables({
  cwd,
  config,
  paths,
  variables,
}: Pick<Selection, 'cwd' | 'config' | 'paths' | 'variables'>): Promise<void> {
  const [first] = variables?.keys() ?? [];
  const found = first === undefined ? undefined : await findProject({ cwd, config, paths });
  if (found?.kind === 'not-found' && found.diagnostics.some(({ code }) => code === 'project/not-found')) {
    throw usage(
      `--var gives ${first ?? ''} a value, and there is no project here whose files could declare it`,
      'run it in the folder of a project, or leave --var out',
    );
  }
}
