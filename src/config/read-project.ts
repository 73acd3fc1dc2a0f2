import type { DesiredScope, Diagnostic, ListUse, PlanLevel, SourceSpan } from '../model/index.ts';
import { hasErrors, isId, settingNames } from '../model/index.ts';
import { matchesStars } from '../text/index.ts';
import { checkDeclaredLists } from './checks/check-list.ts';
import { lintListRedirects } from './lint/lint-outlasting.ts';
import { lintAcross } from './lint/lint-across.ts';
import { checkRollout } from './checks/check-rollout.ts';
import { checkScope } from './checks/check-scope.ts';
import { checkOnce, checkWithLanguage } from './checks/expression-checker.ts';
import type { ExpressionChecker } from './checks/expression-checker.ts';
import type { GivenVariables } from './compose/command-line.ts';
import { createComposer } from './compose/composer.ts';
import type { Composer } from './compose/composer.ts';
import type { KnownEnvironment } from './compose/levels.ts';
import type { ReadMemory } from './read-memory.ts';
import { eachOnce, firstOfEach } from './tell-findings.ts';
import { judge } from './lint/suppress.ts';
import type { SuppressionComment } from './yaml/suppression-comments.ts';
import { desiredScope, groupByScope, labelsOf } from './project/desired-scope.ts';
import type { Declaration, ScopeGroup } from './project/desired-scope.ts';
import { findProject } from './project/find-project.ts';
import type { ProjectQuery } from './project/find-project.ts';
import { knownFiles } from './project/read-source.ts';
import type { KnownFiles } from './project/read-source.ts';
import { leftOutFiles, filesThatCount, narrowGroups, selectFiles } from './project/select-files.ts';
import { listFiles } from './project/list-files.ts';
import type { ListedFiles } from './project/list-files.ts';
import type { SelectedFiles } from './project/select-files.ts';
import { readHead } from './project/project-heads.ts';
import type { ProjectFound, ProjectHeads } from './project/project-heads.ts';
import type { ProjectFile } from './project/project-file.ts';
import type { Settings } from './project/project-settings.ts';
import { readFiles } from './read-files.ts';
import type { EarlyFile, OnText, ReadFiles } from './read-files.ts';
import { didYouMean } from './schema/suggest.ts';
import { finding } from './source/finding.ts';
import { locateValue } from './yaml/yaml-document.ts';

/** Looks for a rule that matches each entry of `safety.protect`. */
interface ProtectCheck {
  readonly note: (refs: readonly string[]) => void;
  /** As `note`, for a list or a setting, which goes by its name. */
  readonly noteObject: (name: string) => void;
  /** Findings about the entries that no noted `ref` matches. */
  readonly findings: () => readonly Diagnostic[];
}

/** Most refs that are remembered to suggest a correction of a mistyped entry. */
const MOST_NAMES = 1000;

/**
 * Creates the check for entries that match no rule: a mistyped entry would guard nothing, unnoticed, while entries of `ownership`, `ignore` and
 * `allow` show their effect in a plan. An entry that is an id means a rule that only exists live, and is not checked.
 */
function createProtectCheck({ settings, valid }: ProjectFile): ProtectCheck {
  const unmet = new Set(settings.safety.protect.filter((pattern) => !isId(pattern)));
  const names = new Set<string>();
  const note = (ref: string): void => {
    if (names.size < MOST_NAMES) {
      names.add(ref);
    }
    for (const pattern of unmet) {
      if (matchesStars(pattern, ref)) {
        unmet.delete(pattern);
      }
    }
  };
  return {
    note: (refs) => {
      if (unmet.size > 0) {
        refs.forEach(note);
      }
    },
    noteObject: note,
    findings: () =>
      valid === undefined
        ? []
        : settings.safety.protect.flatMap((pattern, index) =>
            unmet.has(pattern)
              ? [
                  finding('config/protect-unmatched', {
                    message: `no rule of the files has a \`ref\`, and no list or setting a name, that matches \`${pattern}\`, so this entry protects only live rules of that name`,
                    hint:
                      didYouMean(pattern, [...names]) ??
                      'if it is mistyped, correct it; if a rule has just left the files, keep it until the rule is gone live; if it is for rules to come, suppress this with a comment that says so',
                    where: locateValue(valid.document, ['safety', 'protect', index]),
                  }),
                ]
              : [],
          ),
  };
}

