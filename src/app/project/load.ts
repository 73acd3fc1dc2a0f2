import { loadLargeProject, loadProject } from '../../config/index.ts';
import type { LoadOptions, LoadResult, LargeLoadResult } from '../../config/index.ts';
import type { Selection } from './selection.ts';

/** Loads the selected project, with its findings. */
export function load(selection: Selection): Promise<LoadResult> {
  return loadProject(optionsOf(selection));
}

/** Like `load`, for work on many scopes: the texts of files are not kept. */
export function loadLarge(selection: Selection): Promise<LargeLoadResult> {
  return loadLargeProject(optionsOf(selection));
}

function optionsOf({
  cwd,
  config,
  paths,
  heads,
  environment,
  variables,
  plan,
  across,
  today,
  signal,
}: Selection): LoadOptions {
  return { cwd, config, paths, heads, environment, variables, plan, across, today, signal };
}
