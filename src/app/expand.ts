import { desiredYaml } from '../config/write/desired-yaml.ts';
import { load, narrow } from './project/load.ts';
import type { FileFindings } from './results.ts';
import type { Selection } from './project/selection.ts';

/** Answer of `expand`. */
export type ExpandResult =
  | ({ readonly kind: 'expanded'; readonly yaml: string } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** What packs and variables make of the files: a YAML document for each scope, without them; no network. */
export async function expand(selection: Selection): Promise<ExpandResult> {
  const loaded = await load(selection);
  const { diagnostics, sources } = loaded;
  return loaded.kind === 'invalid'
    ? { kind: 'invalid', diagnostics, sources }
    : {
        kind: 'expanded',
        yaml: narrow(loaded.project.scopes, selection.targets)
          .map((scope) => desiredYaml(scope, loaded.project.settings.ownership))
          .join('---\n'),
        diagnostics,
        sources,
      };
}
