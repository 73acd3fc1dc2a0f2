import type { Diagnostic } from '../../model/index.ts';
import { hasErrors } from '../../model/index.ts';
import { objectOf, isJsonArray, isJsonObject, jsonEqual, textOf } from '../../data/index.ts';
import { nearName } from '../../text/index.ts';
import { asQuestion } from '../schema/suggest.ts';
import { finding } from '../source/finding.ts';
import type { FileScope } from '../project/scope-file.ts';
import type { ProjectFile } from '../project/project-file.ts';
import type { ReadSource } from '../project/read-source.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { ParsedYaml } from '../yaml/parse-yaml.ts';
import type { SourceText } from '../source/source-text.ts';
import type { YamlDocument, FilledText, ValuePath, Graft } from '../yaml/yaml-document.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { pathKey } from '../yaml/yaml-document.ts';
import { undeclared, withGiven } from './command-line.ts';
import type { GivenVariables } from './command-line.ts';
import { compositionOfFile, countUsage, startComposition, usageOf } from './composition.ts';
import type { Composition, FileUsage } from './composition.ts';
import { projectVariables, withLevel } from './levels.ts';
import type { KnownEnvironment } from './levels.ts';
import { packsByName, readPack } from './pack.ts';
import type { Pack, ReadPack, Variable, Variables } from './pack.ts';
import { expandRules } from './expand-rules.ts';
import { askPack } from './use-pack.ts';
import { fillValue } from './fill-text.ts';
import { fillingAt } from './composition-site.ts';
import type { Site } from './composition-site.ts';

/** A document being composed, and what has been put into it so far. */
interface ComposedDocument {
  readonly site: Site;
  readonly composition: Composition;
  readonly grafts: Map<string, readonly Graft[]>;
  readonly filled: Map<string, FilledText | 'broken'>;
}

/**
 * Returns a zone or account file with packs and variables put in. Every place of the result can be traced to the file or pack that it comes from.
 */
function composeFile(document: YamlDocument, variables: Variables, composition: Composition): YamlDocument {
  const { value } = document;
  if (!isJsonObject(value)) {
    return document;
  }
  const site: Site = {
    document,
    via: [],
    variables,
    parameters: new Map(),
    prefix: '',
    chain: [],
    windows: [],
  };
  const work: ComposedDocument = { site, composition, grafts: new Map(), filled: new Map() };
  const { entrypoints, rulesets, settings } = value;
  const composed: JsonObject = {
    ...value,
    ...(isJsonObject(settings) ? { settings: fillAt(settings, ['settings'], work) } : {}),
    ...(isJsonObject(entrypoints) ? { entrypoints: composeEntryPoints(entrypoints, work) } : {}),
    ...(isJsonArray(rulesets)
      ? { rulesets: rulesets.map((body, index) => composeCustom(body, index, work)) }
      : {}),
  };
  // An unchanged document needs no map to the origin of its parts.
  return work.grafts.size === 0 && work.filled.size === 0 && jsonEqual(composed, value)
    ? document
    : { ...document, value: composed, grafts: work.grafts, filled: work.filled };
}

