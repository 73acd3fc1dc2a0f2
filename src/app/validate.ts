import { loadLarge } from './project/load.ts';
import type { ValidateResult } from './run/results.ts';
import type { Selection } from './project/selection.ts';

/** Loads and checks the files; no network. */
export async function validate(selection: Selection): Promise<ValidateResult> {
  const loaded = await loadLarge(selection);
  const { diagnostics, sources } = loaded;
  if (loaded.kind === 'invalid') {
    return { kind: 'invalid', diagnostics, sources };
  }
  const rulesets = loaded.project.scopes.flatMap((scope) => scope.rulesets);
  return {
    kind: 'valid',
    diagnostics,
    sources,
    switchedOff: loaded.project.switchedOff,
    counts: {
      files: loaded.project.files.length,
      scopes: loaded.project.scopes.length,
      rulesets: rulesets.length,
      rules: rulesets.reduce((count, ruleset) => count + ruleset.rules.length, 0),
      lists: loaded.project.scopes.reduce((count, { lists = [] }) => count + lists.length, 0),
    },
  };
}
