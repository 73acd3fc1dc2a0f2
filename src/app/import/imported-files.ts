import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withReferences } from '../../api/index.ts';
import { checkFiles, chosenFiles, requireExact } from './check-files.ts';
import type { CheckedFiles } from './check-files.ts';
import { NO_LISTS } from './declare-lists.ts';
import type { ImportedLists } from './declare-lists.ts';
import { declareLive } from './declare-live.ts';
import type { RulesetComments } from './declare-live.ts';
import { NO_SETTINGS } from './declare-settings.ts';
import type { ImportedSettings } from './declare-settings.ts';
import type { ImportDestination } from './destination.ts';
import { fileName } from './find-scopes.ts';
import type { WantedScope } from './find-scopes.ts';
import { followObjects } from './follow-objects.ts';
import type { LiveObjects } from './follow-objects.ts';
import type { Grain } from './follow-rules.ts';
import { entriesOf } from './live-entries.ts';
import { rulesetsNotes, scopeBody, scopeFileText } from './scope-file-text.ts';
import type { DeclaredLive, FirstContent } from './scope-file-text.ts';
import type { ScopeFiles } from './scope-files.ts';
import { updatedFiles } from './updated-files.ts';
import type { ManagedNames } from '../managed/managed-names.ts';
import { loadTexts, sourceText, unknownFields, unreadExpressions } from '../../config/index.ts';
import { objectsIn, mapTexts } from '../../data/index.ts';
import type { WholeScope } from '../../live/index.ts';
import {
  isVersion,
  RulewrightError,
  plainSecrets,
  addressKey,
  scopeLabel,
  describedName,
} from '../../model/index.ts';
import type {
  LeftOut,
  Scope,
  SensitiveValue,
  DesiredScope,
  ScopeKind,
  DriftChange,
  DesiredRule,
} from '../../model/index.ts';
import { driftChanges, planScope } from '../../plan/index.ts';

/** The context for creating the files of a scope. */
export interface FilesContext {
  readonly destination: Exclude<ImportDestination, { readonly kind: 'invalid' }>;
  readonly wanted: Extract<WantedScope, { readonly kind: 'found' }>;
  readonly names: ManagedNames;
  readonly sensitive: readonly SensitiveValue[];
  /** Those of the account, for its first file; none unless given. */
  readonly lists?: ImportedLists;
  /** Those of a scope that files declare already; they stay as the files say unless given. */
  readonly objects?: LiveObjects;
  /** Those of a zone, for its first file, which has entry points of some phases; none unless given. */
  readonly settings?: (phases: readonly string[]) => ImportedSettings;
  readonly nameRules: boolean;
  /** Whether undeclared rulesets are also added to the files of a scope that declares something. */
  readonly unmanaged: boolean;
  /** The rulesets that the import is about, by `addressKey`: all others of the files stay as they are. All unless given. */
  readonly only?: ReadonlySet<string>;
  /** What is to stand above rulesets and rules, by `addressKey`. */
  readonly comments?: ReadonlyMap<string, RulesetComments>;
}

/** Makes the files of a scope. Throws when they cannot be made so that a plan of them is empty. */
export async function importedFiles(whole: WholeScope, context: FilesContext): Promise<ScopeFiles> {
  const { destination, wanted } = context;
  const known = declaredLive(whole, context);
  if (destination.kind !== 'project' || wanted.declared === undefined) {
    return firstFile(whole, context, known);
  }
  const desired = partOf(wanted.declared, context.only);
  const files = followingFiles(whole, context, {
    ...known,
    destination,
    desired,
  });
  const { objects } = context;
  return objects === undefined
    ? files
    : followObjects(files, {
        destination,
        whole,
        desired,
        scopeFiles: destination.scopeFiles.get(scopeLabel(desired.scope)) ?? [],
        live: objects,
        takesAll: known.takesAll,
        newFile: () =>
          newScopeFile(whole.scope, {
            ...known.place,
            declared: [],
            leftOut: [],
            lists: NO_LISTS,
            settings: NO_SETTINGS,
          }),
      });
}

/** Whether the files of a scope declare nothing yet: then they get everything. */
export function declaresNothing({ rulesets, lists = [], settings = [] }: DesiredScope): boolean {
  return rulesets.length + lists.length + settings.length === 0;
}

/** The live rulesets as the files of a scope would declare them, and where its own file would be. */
interface DeclaredRulesets {
  readonly declared: readonly DeclaredLive[];
  readonly leftOut: readonly LeftOut[];
  /** Whether undeclared rulesets are added to the files. */
  readonly takesAll: boolean;
  readonly counts: Omit<ScopeFiles, 'kind' | FileField>;
  readonly place: { readonly root: string; readonly name: string; readonly stem: string };
}

/** Fields of the result that are known only once the files are made. */
type FileField = 'texts' | 'kept' | 'removed' | 'renamed' | 'dropped' | 'replaced';