function isSameList(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function composeEntryPoints(entrypoints: JsonObject, work: ComposedDocument): JsonObject {
  return Object.fromEntries(
    Object.entries(entrypoints).map(([phase, body]) => [
      phase,
      composeRuleset(body, { path: ['entrypoints', phase], phase }, work),
    ]),
  );
}

function composeCustom(body: JsonValue, index: number, work: ComposedDocument): JsonValue {
  const phase = textOf(objectOf(body)['phase']);
  return composeRuleset(body, { path: ['rulesets', index], phase }, work);
}

/** Fills the variables of a value in the document. */
function fillAt(value: JsonValue, at: ValuePath, { site, composition, filled }: ComposedDocument): JsonValue {
  const filling = fillingAt(site, at, {
    composition,
    filled: (inner, text) => filled.set(pathKey([...at, ...inner]), text),
  });
  return fillValue(value, filling);
}

/** Keys of a ruleset whose texts may have variables, besides its rules; what guards depend on has to be written out. */
const TEXTS = ['name', 'description', 'active'] as const;

function composeRuleset(
  body: JsonValue,
  { path, phase }: { readonly path: ValuePath; readonly phase: string },
  work: ComposedDocument,
): JsonValue {
  if (!isJsonObject(body)) {
    return body;
  }
  const { site, composition, grafts, filled } = work;
  const texts = TEXTS.filter((key) => body[key] !== undefined).map(
    (key) => [key, fillAt(body[key] ?? null, [...path, key], work)] as const,
  );
  const { rules } = body;
  if (!isJsonArray(rules)) {
    return { ...body, ...Object.fromEntries(texts) };
  }
  const list = [...path, 'rules'];
  const expanded = expandRules(rules, { site, path: list, phase, composition });
  if (expanded.filled.size === 0 && isSameList(expanded.values, rules)) {
    return texts.length === 0 ? body : { ...body, ...Object.fromEntries(texts) };
  }
  grafts.set(pathKey(list), expanded.grafts);
  for (const [key, text] of expanded.filled) {
    filled.set(`${pathKey(list)}/${key}`, text);
  }
  return { ...body, ...Object.fromEntries(texts), rules: expanded.values };
}

/** Sources of variables besides the zone and account files. */
interface VariableSources {
  readonly head: ProjectFile;
  readonly environment: KnownEnvironment;
  readonly given: GivenVariables;
}

/** Puts packs and variables into the files of a project, one file after the other, and keeps no file in memory. */
export interface Composer {
  /** Findings about the packs, and about the variables of the project. */
  readonly diagnostics: readonly Diagnostic[];
  readonly file: (document: YamlDocument) => ComposedFile;
  /** Counts what a composed file has used. */
  readonly count: (usage: FileUsage) => void;
  /** Whether a file of this usage, composed with other packs and the same variables, would come out the same with this composer. */
  readonly composesAlike: (usage: FileUsage) => boolean;
  readonly packs: ReadonlyMap<string, Pack>;
  /** The variables that all files may name. */
  readonly variables: Variables;
  /** Returns findings about names from the command line that nothing declares; complete once all files were counted. */
  readonly undeclared: () => readonly Diagnostic[];
  /** Returns findings about packs and project variables that no file uses; complete once all files were counted. */
  readonly unused: () => readonly Diagnostic[];
}

/** A zone or account file with packs and variables put in. */
export interface ComposedFile {
  /** Returns the document for one of the file's scopes; scopes without variables of their own share one document. */
  readonly of: (scope: FileScope) => YamlDocument;
  /** Whether composing the file has gone without errors so far. */
  readonly isSound: () => boolean;
  /** Returns the findings of composing the file, those about its variables that nothing uses, and what it uses. To be called last. */
  readonly findings: () => {
    readonly diagnostics: readonly Diagnostic[];
    readonly unused: readonly Diagnostic[];
    readonly usage: FileUsage;
  };
}

/** Creates the composer from the packs and from the variables that all files may name. `parse` reads the text of a pack. */
export function createComposer(
  packSources: readonly ReadSource[],
  { head, environment, given }: VariableSources,
  parse: (source: ReadSource) => ReadPack = parsePack,
): Composer {
  const read = packSources.map((one) => parse(one));
  const { packs, diagnostics } = packsByName(read.flatMap(({ pack }) => pack ?? []));
  const broken = new Set(read.flatMap((one) => one.broken ?? []));
  const isNameless = read.some((one) => one.pack === undefined && one.broken === undefined);
  const composition = startComposition(packs, isNameless ? 'any' : broken);
  const variables =
    head.valid === undefined
      ? new Map()
      : projectVariables(head.valid.document, head.valid.value, { composition, environment });
  const names = new Set(composition.declared.map(({ name }) => name));
  return {
    diagnostics: [...read.flatMap((one) => one.diagnostics), ...diagnostics, ...composition.diagnostics],
    file: (document) =>
      composed(document, {
        variables,
        composition: compositionOfFile(composition),
        given,
        project: composition,
      }),
    count: (usage) => {
      countUsage(composition, usage);
      usage.declares.forEach((name) => names.add(name));
    },
    // A finding about an unknown pack names those that there are.
    composesAlike: (usage) =>
      [...usage.packs].every(([name, pack]) => pack !== 'unknown' && askPack(name, composition) === pack),
    packs,
    variables,
    undeclared: () => undeclared(given, names),
    unused: () => [...unusedPacks(composition), ...unusedVariables(composition)],
  };
}

/** Reads a pack, or as much of it as says its name. */
export function parsePack(read: ReadSource, parse: (source: SourceText) => ParsedYaml = parseYaml): ReadPack {
  if (read.kind === 'unread') {
    return { diagnostics: [read.diagnostic] };
  }
  const { document, diagnostics } = parse(read.source);
  const result =
    document === undefined ? { ...namedIn(read.source.text), diagnostics: [] } : readPack(document);
  return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
}

/** Extracts the name of a pack whose text does not parse, where it can be made out. */
function namedIn(text: string): Pick<ReadPack, 'broken'> {
  const broken = /^pack:[ \t]+(["']?)([^\s"'#]+)\1[ \t]*(?:#.*)?\r?$/mu.exec(text)?.[2];
  return { broken };
}

interface OuterVariables {
  readonly variables: Variables;
  readonly composition: Composition;
  readonly given: GivenVariables;
  readonly project: Composition;
}

function composed(
  document: YamlDocument,
  { variables, composition, given, project }: OuterVariables,
): ComposedFile {
  const { value } = document;
  const vars = objectOf(value)['vars'];
  const ofFile = withLevel(variables, { document, path: ['vars'], value: vars }, composition);
  const compose = (all: Variables): YamlDocument =>
    composeFile(document, withGiven(all, given, composition), composition);
  let shared: YamlDocument | undefined;
  return {
    of: (scope) => {
      if (scope.vars !== undefined) {
        return compose(withLevel(ofFile, { document, ...scope.vars }, composition));
      }
      shared ??= compose(ofFile);
      return shared;
    },
    isSound: () => !hasErrors(composition.diagnostics),
    findings: () => {
      const { diagnostics } = composition;
      return { diagnostics, unused: unusedVariables(composition), usage: usageOf(composition, project) };
    },
  };
}

function unusedPacks({ packs, askedPacks }: Composition): readonly Diagnostic[] {
  return [...packs.values()]
    .filter((pack) => askedPacks.get(pack.name) !== pack)
    .map((pack) =>
      finding('pack/unused', {
        message: `nothing uses the pack \`${pack.name}\``,
        hint: `write \`- use: ${pack.name}\` among the \`rules\` of a phase; until then its rules are not checked`,
        where: pack.where,
      }),
    );
}

function unusedVariables({ declared, usedVariables }: Composition): readonly Diagnostic[] {
  return declared
    .filter((variable) => !usedVariables.has(variable))
    .map(({ name, where }) =>
      finding('variable/unused', {
        message: `nothing uses the variable \`${name}\``,
        hint:
          usedNameHint({ name, where }, { declared, usedVariables }) ??
          `write \`\${${name}}\` where its value belongs, or remove it`,
        where,
      }),
    );
}

/** Suggests the used variable whose value a variable of a misspelt name was to replace; one of the same file it cannot replace. */
function usedNameHint(
  { name, where }: Pick<Variable, 'name' | 'where'>,
  { declared, usedVariables }: Pick<Composition, 'declared' | 'usedVariables'>,
): string | undefined {
  const beside = new Set(
    declared.filter((other) => other.where.file === where.file).map((other) => other.name),
  );
  const names = [...usedVariables].map((variable) => variable.name).filter((other) => !beside.has(other));
  const near = asQuestion(nearName(name, names));
  return near === undefined
    ? undefined
    : `${near} otherwise write \`\${${name}}\` where its value belongs, or remove it`;
}
