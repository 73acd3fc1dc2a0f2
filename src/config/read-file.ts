import type { Diagnostic, ListUse, PlanLevel, ScopeKind } from '../model/index.ts';
import { hasErrors } from '../model/index.ts';
import { isJsonObject } from '../data/index.ts';
import { misplacedParameters } from './checks/check-action.ts';
import { checkEnds } from './checks/check-ends.ts';
import { checkPlanLevel } from './checks/check-plan-level.ts';
import { checkFile } from './checks/check-scope.ts';
import type { CheckSettings } from './checks/check-scope.ts';
import { customReferences } from './checks/check-references.ts';
import type { Composer } from './compose/composer.ts';
import type { FileUsage } from './compose/composition.ts';
import type { SuppressionComment } from './yaml/suppression-comments.ts';
import { lintFile } from './lint/lint-file.ts';
import { permitNewer } from './lint/suppress.ts';
import { desiredRulesets } from './project/desired-scope.ts';
import type { Declaration, RulesetHead, ScopeSetting, ListUses } from './project/desired-scope.ts';
import { scopesIn, checkIgnoreLists, checkSchema, takeOut } from './project/scope-file.ts';
import { levelsOf } from './project/plan-level.ts';
import type { ReadSource } from './project/read-source.ts';
import type { ScopeFile } from './project/scope-file.ts';
import { declaredLists } from './lists/declared-lists.ts';
import { declaredSettings } from './settings/declared-settings.ts';
import type { SourceText } from './source/source-text.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import type { ParsedYaml } from './yaml/parse-yaml.ts';
import { locateValue } from './yaml/yaml-document.ts';
import type { YamlDocument } from './yaml/yaml-document.ts';

/** Returns what a file declares for each of its scopes, without its rules. */
function declareFile(
  file: ScopeFile,
): Pick<Declaration, 'path' | 'packs' | 'settings' | 'ownership' | 'heads'> {
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
  return rulesets.map(({ address, value, rules, where }) => ({
    address,
    absent: value['absent'] === true,
    rules: rules.length,
    where,
  }));
}

/** Returns the paths of the packs that rules of a file come from. */
function packsIn({ document }: ScopeFile): readonly string[] {
  const items = [...(document.grafts?.values() ?? [])].flat();
  const paths = new Set(items.map((item) => item.document.source.path));
  paths.delete(document.source.path);
  return [...paths];
}

/** What one zone or account file declares, and its findings. */
export interface FileReading extends FileDiagnostics {
  /** One declaration for each of the file's scopes. */
  readonly declarations: readonly Declaration[];
  /** The `ref` of each rule; none where the file has an error. */
  readonly refs: readonly string[];
  /** The lists that its rules name. */
  readonly uses: readonly ListUse[];
  /** What the file uses of its project; absent where it could not be composed. */
  readonly usage?: FileUsage;
}

/** The findings of one file, by what they are about. */
export interface FileDiagnostics {
  /** Findings about YAML, packs, variables and the schema. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings about variables of the file that nothing uses; they count only when no file has errors in its `diagnostics`. */
  readonly unused: readonly Diagnostic[];
  /** Findings of the checks beyond the schema. */
  readonly checks: readonly Diagnostic[];
  /** Findings of the linter; they count only when nothing is an error. */
  readonly lint: readonly Diagnostic[];
}

/** What is needed to read a file. */
export interface FileMeans extends CheckSettings {
  readonly composer: Composer;
  /** Parses a text; `parseYaml` unless given. */
  readonly parse?: ((source: SourceText) => ParsedYaml) | undefined;
  readonly listUses: ListUses;
  /** Comments that suppress findings: those of this file and of all packs, at least. */
  readonly comments: readonly SuppressionComment[];
  /** The plan level to judge every zone by, whatever the files say. */
  readonly plan?: PlanLevel | undefined;
  /** `YYYY-MM-DD`; tells which entries have expired. */
  readonly today?: string | undefined;
}

const NOTHING: FileReading = {
  declarations: [],
  refs: [],
  uses: [],
  diagnostics: [],
  unused: [],
  checks: [],
  lint: [],
};