/** What files are read with besides their texts. */
export interface ReadOptions {
  /** The project files that the run has read. */
  readonly heads?: ProjectHeads | undefined;
  /** Checks the text of an expression; the rules language unless given. */
  readonly checkExpression?: ExpressionChecker | undefined;
  /** The environment in which variables of `env` are looked up. */
  readonly environment?: KnownEnvironment | undefined;
  /** Values of variables from the command line, as texts. */
  readonly variables?: GivenVariables | undefined;
  /** `YYYY-MM-DD`: entries whose last day was before it are reported; without it, none are. */
  readonly today?: string | undefined;
  /** The plan level to judge every zone by, whatever the files say. */
  readonly plan?: PlanLevel | undefined;
  /** Whether the rules and lists of all scopes are laid side by side as well. */
  readonly across?: boolean | undefined;
  /** Whether patterns that match nothing are accepted. */
  readonly mayBeEmpty?: boolean | undefined;
  /** Stops reading between two files; reading then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A project that was loaded without errors. */
export interface Project {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file in it. */
  readonly file: string;
  /** Absolute paths of files and folders that the run was narrowed to; empty means everything. */
  readonly selected: readonly string[];
  readonly settings: Settings;
  /** Codes of findings that the project switches off. */
  readonly switchedOff: readonly string[];
  readonly scopes: readonly DesiredScope[];
  /** The files that took part, relative to the project folder. */
  readonly files: readonly string[];
  /** All pack files, relative to the project folder. */
  readonly packs: readonly string[];
}

/** A project, and how its files can be read again. */
export interface ReadProject {
  readonly project: Project;
  readonly known: KnownFiles;
}

/** A project, or the findings against it. */
export type ProjectReading =
  | (ReadProject & { readonly kind: 'loaded'; readonly diagnostics: readonly Diagnostic[] })
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[]; readonly known?: KnownFiles };

/**
 * Finds, reads and checks a project, with all findings of all files. `onText` is called with each text before it is dropped. Bad input is never
 * thrown; a result of kind `loaded` has no finding that is an error.
 */
export async function readProject(
  options: ProjectQuery & ReadOptions,
  onText: OnText,
): Promise<ProjectReading> {
  const found = await findProject(options);
  if (found.kind === 'not-found') {
    return { kind: 'invalid', diagnostics: found.diagnostics };
  }
  const head = await readHead(options, found);
  const known = knownFiles(found.root, { path: found.file, read: head.source });
  const reading = await readFound(found, options, { known, onText, head: head.file });
  const diagnostics = judged(reading);
  return hasErrors(diagnostics)
    ? { kind: 'invalid', diagnostics, known }
    : { kind: 'loaded', diagnostics, known, ...loaded(reading) };
}

/** What files of a project can name, as it is now, with errors or without. */
export interface ProjectOutline {
  /** Zone and account files, and packs, by their paths in the project folder. */
  readonly files: readonly string[];
  readonly packs: readonly string[];
  readonly composer: Composer;
}