function declaredLive(
  whole: WholeScope,
  { destination, wanted, names, nameRules, unmanaged, comments }: FilesContext,
): DeclaredRulesets {
  const { declared: desired } = wanted;
  const name = desired?.scope.name ?? wanted.name;
  const { declared: all, leftOut } = declareLive(whole, {
    settings: destination.settings,
    managed: names,
    nameRules,
    name,
    desired,
    around: destination.around,
    sensitive: destination.sensitive,
    comments,
  });
  // Presence is ownership: a ruleset that the files of a scope leave out is left to others.
  const managed = new Set(desired?.rulesets.map(({ address }) => addressKey(address)));
  const takesAll = unmanaged || desired === undefined || declaresNothing(desired);
  const declared = takesAll ? all : all.filter(({ address }) => managed.has(addressKey(address)));
  const counts = {
    label: scopeLabel(whole.scope),
    accountId: whole.scope.accountId,
    rulesets: declared.length,
    rules: declared.reduce((sum, { ids }) => sum + ids.length, 0),
    lists: desired?.lists?.length ?? 0,
    settings: desired?.settings?.length ?? 0,
    unmanagedObjects: [],
    leftOut,
    unmanaged: all.flatMap((one) =>
      declared.includes(one) || one.ids.length === 0 ? [] : [addressKey(one.address)],
    ),
    inClear: declared.flatMap(secretsInClear),
    unread: declared.flatMap((one) => unreadRules(one, whole.scope.kind)),
    unknown: unknownFields(declared.flatMap(({ allNotes }) => allNotes)),
    changes: [],
    name,
    declared,
  };
  const stem = wanted.fileName ?? fileName(whole.scope, name);
  return { declared, leftOut, takesAll, counts, place: { root: destination.root, name, stem } };
}

/** Updates the files that already declare a scope to follow what is live. */
function followingFiles(
  whole: WholeScope,
  { nameRules, sensitive: values, only }: FilesContext,
  {
    destination: { around, composed, scopeFiles: files, sensitive, settings },
    desired,
    ...known
  }: DeclaredRulesets & {
    readonly destination: Extract<ImportDestination, { readonly kind: 'project' }>;
    readonly desired: DesiredScope;
  },
): ScopeFiles {
  const { declared, leftOut, takesAll, counts, place } = known;
  const scopeFiles = files.get(scopeLabel(desired.scope)) ?? [];
  const newFile = (missing: readonly DeclaredLive[]): readonly [path: string, text: string] =>
    newScopeFile(whole.scope, {
      ...place,
      declared: missing,
      leftOut,
      lists: NO_LISTS,
      settings: NO_SETTINGS,
    });
  const update = (grain: Grain): CheckedFiles => {
    const made = { scopeFiles, desired, declared, leftOut, nameRules, grain, sensitive, composed, newFile };
    const updated = updatedFiles(whole, made);
    const written = updated.kind === 'changed' ? {} : { inClear: [] };
    // Rulesets left to others are reported only if the files take in all; rulesets that no file can hold always are.
    const told = updated.leftOut.filter(({ code }) => takesAll || code === 'unfit');
    const files = { ...counts, ...updated, ...written, leftOut: told };
    if (files.texts.size === 0) {
      return { files, check: checkFiles({ scopes: [desired], diagnostics: [] }, whole) };
    }
    const before = new Map(scopeFiles.map(({ document: { source } }) => [source.path, source.text]));
    const texts = [...new Map([...before, ...files.texts])].map(([path, text]) => sourceText(path, text));
    const all = loadTexts(texts, settings, around);
    const loaded = { ...all, scopes: all.scopes.map((scope) => partOf(scope, only)) };
    const [after] = loaded.scopes;
    const own = desired.rulesets.filter(({ cause }) => !isVersion(cause) && before.has(cause.file));
    const changes =
      after === undefined ? [] : takenIn(asRead({ ...desired, rulesets: own }, values), after, whole);
    return { files: { ...files, changes }, check: checkFiles(loaded, whole) };
  };
  const hasWindow = scopeFiles.some(({ rulesets }) => rulesets.some(({ windows }) => windows.length > 0));
  return chosenFiles(whole, { nameRules, hasWindow, update });
}

/** Returns what files declare of some rulesets of a scope. */
function partOf(scope: DesiredScope, only: ReadonlySet<string> | undefined): DesiredScope {
  return only === undefined
    ? scope
    : {
        ...scope,
        rulesetOwnership: 'declared',
        rulesets: scope.rulesets.filter(({ address }) => only.has(addressKey(address))),
      };
}

/** Makes the file of a scope that no file declares yet. */
function firstFile(
  whole: WholeScope,
  { destination, nameRules, lists = NO_LISTS, settings: settingsFor }: FilesContext,
  { declared, leftOut, counts, place }: DeclaredRulesets,
): ScopeFiles {
  const phases = declared.flatMap(({ address: { kind, phase } }) => (kind === 'entrypoint' ? [phase] : []));
  const settings = settingsFor?.(phases) ?? NO_SETTINGS;
  const [path, text] = newScopeFile(whole.scope, { ...place, declared, leftOut, lists, settings });
  if (!nameRules) {
    const loaded = loadTexts([sourceText(path, text)], destination.settings, destination.around);
    requireExact(checkFiles(loaded, whole), whole);
  }
  return {
    ...counts,
    kind: 'new',
    lists: lists.values.length,
    settings: settings.names.length,
    first: { leftOut, lists, settings },
    texts: new Map([[path, text], ...lists.files]),
    kept: [],
    removed: [],
    renamed: [],
    dropped: [],
    replaced: [],
  };
}

