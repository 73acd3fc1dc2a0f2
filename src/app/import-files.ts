import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WholeScope } from '../live/read-whole-scope.ts';
import { loadTexts } from '../config/load-text.ts';
import type { LoadedText } from '../config/load-text.ts';
import { sourceText } from '../config/source-text.ts';
import { RulewrightError } from '../model/error.ts';
import type { LeftOut } from '../model/import-summary.ts';
import type { Scope } from '../model/scope.ts';
import type { DesiredScope } from '../model/state.ts';
import { scopeLabel } from '../model/scope.ts';
import { slug } from '../model/slug.ts';
import { entriesOf } from './import-entries.ts';
import type { ImportHome } from './import-home.ts';
import { declareLive, scopeFileText, stepsLeft } from './import-scope.ts';
import type { DeclaredLive } from './import-scope.ts';
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
export async function importedFiles(
  whole: WholeScope,
  { home, wanted, names, nameRules }: FilesContext,
): Promise<ScopeFiles> {
  const name = wanted.declared?.scope.name ?? wanted.name;
  const { settings } = home;
  const around = home.kind === 'project' ? { around: home.around, sensitive: home.sensitive } : {};
  const { declared: desired } = wanted;
  const known = desired === undefined ? {} : { desired };
  const context = { settings, managed: names, nameRules, name, ...around, ...known };
  const { declared, leftOut } = declareLive(whole, context);
  const counts = {
    label: scopeLabel(whole.scope),
    rulesets: declared.length,
    rules: declared.reduce((sum, { ids }) => sum + ids.length, 0),
    leftOut,
  };
  if (home.kind === 'project' && desired !== undefined) {
    const scopeFiles = home.scopeFiles.get(scopeLabel(desired.scope)) ?? [];
    const newFile = (missing: readonly DeclaredLive[]): readonly [path: string, text: string] =>
      newScopeFile(whole.scope, { root: home.root, name, declared: missing, leftOut });
    const updated = updatedFiles(whole, { scopeFiles, desired, declared, leftOut, nameRules, newFile });
    if (updated.texts.size > 0) {
      const before = scopeFiles.map(({ document: { source } }) => [source.path, source.text] as const);
      const after = [...new Map([...before, ...updated.texts])].map(([path, text]) => sourceText(path, text));
      const loaded = loadTexts(after, settings, home.around);
      if (nameRules || updated.kept.length > 0) {
        // What is told stays different; the files have to load all the same.
        checkLoads(loaded, whole);
      } else {
        checkNothingLeft(loaded, whole);
      }
    }
    return { ...counts, ...updated };
  }
  const [path, text] = newScopeFile(whole.scope, { root: home.root, name, declared, leftOut });
  if (!nameRules) {
    checkNothingLeft(loadTexts([sourceText(path, text)], settings, around.around), whole);
  }
  return { ...counts, kind: 'new', texts: new Map([[path, text]]), kept: [] };
}

/** The first file of a scope's own. Throws where something is in its place. */
function newScopeFile(
  scope: Scope,
  {
    root,
    ...content
  }: {
    readonly root: string;
    readonly name: string;
    readonly declared: readonly DeclaredLive[];
    readonly leftOut: readonly LeftOut[];
  },
): readonly [path: string, text: string] {
  const path = newPath(scope, content.name);
  if (existsSync(join(root, path))) {
    throw new RulewrightError(`${path} is there already and does not declare ${scopeLabel(scope)}.`, {
      code: 'import/file-exists',
      fault: 'user',
      hint: 'Nothing that import did not write is replaced: move the file, or let the project name it.',
    });
  }
  return [
    path,
    scopeFileText(scope, { ...content, schema: `../.rulewright/schemas/${scope.kind}.schema.json` }),
  ];
}

/** The last word before files are written: they load, and a plan of them is empty. */
function checkNothingLeft(loaded: LoadedText, whole: WholeScope): void {
  const desired = checkLoads(loaded, whole);
  const left =
    desired === undefined ? undefined : stepsLeft(desired, entriesOf(whole, desired.rulesets), whole);
  if (left !== undefined) {
    throw notExact(scopeLabel(whole.scope), left);
  }
}

/** What the files want, if they declare the scope at all. Throws where they have an error. */
function checkLoads({ scopes, diagnostics }: LoadedText, whole: WholeScope): DesiredScope | undefined {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    throw notExact(scopeLabel(whole.scope), error.message);
  }
  return scopes[0];
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
