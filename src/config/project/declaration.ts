import type { RulesetAddress } from '../../model/ruleset.ts';
import type { Labels, ScopeRef } from '../../model/scope.ts';
import type { SourceSpan } from '../../model/source.ts';
import { isJsonObject } from '../../model/json.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { ScopeFile } from './scope-file.ts';

/** What one file declares for one scope: as much as the scope's other files need once the text of this one is dropped. */
export interface Declaration<Ruleset> {
  /** Path of the file, relative to the project folder. */
  readonly path: string;
  /** Paths of the packs that its rules come from. */
  readonly packs: readonly string[];
  readonly scope: ScopeRef;
  readonly labels: Labels;
  readonly where: SourceSpan;
  readonly settings: readonly ScopeSetting[];
  readonly heads: readonly RulesetHead[];
  readonly references: readonly CustomReference[];
  /** The desired rulesets; empty where the file has an error. */
  readonly rulesets: readonly Ruleset[];
}

/** A declared ruleset without its rules. */
export interface RulesetHead {
  readonly address: RulesetAddress;
  /** Whether the file asks to delete the ruleset. */
  readonly absent: boolean;
  readonly where: SourceSpan;
}

/** A rule that names a custom ruleset by its slug. */
export interface CustomReference {
  readonly slug: string;
  /** The phase in which the ruleset is executed; absent where it is skipped. */
  readonly phase?: string;
  readonly where: SourceSpan;
}

/** A setting for the whole scope; all files of the scope that have it must agree. */
export interface ScopeSetting {
  readonly key: 'token_env' | 'ownership.rulesets';
  readonly text: string;
  readonly where: SourceSpan;
}

const SETTINGS = [
  { key: 'token_env', path: ['token_env'] },
  { key: 'ownership.rulesets', path: ['ownership', 'rulesets'] },
] as const;

/** Returns the settings that a file has for its whole scopes. */
export function settingsIn({ document, value }: ScopeFile): readonly ScopeSetting[] {
  return SETTINGS.flatMap(({ key, path }) => {
    const holder = path.length === 1 ? value : value[path[0]];
    const text = isJsonObject(holder) ? holder[path[path.length - 1] ?? ''] : undefined;
    return typeof text === 'string' ? [{ key, text, where: locateValue(document, path) }] : [];
  });
}

/** Returns the rulesets of a file without their rules. */
export function headsOf({ rulesets }: ScopeFile): readonly RulesetHead[] {
  return rulesets.map(({ address, value, where }) => ({ address, absent: value['absent'] === true, where }));
}

/** Returns the paths of the packs that rules of a file come from. */
export function packsIn({ document }: ScopeFile): readonly string[] {
  const items = [...(document.grafts?.values() ?? [])].flat();
  const paths = new Set(items.map((item) => item.document.source.path));
  paths.delete(document.source.path);
  return [...paths];
}
