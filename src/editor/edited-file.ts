import { scopesIn } from '../config/index.ts';
import type { ProjectOutline, SourceText, ValuePath, YamlDocument } from '../config/index.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import type { ExpressionRole, ScopeKind, SourceSpan } from '../model/index.ts';
import type { OpenProject } from './open-project.ts';
import { parsedOf } from './open-project.ts';
import type { NameInFile, NamedKind } from './symbols.ts';
import { namesOf } from './symbols.ts';

/** What a file of a project is; also the name of its schema. */
export type FileKind = 'project' | 'zone' | 'account' | 'pack' | 'test';

/** A file that an editor asks about, in its project. */
export interface EditedFile {
  readonly path: string;
  readonly source: SourceText;
  readonly kind: FileKind;
  readonly open: OpenProject;
  readonly project: ProjectOutline;
}

/** Returns what a file is, by its place in the project and by what it says; undefined where it is none of ours. */
export function kindOfFile(
  { path, text }: SourceText,
  { open, project }: Pick<EditedFile, 'open' | 'project'>,
): FileKind | undefined {
  if (path === open.file) {
    return 'project';
  }
  if (project.packs.includes(path)) {
    return 'pack';
  }
  if (/\.test\.ya?ml$/u.test(path)) {
    return 'test';
  }
  const kind = KEYS.find(([, key]) => key.test(text))?.[0];
  return kind ?? (project.files.includes(path) ? 'zone' : undefined);
}

/** Keys that only files of a kind have. */
const KEYS: readonly (readonly [FileKind, RegExp])[] = [
  ['test', /^tests[ \t]*:/mu],
  ['pack', /^pack[ \t]*:/mu],
  ['account', /^account[ \t]*:/mu],
  ['zone', /^zones?[ \t]*:/mu],
];

/** Names of all files of a project. */
export interface ProjectNames {
  readonly all: readonly NameInFile[];
  /** Files that cannot be read, whose names are not known. */
  readonly unread: readonly string[];
}

/** Reads the names of all files of a project; what a file that cannot be parsed says is left out. */
export async function readNames({
  open,
  project,
}: Pick<EditedFile, 'open' | 'project'>): Promise<ProjectNames> {
  const all: NameInFile[] = [];
  const unread: string[] = [];
  for (const path of new Set([open.file, ...project.packs, ...project.files, ...(await open.tests())])) {
    const read = await open.read(path);
    const document = read.kind === 'read' ? parsedOf(read.source).document : undefined;
    if (document === undefined) {
      unread.push(path);
    } else {
      all.push(...namesOf(document));
    }
    await open.pause();
  }
  return { all, unread };
}

/** Returns each name of a kind once, sorted. */
export function namesOfKind({ all }: ProjectNames, kind: NamedKind): readonly string[] {
  return [...new Set(all.filter((one) => one.kind === kind).map(({ name }) => name))].sort();
}

/** Where an expression of a file ends up. */
export interface ExpressionSetting {
  readonly role: ExpressionRole;
  /** Absent where several phases may have the expression, as in a pack. */
  readonly phase: string | undefined;
  readonly level: ScopeKind | undefined;
}

/** Returns where the rules at a path end up: in a file, in its phase; in a pack, in the only phase that it is for. */
export function settingAt(
  { kind }: Pick<EditedFile, 'kind'>,
  path: ValuePath,
  value: JsonValue,
): Omit<ExpressionSetting, 'role'> {
  const level = kind === 'account' || kind === 'zone' ? kind : undefined;
  const [first, second] = path;
  if (first === 'entrypoints') {
    return { phase: String(second), level };
  }
  const { phases } = objectOf(value);
  const holder = first === 'rulesets' ? listOf(objectOf(value)['rulesets'])[Number(second)] : undefined;
  const [only, ...others] = listOf(phases).map(String);
  const phase = first === 'rulesets' ? textOf(objectOf(holder)['phase']) || undefined : only;
  return { phase: others.length > 0 ? undefined : phase, level };
}

/** A rule of a file with packs and variables put in, and the uses of packs that lead to it, outermost last. */
export interface ComposedRule {
  readonly rule: { readonly [key: string]: JsonValue };
  readonly file: string;
  /** Path of the rule in the file that it is written in. */
  readonly path: ValuePath;
  readonly via: readonly SourceSpan[];
  readonly phase: string;
  readonly scope: string;
}

/** Returns the rules of a zone or account file as they are for its first scope. */
export function composedRules(document: YamlDocument, { composer }: ProjectOutline): readonly ComposedRule[] {
  const [scope] = scopesIn(document).scopes;
  if (scope === undefined) {
    return [];
  }
  const composed = composer.file(document).of(scope);
  const { entrypoints, rulesets } = objectOf(composed.value);
  const holders = [
    ...Object.entries(objectOf(entrypoints)).map(([phase, body]) => ({
      path: ['entrypoints', phase],
      phase,
      body,
    })),
    ...listOf(rulesets).map((body, index) => ({
      path: ['rulesets', index],
      phase: textOf(objectOf(body)['phase']),
      body,
    })),
  ];
  return holders.flatMap(({ path, phase, body }) => {
    const grafts = composed.grafts?.get([...path, 'rules'].join('/'));
    return listOf(objectOf(body)['rules']).flatMap((rule, index): readonly ComposedRule[] => {
      const graft = grafts?.[index];
      return isJsonObject(rule)
        ? [
            {
              rule,
              file: (graft?.document ?? document).source.path,
              path: graft?.path ?? [...path, 'rules', index],
              via: graft?.via ?? [],
              phase,
              scope: scope.ref.name,
            },
          ]
        : [];
    });
  });
}
