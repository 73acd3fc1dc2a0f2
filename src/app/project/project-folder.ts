import { findProject } from '../../config/project/find-project.ts';
import type { Selection } from './selection.ts';

/** The folder of the selected project, where `.rulewright` belongs; `cwd` when there is no project. */
export async function projectFolder({ cwd, config, paths }: Selection): Promise<string> {
  const found = await findProject({ cwd, config, paths });
  return found.kind === 'not-found' ? cwd : found.root;
}
