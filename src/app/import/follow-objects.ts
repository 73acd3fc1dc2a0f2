import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  editedMembers,
  loadTexts,
  lostComments,
  parseYaml,
  readSource,
  sourceText,
} from '../../config/index.ts';
import type { ScopeFile, SourceText } from '../../config/index.ts';
import { isJsonObject, listOf, objectOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { WholeScope } from '../../live/index.ts';
import {
  addressOfRuleset,
  causeText,
  isSettingAsWanted,
  settingFacts,
  settingFieldName,
} from '../../model/index.ts';
import type { DesiredScope, DriftChange, LiveList, LiveScope, LiveSetting } from '../../model/index.ts';
import {
  driftChanges,
  listNamingRules,
  planLists,
  planScope,
  planSettings,
  settingUsers,
} from '../../plan/index.ts';
import { requireExact } from './check-files.ts';
import { declareLists } from './declare-lists.ts';
import { declareSettings } from './declare-settings.ts';
import type { UsableDestination } from './destination.ts';
import { followLists } from './follow-lists.ts';
import { followSettings } from './follow-settings.ts';
import { entriesOf } from './live-entries.ts';
import type { ObjectsFollowed } from './objects-followed.ts';
import type { ScopeFiles } from './scope-files.ts';

/** The lists and settings of a scope as an import has read them. */
export interface LiveObjects {
  readonly lists: readonly LiveList[];
  /** The names of lists that no file declares and that were not read. */
  readonly others: readonly string[];
  readonly settings: ReadonlyMap<string, LiveSetting>;
  /** Whether settings that no file declares were read too. */
  readonly hasAllSettings: boolean;
}

/** What the lists and settings of a scope's files are followed in. */
interface ObjectsContext {
  readonly destination: Extract<UsableDestination, { readonly kind: 'project' }>;
  readonly whole: WholeScope;
  readonly desired: DesiredScope;
  /** The files of the scope, with variables not yet filled in. */
  readonly scopeFiles: readonly ScopeFile[];
  readonly live: LiveObjects;
  /** Whether what no file declares is added. */
  readonly takesAll: boolean;
  /** Makes a file of the scope's own that declares nothing yet. Throws `import/file-exists`. */
  readonly newFile: () => readonly [path: string, text: string];
}

/**
 * Lets the lists and settings of files that already declare a scope follow what is live. Of what does not differ, no byte changes. What no file
 * declares goes to the first file of the scope, where everything is asked for, and to a new one if only files of several zones declare the scope.
 */
export async function followObjects(files: ScopeFiles, context: ObjectsContext): Promise<ScopeFiles> {
  const { destination, desired, scopeFiles, live, takesAll } = context;
  const texts = new Map(files.texts);
  const told: Told = {
    kept: [],
    removed: [],
    dropped: [],
    replaced: [],
    unread: [],
    names: new Set(),
  };
  const fresh = undeclared(context);
  const own = scopeFiles.map(({ document: { source } }) => [source.path, source.text] as const);
  for (const [index, { document, value }] of scopeFiles.entries()) {
    const { path } = document.source;
    const current = sourceText(path, texts.get(path) ?? document.source.text);
    const itemsFile = (name: string): Promise<SourceText | null> => readItems(destination.root, path, name);
    const { lists = [], settings = [] } = desired;
    const followed = [
      await followLists(value, {
        file: path,
        desired: lists,
        live: live.lists,
        itemsFile,
      }),
      followSettings({ document, value }, { desired: settings, live: live.settings }),
    ];
    const added = index === 0 && takesAll ? fresh : NOTHING_NEW;
    const wanted = withNew(value, membersOf(followed), added);
    const text = editedMembers(current, wanted);
    if (text === undefined) {
      told.kept.push(
        `${Object.keys(wanted).join(', ')}: ${path} is written in a way that cannot be edited in place; block style can, one key a line`,
      );
      continue;
    }
    if (text !== current.text) {
      const { document: before } = parseYaml(current);
      told.dropped.push(...(before === undefined ? [] : lostComments(before, text, [])));
      texts.set(path, text);
    }
    for (const one of followed) {
      addTo(told, one);
      one.texts.forEach((body, file) => texts.set(file, body));
    }
    added.files.forEach((body, file) => texts.set(file, body));
    told.kept.push(...added.leftOut);
    told.unread.push(...added.unread);
  }
  if (scopeFiles.length === 0 && takesAll && fresh.values.length + fresh.settings > 0) {
    const [path, text] = [...files.texts][0] ?? context.newFile();
    texts.set(path, editedMembers(sourceText(path, text), withNew({}, {}, fresh)) ?? text);
    fresh.files.forEach((body, file) => texts.set(file, body));
    told.kept.push(...fresh.leftOut);
    told.unread.push(...fresh.unread);
    own.push([path, text]);
  }
  told.kept.push(...sharedSettings(context));
  const kept = [...files.kept, ...told.kept];
  checkTexts(texts, own, context);
  return {
    ...files,
    kind: texts.size > 0 ? 'changed' : kept.length > 0 ? 'differs' : 'unchanged',
    texts,
    kept,
    removed: [...files.removed, ...told.removed],
    dropped: [...files.dropped, ...told.dropped],
    replaced: [...files.replaced, ...told.replaced],
    unread: [...files.unread, ...told.unread],
    unmanagedObjects: takesAll ? [] : fresh.names,
    changes: [...files.changes, ...changesOf(told.names, context)],
    lists: (desired.lists ?? []).length - told.removed.length + (takesAll ? fresh.lists : 0),
    settings: (desired.settings ?? []).length + (takesAll ? fresh.settings : 0),
  };
}

type Told = Omit<ObjectsFollowed, 'members' | 'texts'> & {
  readonly unread: string[];
};

function addTo(told: Told, { kept, removed, dropped, replaced, names }: ObjectsFollowed): void {
  told.kept.push(...kept);
  told.removed.push(...removed);
  told.dropped.push(...dropped);
  told.replaced.push(...replaced);
  names.forEach((name) => told.names.add(name));
}

type Members = Readonly<Record<string, JsonValue | undefined>>;

function membersOf(followed: readonly ObjectsFollowed[]): Members {
  return Object.fromEntries(followed.flatMap(({ members }) => [...members]));
}

/** What is live and no file declares, as a file would. */
interface NewObjects {
  readonly names: readonly string[];
  readonly values: readonly JsonObject[];
  readonly setting: JsonObject | null;
  readonly files: ReadonlyMap<string, string>;
  readonly leftOut: readonly string[];
  readonly unread: readonly string[];
  readonly lists: number;
  readonly settings: number;
}

const NOTHING_NEW: NewObjects = {
  names: [],
  values: [],
  setting: null,
  files: new Map(),
  leftOut: [],
  unread: [],
  lists: 0,
  settings: 0,
};

function undeclared({ whole, desired, live, destination }: ObjectsContext): NewObjects {
  const known = new Set((desired.lists ?? []).map(({ name }) => name));
  const { values, files, leftOut } = declareLists(live.lists.filter(({ name }) => !known.has(name)));
  const taken = [...files.keys()].filter((path) => existsSync(join(destination.root, path)));
  const isFree = ({ items_from: from }: JsonObject): boolean =>
    typeof from !== 'string' || !taken.includes(from);
  const phases = whole.rulesets.flatMap(({ kind, phase }) => (kind === 'custom' ? [] : [phase]));
  const settings = live.hasAllSettings ? declareSettings(live.settings, phases, desired.settings) : null;
  const names = settings?.names ?? [];
  const said = names.map((name) => settingFieldName(settingFacts(name) ?? { name }));
  return {
    names: [
      ...[...live.others, ...live.lists.flatMap(({ name }) => (known.has(name) ? [] : [name]))].map(
        (name) => `list ${name}`,
      ),
      ...said.map((name) => `setting ${name}`),
    ],
    values: values.filter(isFree),
    setting: settings?.value ?? null,
    files: new Map([...files].filter(([path]) => !taken.includes(path))),
    leftOut: [...leftOut, ...taken.map((path) => `its items would go to ${path}, which exists already`)],
    unread: settings?.leftOut ?? [],
    lists: values.filter(isFree).length,
    settings: names.length,
  };
}

/** Adds what no file declares to the members of a file. */
function withNew(value: JsonObject, members: Members, { values, setting }: NewObjects): Members {
  const { lists = value['lists'], settings = value['settings'] } = members;
  return {
    ...members,
    ...(values.length === 0 ? {} : { lists: [...listOf(lists), ...values] }),
    ...(setting === null ? {} : { settings: merged(objectOf(settings), setting) }),
  };
}

function merged(now: JsonObject, more: JsonObject): JsonObject {
  const entries = Object.entries(more).map(([key, value]) => {
    const own = now[key];
    return [key, isJsonObject(own) && isJsonObject(value) ? merged(own, value) : value] as const;
  });
  return { ...now, ...Object.fromEntries(entries) };
}

/** Reads the file that a list of a file takes its items from: by its path from the project folder, or else from the folder of that file. */
async function readItems(root: string, file: string, name: string): Promise<SourceText | null> {
  for (const path of [name, `${dirname(file)}/${name}`]) {
    const read = await readSource(root, path);
    if (read.kind === 'read') {
      return read.source;
    }
  }
  return null;
}

/** Tells which settings differ that a file declares for several zones, which an import does not change. */
function sharedSettings({ desired: { settings = [] }, scopeFiles, live }: ObjectsContext): readonly string[] {
  const own = new Set(scopeFiles.map(({ document }) => document.source.path));
  return settings.flatMap(({ name, fields, cause }) => {
    const facts = settingFacts(name);
    const found = live.settings.get(name);
    const differing = fields.filter(({ path, value }) => {
      const field = facts?.fields[path];
      return field !== undefined && !isSettingAsWanted(field, found?.values.get(path), value);
    });
    return own.has(cause.file) || facts === undefined || differing.length === 0
      ? []
      : [
          `setting ${settingFieldName(facts)}: ${causeText(cause)} declares it for several zones, and live differs: change it there`,
        ];
  });
}

/** Judges what the files take over from live: the lists and settings that change. */
function changesOf(
  names: ReadonlySet<string>,
  { desired, whole, live }: ObjectsContext,
): readonly DriftChange[] {
  if (names.size === 0) {
    return [];
  }
  const { scope, catalogue } = whole;
  const all: LiveScope = {
    scope,
    entries: entriesOf(
      whole,
      whole.rulesets.map((ruleset) => ({ address: addressOfRuleset(ruleset) })),
    ),
    catalogue,
  };
  const { after, today } = listNamingRules([], all);
  const lists = planLists({
    scope,
    desired: (desired.lists ?? []).filter(({ name }) => names.has(name)),
    heads: live.lists,
    read: new Map(live.lists.map((list) => [list.name, list])),
    rules: after,
    known: today,
    awaited: new Set(),
  });
  const settings = planSettings({
    scope,
    desired: (desired.settings ?? []).filter(({ name }) => names.has(name)),
    live: live.settings,
    users: settingUsers([], all),
  });
  const planned = planScope(
    { ...desired, rulesets: [], rulesetOwnership: 'declared' },
    { scope, entries: [], catalogue },
  );
  const objects = [
    ...(lists.kind === 'planned' ? lists.lists : []),
    ...(settings.kind === 'planned' ? settings.settings : []),
  ].map(({ step }) => step);
  return planned.kind === 'failed' ? [] : driftChanges({ scopes: [{ ...planned, objects }] });
}

/** Throws `import/not-exact` for files that cannot be loaded. */
function checkTexts(
  texts: ReadonlyMap<string, string>,
  own: readonly (readonly [path: string, text: string])[],
  { destination, whole }: ObjectsContext,
): void {
  const sources = own.map(([path, text]) => sourceText(path, texts.get(path) ?? text));
  const { diagnostics } = loadTexts(sources, destination.settings, destination.around);
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    requireExact({ kind: 'fault', message: error.message }, whole);
  }
}