/** A project as its files are now. */
export interface CurrentProject extends ProjectOutline {
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the project file and the packs alone. */
export async function readOutline(
  found: ProjectFound,
  options: Pick<ReadOptions, 'environment' | 'today'>,
  { texts, projectFile, pack }: ReadMemory,
): Promise<ProjectOutline> {
  const head = projectFile(await texts.read(found.file), options.today);
  const { packs, paths } = await listProject(found, head);
  const sources = await Promise.all(packs.files.map((path) => texts.read(path)));
  const variables = { head, environment: options.environment ?? {}, given: new Map() };
  return { files: paths, packs: packs.files, composer: createComposer(sources, variables, pack) };
}

/** Who is told what was found in one file before all files are read. */
export interface EarlyFindings extends EarlyFile {
  /** Called at most once, where reading takes long, with the findings so far. Those that need all files are not among them. */
  readonly tell: (found: readonly Diagnostic[]) => Promise<void>;
}

/** As `readProject`, for a program that reads a project again and again: what has not changed is not read anew. */
export async function readAgain(
  found: ProjectFound,
  options: ReadOptions & { readonly early?: EarlyFindings | undefined },
  memory: ReadMemory,
): Promise<CurrentProject> {
  const reading = await readFound(found, options, {
    known: memory.texts,
    onText: () => undefined,
    head: memory.projectFile(await memory.texts.read(found.file), options.today),
    memory,
    early: options.early,
  });
  const { paths, packs, read } = reading;
  return { diagnostics: judged(reading), files: paths, packs: packs.files, composer: read.composer };
}

/** Lists the files of a project; `paths` are its zone and account files. */
async function listProject(
  { root, file }: ProjectFound,
  head: ProjectFile,
): Promise<Pick<ProjectFilesRead, 'packs' | 'listed' | 'paths'>> {
  const packs = await listFiles(root, file, head.packs);
  const listed = await listFiles(root, file, head.patterns);
  return { packs, listed, paths: listed.files.filter((path) => !packs.files.includes(path)) };
}

async function readFound(
  found: ProjectFound,
  options: ReadOptions,
  {
    known,
    onText,
    head,
    memory,
    early,
  }: {
    readonly known: Pick<KnownFiles, 'read'>;
    readonly onText: OnText;
    readonly head: ProjectFile;
    readonly memory?: ReadMemory;
    readonly early?: EarlyFindings | undefined;
  },
): Promise<ProjectFilesRead> {
  const { root, file } = found;
  const source = await known.read(file);
  const protect = createProtectCheck(head);
  const { packs, listed, paths } = await listProject(found, head);
  const uses: ListUse[] = [];
  const read = await readFiles(
    { project: source, packs: packs.files, files: paths },
    {
      head,
      environment: options.environment ?? {},
      given: options.variables ?? new Map(),
      checkExpression: memory?.checkExpression ?? checkOnce(options.checkExpression ?? checkWithLanguage),
      read: known.read,
      hold: {
        text: onText,
        refs: protect.note,
        uses: (some) => uses.push(...some),
      },
      memory,
      early: early && {
        ...early,
        tell: (inFiles, comments) =>
          early.tell(judgedEarly(inFiles, { head, packs, listed, comments, path: early.path })),
      },
      plan: options.plan,
      today: options.today,
      signal: options.signal,
    },
  );
  for (const { lists, zoneSettings } of read.declarations) {
    lists.forEach(({ name }) => protect.noteObject(name));
    zoneSettings.flatMap(({ name }) => settingNames(name)).forEach(protect.noteObject);
  }
  const isWhole =
    found.selected.length === 0 &&
    !hasErrors([
      ...head.diagnostics,
      ...listed.diagnostics.filter(({ code }) => code !== 'config/empty-glob'),
    ]);
  const matched = new Set([...packs.files, ...listed.files]);
  const leftOut = isWhole ? await leftOutFiles({ root, file, patterns: head.patterns, matched }) : [];
  const groups = groupByScope(read.declarations);
  return {
    found,
    head,
    packs,
    listed,
    leftOut,
    protect: [
      ...protect.findings(),
      ...labelsNowhere(head, read.declarations),
      ...checkDeclaredLists(uses, read.declarations),
      ...lintListRedirects(read.declarations),
      ...checkRollout(
        head.settings.rollout,
        groups.map((group) => ({ scope: group.scope, labels: labelsOf(group) })),
      ),
    ],
    paths,
    read,
    selection: selectFiles([...paths, ...packs.files], found),
    groups,
    mayBeEmpty: options.mayBeEmpty === true,
    across: options.across === true,
  };
}

/** Reports plan levels of labels that no zone carries: a mistyped one would judge nothing, unnoticed. */
function labelsNowhere(
  { settings }: ProjectFile,
  declarations: readonly Declaration[],
): readonly Diagnostic[] {
  return settings.labelLevels
    .filter(({ name, text }) => !declarations.some(({ labels }) => labels[name] === text))
    .map(({ name, text, where }) =>
      finding('config/plan-level', {
        message: `no zone carries the label ${name}=${text}, so this gives no plan to any`,
        hint: 'correct it, or take it out',
        where,
      }),
    );
}

/** A project whose files were read. */
interface ProjectFilesRead {
  readonly found: ProjectFound;
  readonly head: ProjectFile;
  readonly packs: ListedFiles;
  readonly listed: ListedFiles;
  readonly leftOut: readonly Diagnostic[];
  /** Findings about entries of `protect` that match no rule, and others; they count only when all rules are known. */
  readonly protect: readonly Diagnostic[];
  /** Paths of the project's zone and account files. */
  readonly paths: readonly string[];
  readonly read: ReadFiles;
  readonly selection: SelectedFiles;
  readonly groups: readonly ScopeGroup[];
  readonly mayBeEmpty: boolean;
  readonly across: boolean;
}

/** Returns all findings that count, with the severities of the project. */
function judged({
  found,
  head,
  packs,
  listed,
  leftOut,
  protect,
  paths,
  read,
  selection,
  groups,
  mayBeEmpty,
  across,
}: ProjectFilesRead): readonly Diagnostic[] {
  const counting = filesThatCount(paths, groups, selection);
  const follows: ReadonlySet<string> = head.following;
  const uncounted = new Set(paths.filter((path) => !counting.has(path)));
  const all = [
    ...head.diagnostics,
    ...[...packs.diagnostics, ...listed.diagnostics].filter(
      ({ code }) => !mayBeEmpty || code !== 'config/empty-glob',
    ),
    ...leftOut,
    ...(hasErrors(head.diagnostics) ? [] : selection.diagnostics),
    ...eachOnce(
      read
        .findings(groups.flatMap((group) => checkScope(group)))
        .filter((one) => !follows.has(one.code) && isAbout(one, selection, uncounted)),
    ),
  ];
  const isSound = !hasErrors(all);
  const isWhole = isSound && found.selected.length === 0;
  const compared =
    across && isSound ? lintAcross(groups.map((group) => desiredScope(group, head.settings))) : [];
  const about = eachOnce(compared.filter((one) => isAbout(one, selection, uncounted)));
  return judge(
    [...all, ...(isWhole ? protect : []), ...about].map((one) => promised(one, selection)),
    {
      severities: head.severities,
      comments: read.comments.filter(({ where }) => !uncounted.has(where.file)),
      isComplete: (path) => isWhole || (isSound && selection.isSelected(path)),
    },
  );
}

/** Returns the findings in one file, of those that were found so far, as `judged` will. */
function judgedEarly(
  inFiles: readonly Diagnostic[],
  {
    head,
    packs,
    listed,
    comments,
    path,
  }: Pick<ProjectFilesRead, 'head' | 'packs' | 'listed'> & {
    readonly comments: readonly SuppressionComment[];
    readonly path: string;
  },
): readonly Diagnostic[] {
  const follows: ReadonlySet<string> = head.following;
  const all = [...head.diagnostics, ...packs.diagnostics, ...listed.diagnostics, ...firstOfEach(inFiles)];
  return judge(
    all.filter(({ code, where }) => where?.file === path && !follows.has(code)),
    { severities: head.severities, comments, isComplete: () => false },
  ).filter(({ where }) => where?.file === path);
}

/** Returns what is kept of a project without errors. */
function loaded({ found, head, packs, selection, groups }: ProjectFilesRead): Omit<ReadProject, 'known'> {
  const taking = narrowGroups(groups, selection);
  return {
    project: {
      root: found.root,
      file: found.file,
      selected: found.selected,
      settings: head.settings,
      switchedOff: [...head.severities].flatMap(([code, level]) => (level === 'off' ? [code] : [])),
      scopes: taking.map((group) => desiredScope(group, head.settings)),
      files: [...new Set(taking.flatMap((group) => group.files.map(({ path }) => path)))],
      packs: packs.files,
    },
  };
}

/** Lets a finding say that it can be fixed only where the fix would be made: in the selected files. */
function promised(found: Diagnostic, { isSelected }: SelectedFiles): Diagnostic {
  const { fixable, ...rest } = found;
  return fixable === undefined || found.where === undefined || isSelected(found.where.file) ? found : rest;
}

/**
 * Whether a finding counts for the selected files: an error does wherever it decides whether they are right; a lesser finding only in them, or
 * through a use in them.
 */
function isAbout(
  { severity, where }: Diagnostic,
  { isSelected }: SelectedFiles,
  uncounted: ReadonlySet<string>,
): boolean {
  return (
    where === undefined ||
    (severity === 'error'
      ? !uncounted.has(outermost(where).file)
      : [where, ...(where.via ?? [])].some(({ file }) => isSelected(file)))
  );
}

function outermost(where: SourceSpan): SourceSpan {
  return where.via?.at(-1) ?? where;
}
