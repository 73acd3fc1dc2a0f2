import { isJsonObject } from '../../model/json.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { Declaration, RulesetHead, ScopeSetting } from './declaration.ts';
import type { ScopeFile } from './scope-file.ts';

/** Returns what a file declares for each of its scopes, without its rules. */
export function declareFile(
  file: ScopeFile,
): Pick<Declaration<unknown>, 'path' | 'packs' | 'settings' | 'ownership' | 'heads'> {
  return {
    path: file.document.source.path,
    packs: packsIn(file),
    settings: settingsIn(file),
    ownership: file.ownership,
    heads: headsOf(file),
  };
}

const SETTINGS = [
  { key: 'token_env', path: ['token_env'] },
  { key: 'ownership.rulesets', path: ['ownership', 'rulesets'] },
] as const;

/** Returns the settings that a file has for its whole scopes. */
function settingsIn({ document, value }: ScopeFile): readonly ScopeSetting[] {
  return SETTINGS.flatMap(({ key, path }) => {
    const holder = path.length === 1 ? value : value[path[0]];
    const text = isJsonObject(holder) ? holder[path[path.length - 1] ?? ''] : undefined;
    return typeof text === 'string' ? [{ key, text, where: locateValue(document, path) }] : [];
  });
}

/** Returns the rulesets of a file without their rules. */
function headsOf({ rulesets }: ScopeFile): readonly RulesetHead[] {
  return rulesets.map(({ address, value, where }) => ({ address, absent: value['absent'] === true, where }));
}

/** Returns the paths of the packs that rules of a file come from. */
function packsIn({ document }: ScopeFile): readonly string[] {
  const items = [...(document.grafts?.values() ?? [])].flat();
  const paths = new Set(items.map((item) => item.document.source.path));
  paths.delete(document.source.path);
  return [...paths];
}
