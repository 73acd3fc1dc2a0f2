import { RulewrightError } from '../model/error.ts';
import { addressKey } from '../model/ruleset.ts';
import type { DesiredRuleset } from '../model/ruleset.ts';
import type { ScopeRef } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import type { DesiredScope, ScopeOutline } from '../model/state.ts';
import type { Composer } from './compose/composer.ts';
import { compareRulesets, desiredRulesets } from './project/desired-scope.ts';
import { scopesIn } from './project/file-scopes.ts';
import type { FileScope } from './project/file-scopes.ts';
import { createListUses } from './project/list-uses.ts';
import type { KnownFiles } from './project/known-files.ts';
import { takeOut } from './project/scope-file.ts';
import type { Settings } from './project/settings.ts';
import type { ReadProject } from './read-project.ts';
import type { SourceText } from './source-text.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** Characters of files with several scopes that are kept for the next scope, the last file whatever its size. */
const OPEN_CHARACTERS = 256 * 1024;

/** A file that was read again: the rulesets of each of its scopes. */
interface OpenFile {
  readonly scopes: number;
  readonly rulesetsOf: (scope: ScopeRef) => readonly DesiredRuleset[];
}

/** What reads the scopes of a project again. Both ways reject with `config/changed-while-running` when a file is not what it was. */
export interface ScopeOpener {
  readonly open: (scope: ScopeOutline) => Promise<DesiredScope>;
  readonly textOf: (path: string) => Promise<string>;
}

/** Reads scopes of a project again; their files were found to be right. */
export function scopeOpener({ project, known, composer, severalFiles }: ReadProject<unknown>): ScopeOpener {
  const openFile = recent(
    (path) => again(path, known),
    (source) => readAgain(source, composer, project.settings),
  );
  return {
    open: async (outline) => {
      const { scope, cause } = outline;
      const paths = severalFiles.get(scopeLabel(scope)) ?? ('file' in cause ? [cause.file] : []);
      const opened = await Promise.all(paths.map((path) => openFile(path)));
      const wanted = new Set(outline.rulesets.map(({ address }) => addressKey(address)));
      const rulesets = opened
        .flatMap((file) => file.rulesetsOf(scope))
        .filter(({ address }) => wanted.has(addressKey(address)))
        .sort(compareRulesets);
      return { ...outline, rulesets };
    },
    textOf: async (path) => (await again(path, known)).text,
  };
}

/** Reads files, and keeps of those with several scopes the last. */
function recent(
  text: (path: string) => Promise<SourceText>,
  read: (source: SourceText) => OpenFile,
): (path: string) => Promise<OpenFile> {
  const results = new Map<string, Promise<OpenFile>>();
  const sizes = new Map<string, number>();
  const letOldGo = (): void => {
    let characters = 0;
    for (const path of [...sizes.keys()].reverse()) {
      if (characters > OPEN_CHARACTERS) {
        results.delete(path);
        sizes.delete(path);
      }
      characters += sizes.get(path) ?? 0;
    }
  };
  const readNow = async (path: string): Promise<OpenFile> => {
    const source = await text(path);
    const file = read(source);
    if (file.scopes > 1) {
      sizes.set(path, source.text.length);
      letOldGo();
    } else {
      results.delete(path);
    }
    return file;
  };
  return (path) => {
    const result = results.get(path) ?? readNow(path);
    results.set(path, result);
    return result;
  };
}

async function again(path: string, known: KnownFiles): Promise<SourceText> {
  const source = await known.again(path);
  if (source === null) {
    throw new RulewrightError(`${path} was changed while the run read it`, {
      code: 'config/changed-while-running',
      fault: 'user',
      hint: 'run the command again, and leave the files alone until it has ended',
    });
  }
  return source;
}

function readAgain({ path, text, lineStarts }: SourceText, composer: Composer, settings: Settings): OpenFile {
  const { document } = parseYaml({ path, text, lineStarts });
  if (document === undefined) {
    throw new TypeError(`${path} was right when it was read first`);
  }
  const scopes = new Map(scopesIn(document).scopes.map((scope) => [scopeLabel(scope.ref), scope]));
  const composed = composer.again(document);
  const rulesetsOf = (scope: FileScope): readonly DesiredRuleset[] =>
    // A piece of a text keeps the whole text in memory; a clone has texts of its own.
    structuredClone(desiredRulesets(takeOut(composed.of(scope), scope), settings, createListUses()));
  const all = [...scopes.values()];
  const [first] = all;
  if (first !== undefined && all.every(({ vars }) => vars === undefined)) {
    return sameFor(new Set(scopes.keys()), rulesetsOf(first));
  }
  return {
    scopes: scopes.size,
    rulesetsOf: (ref) => {
      const scope = scopes.get(scopeLabel(ref));
      return scope === undefined ? [] : rulesetsOf(scope);
    },
  };
}

/** A function of its own, so that what it returns keeps nothing else: above, the whole document would stay. */
function sameFor(labels: ReadonlySet<string>, rulesets: readonly DesiredRuleset[]): OpenFile {
  return { scopes: labels.size, rulesetsOf: (ref) => (labels.has(scopeLabel(ref)) ? rulesets : []) };
}
