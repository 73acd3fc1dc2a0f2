import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { DesiredRuleset } from '../model/ruleset.ts';
import type { ScopeKind } from '../model/scope.ts';
import { misplacedParameters } from './checks/check-action.ts';
import { checkFile } from './checks/check-scope.ts';
import type { CheckSettings } from './checks/check-scope.ts';
import { customReferences } from './checks/check-references.ts';
import type { Composer } from './compose/composer.ts';
import type { SuppressionComment } from './yaml/suppression-comments.ts';
import { lintFile } from './lint/lint-file.ts';
import { excuse } from './lint/suppress.ts';
import { desiredRulesets } from './project/desired-scope.ts';
import { headsOf, packsIn, settingsIn } from './project/declaration.ts';
import type { Declaration } from './project/declaration.ts';
import { scopesIn } from './project/file-scopes.ts';
import type { ListUses } from './project/list-uses.ts';
import type { ReadSource } from './project/read-source.ts';
import { checkIgnoreLists, checkSchema, takeOut } from './project/scope-file.ts';
import type { ScopeFile } from './project/scope-file.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import { locateValue } from './yaml/yaml-document.ts';
import type { YamlDocument } from './yaml/yaml-document.ts';

/** What one zone or account file comes to, by itself. */
export interface FileReading<Ruleset> extends FileFindings {
  /** One for each of its scopes. */
  readonly declarations: readonly Declaration<Ruleset>[];
}

/** What was found in one file, by what it is about. */
export interface FileFindings {
  /** Of YAML, packs, variables and schema. */
  readonly diagnostics: readonly Diagnostic[];
  /** Its variables that nothing uses; they count where all files are whole. */
  readonly unused: readonly Diagnostic[];
  /** Of the checks beyond the schema. */
  readonly checks: readonly Diagnostic[];
  /** What looks wrong; it counts where nothing is. */
  readonly lint: readonly Diagnostic[];
}

/** What a file is read with. */
export interface FileMeans<Ruleset> extends CheckSettings {
  readonly composer: Composer;
  readonly listUses: ListUses;
  /** Comments that suppress findings, of this file and all packs at least. */
  readonly comments: readonly SuppressionComment[];
  /** `YYYY-MM-DD`, for what ends. */
  readonly today?: string | undefined;
  /** What stays of a ruleset. */
  readonly keep: (ruleset: DesiredRuleset) => Ruleset;
}

const NOTHING: FileReading<never> = { declarations: [], diagnostics: [], unused: [], checks: [], lint: [] };

/** Parses, composes and checks a file in one go, so that of its trees nothing has to stay. */
export function readFile<Ruleset>(read: ReadSource, means: FileMeans<Ruleset>): FileReading<Ruleset> {
  if (read.kind === 'unread') {
    return { ...NOTHING, diagnostics: [read.diagnostic] };
  }
  const { document, diagnostics } = parseYaml(read.source);
  if (document === undefined) {
    return { ...NOTHING, diagnostics };
  }
  const reading = readDocument(document, means);
  return { ...reading, diagnostics: [...diagnostics, ...reading.diagnostics] };
}

function readDocument<Ruleset>(document: YamlDocument, means: FileMeans<Ruleset>): FileReading<Ruleset> {
  const composed = means.composer.file(document);
  const { kind, scopes, diagnostics } = scopesIn(document);
  if (kind === undefined) {
    return { ...NOTHING, diagnostics };
  }
  const contents = new WeakMap<YamlDocument, FileContent<Ruleset>>();
  const all: FileContent<Ruleset>[] = [];
  const declarations = scopes.map((scope) => {
    const own = composed.of(scope);
    const content =
      contents.get(own) ?? contentOf(takeOut(own, scope), { kind, isSound: composed.isSound() }, means);
    if (!contents.has(own)) {
      contents.set(own, content);
      all.push(content);
    }
    const { path, labels, ref } = scope;
    return { scope: ref, labels, where: locateValue(own, path), ...content.declared };
  });
  const told = composed.findings();
  const found = scopes.length === 0 ? checkSchema(document, kind) : all.flatMap((one) => one.diagnostics);
  return {
    declarations,
    diagnostics: [...diagnostics, ...found, ...told.diagnostics],
    unused: told.unused,
    checks: all.flatMap(({ checks }) => checks),
    lint: all.flatMap(({ lint }) => lint),
  };
}

/** What a document says, whichever of its scopes it is read for. */
interface FileContent<Ruleset> extends Pick<FileReading<Ruleset>, 'diagnostics' | 'checks' | 'lint'> {
  readonly declared: Omit<Declaration<Ruleset>, 'scope' | 'labels' | 'where'>;
}

function contentOf<Ruleset>(
  file: ScopeFile,
  { kind, isSound }: { readonly kind: ScopeKind; readonly isSound: boolean },
  means: FileMeans<Ruleset>,
): FileContent<Ruleset> {
  const diagnostics = excuse(
    [...checkSchema(file.document, kind, misplacedParameters(file)), ...checkIgnoreLists(file, means.today)],
    means.comments,
  );
  const checks = excuse(checkFile(file, means), means.comments);
  const valid = isSound && !hasErrors(diagnostics) && !hasErrors(checks);
  return {
    declared: {
      path: file.document.source.path,
      packs: packsIn(file),
      settings: settingsIn(file),
      heads: headsOf(file),
      references: file.rulesets.flatMap((ruleset) =>
        ruleset.rules.flatMap((rule) => customReferences(ruleset, rule)),
      ),
      rulesets: valid
        ? desiredRulesets(file, means.settings, means.listUses).map((ruleset) => means.keep(ruleset))
        : [],
    },
    diagnostics,
    checks,
    lint: valid ? lintFile(file, means.settings) : [],
  };
}
