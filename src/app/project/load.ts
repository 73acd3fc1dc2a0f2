import { checkProject, loadProject, outlineProject } from '../../config/index.ts';
import type { LoadOptions, LoadResult, OutlineResult } from '../../config/index.ts';
import { outlineRuleset } from '../../plan/index.ts';
import type { Selection } from './selection.ts';

/** Loads the selected project, with its findings. */
export function load(selection: Selection): Promise<LoadResult> {
  return loadProject(optionsOf(selection));
}

/** Like `load`, for work on one scope after the other: the rules of a scope are read only when it is opened. */
export function outline(selection: Selection): Promise<OutlineResult> {
  return outlineProject(optionsOf(selection), outlineRuleset);
}

/** Like `load`, for callers that want only the findings: of the rules, only their number is kept. */
export function check(selection: Selection): ReturnType<typeof checkProject> {
  return checkProject(optionsOf(selection));
}

function optionsOf({
  cwd,
  config,
  paths,
  environment,
  variables,
  plan,
  today,
  signal,
}: Selection): LoadOptions {
  return { cwd, config, paths, environment, variables, plan, today, signal };
}