/** Parses, composes and checks a file in one go, so that none of its trees has to be kept. */
export function readFile(read: ReadSource, means: FileMeans): FileReading {
  if (read.kind === 'unread') {
    return { ...NOTHING, diagnostics: [read.diagnostic] };
  }
  const { document, draft, diagnostics } = (means.parse ?? parseYaml)(read.source);
  const readable = document ?? draft;
  if (readable === undefined) {
    return { ...NOTHING, diagnostics };
  }
  const { declarations, ...reading } = readDocument(readable, means);
  return {
    ...reading,
    declarations: document === undefined ? [] : declarations,
    diagnostics: [...diagnostics, ...reading.diagnostics],
  };
}

function readDocument(document: YamlDocument, means: FileMeans): FileReading {
  const composed = means.composer.file(document);
  const { kind, scopes, diagnostics } = scopesIn(document);
  if (kind === undefined) {
    return { ...NOTHING, diagnostics };
  }
  const contents = new WeakMap<YamlDocument, FileContent>();
  const all: FileContent[] = [];
  const ofLevels: Diagnostic[] = [];
  const declarations = scopes.map((scope) => {
    const own = composed.of(scope);
    // A scope with a window of its own shares no rules with others, though it may share the text.
    const known = scope.active === undefined ? contents.get(own) : undefined;
    const content = known ?? contentOf(takeOut(own, scope), { kind, isSound: composed.isSound() }, means);
    if (known === undefined) {
      all.push(content);
    }
    if (scope.active === undefined) {
      contents.set(own, content);
    }
    const { path, labels, ref } = scope;
    const plans = levelsOf(own, scope, { given: means.plan, byLabel: means.settings.labelLevels });
    const [plan] = plans;
    const level = content.valid && plan !== undefined ? plan.level : undefined;
    if (level !== undefined && !content.levels.has(level)) {
      content.levels.add(level);
      ofLevels.push(...checkPlanLevel(content.file, level));
    }
    return { scope: ref, labels, plans, where: locateValue(own, path), ...content.declared };
  });
  const told = composed.findings();
  const found = scopes.length === 0 ? checkSchema(document, kind) : all.flatMap((one) => one.diagnostics);
  return {
    declarations,
    diagnostics: [...diagnostics, ...found, ...told.diagnostics],
    unused: told.unused,
    usage: told.usage,
    refs: all.flatMap(({ refs }) => refs),
    uses: all.flatMap(({ uses }) => uses),
    checks: [...all.flatMap(({ checks }) => checks), ...ofLevels],
    lint: all.flatMap(({ lint }) => lint),
  };
}

/** The content of a document, which is the same for all scopes that share it. */
interface FileContent extends Pick<FileReading, 'diagnostics' | 'checks' | 'lint'> {
  readonly file: ScopeFile;
  readonly valid: boolean;
  /** The plan levels that it was judged by. */
  readonly levels: Set<PlanLevel>;
  readonly declared: Omit<Declaration, 'scope' | 'labels' | 'plans' | 'where'>;
  readonly refs: readonly string[];
  /** The lists that its rules name. */
  readonly uses: readonly ListUse[];
}

function contentOf(
  file: ScopeFile,
  { kind, isSound }: { readonly kind: ScopeKind; readonly isSound: boolean },
  means: FileMeans,
): FileContent {
  const diagnostics = permitNewer(
    [
      ...checkSchema(file.document, kind, misplacedParameters(file)),
      ...checkIgnoreLists(file, means.today),
      ...checkEnds(file, means.settings, means.today),
    ],
    means.comments,
  );
  const lists = declaredLists(file);
  const checks = permitNewer([...checkFile(file, means), ...lists.diagnostics], means.comments);
  const valid = isSound && !hasErrors(diagnostics) && !hasErrors(checks);
  const desired = valid ? desiredRulesets(file, means.settings, means.listUses) : [];
  return {
    file,
    valid,
    levels: new Set(),
    declared: {
      ...declareFile(file),
      lists: lists.lists,
      zoneSettings: declaredSettings(file),
      references: file.rulesets.flatMap((ruleset) =>
        ruleset.rules.flatMap((rule) => customReferences(ruleset, rule)),
      ),
      rulesets: desired,
    },
    refs: desired.flatMap(({ rules }) => rules.flatMap(({ ref }) => ref ?? [])),
    uses: desired.flatMap(({ rules }) => rules.flatMap(({ lists = [] }) => lists)),
    diagnostics,
    checks,
    lint: valid ? lintFile(file, means.settings, means.checkRules) : [],
  };
}
