import { desiredYaml } from '../config/index.ts';
import type { DesiredScope } from '../model/index.ts';
import { load } from './project/load.ts';
import type { FileFindings } from './run/results.ts';
import type { Selection } from './project/selection.ts';

/** Answer of `expand`. */
export type ExpandResult =
  | ({
      readonly kind: 'expanded';
      readonly scopes: readonly DesiredScope[];
      /** A YAML document for each scope. */
      readonly yaml: () => string;
    } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** Expands the packs and variables in the files; no network. */
export async function expand(selection: Selection): Promise<ExpandResult> {
  const loaded = await load(selection);
  const { diagnostics, sources } = loaded;
  if (loaded.kind === 'invalid') {
    return { kind: 'invalid', diagnostics, sources };
  }
  const { ownership } = loaded.project.settings;
  const { scopes } = loaded.project;
  const yaml = () => scopes.map((scope) => desiredYaml(scope, ownership)).join('---\n');
  return { kind: 'expanded', scopes, yaml, diagnostics, sources };
}
