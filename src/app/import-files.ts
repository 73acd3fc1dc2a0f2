import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WholeScope } from '../live/read-whole-scope.ts';
import { loadTexts } from '../config/load-text.ts';
import type { Settings } from '../config/project/settings.ts';
import { sourceText } from '../config/source-text.ts';
import type { SourceText } from '../config/source-text.ts';
import { RulewrightError } from '../model/error.ts';
import type { LeftOut } from '../model/import-summary.ts';
import type { Scope } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import { slug } from '../model/slug.ts';
import { entriesOf } from './import-entries.ts';
import type { ImportHome } from './import-home.ts';
import { declareLive, scopeFileText, stepsLeft } from './import-scope.ts';
import type { WantedScope } from './import-scopes.ts';
import { updatedFiles } from './import-update.ts';
import type { ManagedNames } from './managed-names.ts';

/** What an import makes of a scope's files. */
export interface ScopeFiles {
  readonly kind: 'new' | 'changed' | 'unchanged';
  readonly label: string;
  /** The files that change, with their texts, by their paths from the project folder. */
  readonly texts: ReadonlyMap<string, string>;
  readonly rulesets: number;
  readonly rules: number;
  readonly leftOut: readonly LeftOut[];
  /** What differs from live and stays as the files say it, with the reason. */
  readonly kept: readonly string[];
}

/** What is known when the files of a scope are made. */
export interface FilesContext {
  readonly home: Exclude<ImportHome, { readonly kind: 'invalid' }>;
  readonly wanted: Extract<WantedScope, { readonly kind: 'found' }>;
  readonly names: ManagedNames;
  readonly nameRules: boolean;
}

/** The files of a scope as they have to be. Throws when they cannot be made so that a plan of them is empty. */
export async function importedFiles(whole: WholeScope, context: FilesContext): Promise<ScopeFiles> {
  const { home, wanted, names, nameRules } = context;
  const name = wanted.declared?.scope.name ?? wanted.name;
  const { settings } = home;
  const { declared, leftOut } = declareLive(whole, { settings, managed: names, nameRules, name });
  const counts = {
    label: scopeLabel(whole.scope),
    rulesets: declared.length,
    rules: whole.rulesets
      .filter((one) => declared.some(({ address }) => address.phase === one.phase))
      .reduce((sum, { rules }) => sum + rules.length, 0),
    leftOut,
  };
  if (home.kind === 'project' && wanted.declared !== undefined) {
    const { declared: desired } = wanted;
    const scopeFiles = home.scopeFiles.get(scopeLabel(desired.scope)) ?? [];
    const updated = updatedFiles(whole, { scopeFiles, desired, declared, leftOut, nameRules });
    if (!nameRules && updated.kept.length === 0 && updated.texts.size > 0) {
      const after = scopeFiles.map(({ document: { source } }) =>
        sourceText(source.path, updated.texts.get(source.path) ?? source.text),
      );
      checkNothingLeft(after, whole, settings);
    }
    return { ...counts, ...updated };
  }
  const path = newPath(whole.scope, name);
  if (existsSync(join(home.root, path))) {
    throw new RulewrightError(`${path} is there already and does not declare ${scopeLabel(whole.scope)}.`, {
      code: 'import/file-exists',
      fault: 'user',
      hint: 'Nothing that import did not write is replaced: move the file, or let the project name it.',
    });
  }
  const text = scopeFileText(whole.scope, {
    name,
    declared,
    leftOut,
    schema: `../.rulewright/schemas/${whole.scope.kind}.schema.json`,
  });
  if (!nameRules) {
    checkNothingLeft([sourceText(path, text)], whole, settings);
  }
  return { ...counts, kind: 'new', texts: new Map([[path, text]]), kept: [] };
}

/** The last word before files are written: they load, and a plan of them is empty. */
function checkNothingLeft(sources: readonly SourceText[], whole: WholeScope, settings: Settings): void {
  const { scopes, diagnostics } = loadTexts(sources, settings);
  const [desired] = scopes;
  const left =
    desired === undefined
      ? diagnostics.find(({ severity }) => severity === 'error')?.message
      : stepsLeft(desired, entriesOf(whole, desired.rulesets), whole);
  if (left !== undefined) {
    throw notExact(scopeLabel(whole.scope), left);
  }
}

/** The error for files that would not say what is live. */
function notExact(label: string, left: string): RulewrightError {
  return new RulewrightError(`${label}: its files would not say what is live: ${left}.`, {
    code: 'import/not-exact',
    fault: 'bug',
    hint: 'Nothing was written for it. Please report this with the output of rulewright versions.',
  });
}

/** Where a scope's first file goes. Names come from the service, so only what is safe in a path is taken of them. */
function newPath({ kind, id }: Scope, name: string): string {
  const safe =
    kind === 'zone' && /^(?!\.)[a-z0-9.-]{1,200}$/u.test(name.toLowerCase())
      ? name.toLowerCase()
      : slug(name);
  return `${kind}s/${safe === '' ? id : safe}.yaml`;
}