/** Names the values of a ruleset that may be secrets and that its file shows in clear. */
function secretsInClear({ address, value: { rules } }: DeclaredLive): readonly string[] {
  return objectsIn(rules).flatMap((rule) =>
    plainSecrets(address.phase, rule).map(({ name }) => {
      const called = typeof rule['ref'] === 'string' ? rule['ref'] : rule['id'];
      return `${name} of rule ${typeof called === 'string' ? called : 'without a name'} in ${address.phase}`;
    }),
  );
}

/** Returns the path and the text of a scope's first own file. Throws `import/file-exists` if the path is taken. */
function newScopeFile(
  scope: Scope,
  {
    root,
    stem,
    name,
    declared,
    ...content
  }: FirstContent & {
    readonly root: string;
    readonly name: string;
    readonly stem: string;
    readonly declared: readonly DeclaredLive[];
  },
): readonly [path: string, text: string] {
  const path = `${scope.kind}s/${stem}.yaml`;
  if (existsSync(join(root, path))) {
    throw new RulewrightError(`${path} already exists and does not declare ${scopeLabel(scope)}.`, {
      code: 'import/file-exists',
      fault: 'user',
      hint: 'Nothing that import did not write is replaced: move the file, or let the project name it.',
    });
  }
  const { settings } = content;
  const body = scopeBody(declared, settings);
  const notes = [...settings.notes, ...rulesetsNotes(declared)];
  return [path, scopeFileText(scope.kind, { about: { [scope.kind]: name }, body, notes, ...content })];
}

/** Names the rules of a ruleset that the files keep as they are without understanding them, each with the reason and with what became of it. */
function unreadRules(
  { address, value, allNotes, unfit = [] }: DeclaredLive,
  kind: ScopeKind,
): readonly string[] {
  const place = addressKey(address);
  // Only expressions with a comment can be unread, and checking all once more would take long.
  const noted = new Set(allNotes.flatMap(({ path: [list, index] }) => (list === 'rules' ? [index] : [])));
  const kept = objectsIn(value['rules']).flatMap((rule, at) => {
    const { ref, description } = rule;
    const name = describedName(text(ref), text(description));
    return (noted.has(at) ? unreadExpressions(rule, { kind, address }) : []).map(
      ({ path, errors: [first] }) =>
        `${name} in ${place}: this version does not accept \`${path.join('.')}\` (${first?.message}); the file keeps its text`,
    );
  });
  return [
    ...kept,
    ...unfit.map(({ rule, why }) => `${rule} in ${place}: ${why}; \`ownership\` leaves it to others`),
  ];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Returns what the files have taken over from live: the former drift without the drift that is left. In a ruleset that no file
 * declared before, every rule of ours counts as new.
 */
function takenIn(before: DesiredScope, after: DesiredScope, whole: WholeScope): readonly DriftChange[] {
  const known = new Set(before.rulesets.map(({ address }) => addressKey(address)));
  const added = after.rulesets.filter(({ address }) => !known.has(addressKey(address)));
  const bare = added.map((ruleset) => ({ ...ruleset, rules: [] }));
  const left = new Set(driftOf(after, whole).map(keyOf));
  return driftOf({ ...before, rulesets: [...before.rulesets, ...bare] }, whole).filter(
    (change) => !left.has(keyOf(change)),
  );
}

/** Returns what files declare as it would be read from live: there, references stand for sensitive values that the files still spell out. */
export function asRead(declared: DesiredScope, values: readonly SensitiveValue[]): DesiredScope {
  const rule = (one: DesiredRule): DesiredRule => {
    const { expression, action_parameters: parameters } = one.content;
    return {
      ...one,
      content: {
        ...one.content,
        expression: withReferences(expression, values),
        ...(parameters === undefined
          ? {}
          : { action_parameters: mapTexts(parameters, (text) => withReferences(text, values)) }),
      },
    };
  };
  const rulesets = declared.rulesets.map((ruleset) => ({ ...ruleset, rules: ruleset.rules.map(rule) }));
  return values.length === 0 ? declared : { ...declared, rulesets };
}

function driftOf(desired: DesiredScope, whole: WholeScope): readonly DriftChange[] {
  const { scope, catalogue } = whole;
  const entries = entriesOf(whole, desired.rulesets);
  return driftChanges({ scopes: [planScope(desired, { scope, entries, catalogue })] });
}

function keyOf({ step, rule, difference }: DriftChange): string {
  return JSON.stringify([step, rule, difference]);
}
