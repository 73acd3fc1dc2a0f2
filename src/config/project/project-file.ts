import type { Diagnostic, Severity } from '../../model/index.ts';
import type { DiagnosticCode } from '../source/finding.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';
import { listOf, objectOf, omit } from '../../data/index.ts';
import { validateProject } from '../generated/validators.mjs';
import { param } from '../schema/schema-error.ts';
import type { SchemaError } from '../schema/schema-error.ts';
import { errorsIn, schemaFinding } from '../schema/validate-document.ts';
import { sourceText } from '../source/source-text.ts';
import type { SourceText } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { locateValue, locateKey } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { CODES } from '../../expression/index.ts';
import { DIAGNOSTIC_CODES, finding } from '../source/finding.ts';
import { didYouMean } from '../schema/suggest.ts';
import type { FilePattern } from './list-files.ts';
import type { ReadSource } from './read-source.ts';
import type { Settings } from './project-settings.ts';
import { checkDays, checkTimeZone, NO_SETTINGS, readSettings } from './project-settings.ts';

/** The severities that a project gives to codes, in place of the usual ones. */
export type Severities = ReadonlyMap<string, Severity | 'off'>;

const USUAL: ReadonlyMap<string, Severity> = new Map(
  Object.entries({ ...DIAGNOSTIC_CODES, ...CODES }).map(([code, { severity }]) => [code, severity]),
);

/** Returns the usual severity of a code that files can have; undefined when there is no such code. */
export function usualSeverity(code: string): Severity | undefined {
  return USUAL.get(code);
}

/** Returns a hint for a code that does not exist. */
export function codeHint(code: string): string {
  return didYouMean(code, [...USUAL.keys()]) ?? 'each finding shows its code after its severity';
}

/** Reads `lint` of a project file. */
function readSeverities({ lint = {} }: ProjectDocument): Severities {
  return new Map(
    Object.entries(lint).flatMap(([code, level]) => (level === undefined ? [] : [[code, level] as const])),
  );
}

/** Reports severities for codes that do not exist, and for errors: a file with an error can be neither planned nor trusted. */
function checkSeverities(document: YamlDocument, { lint = {} }: ProjectDocument): readonly Diagnostic[] {
  return Object.entries(lint).flatMap(([code, level]) => {
    const usual = usualSeverity(code);
    if (usual === undefined) {
      return [
        finding('severity/unknown-code', {
          message: `no finding has the code \`${code}\``,
          hint: codeHint(code),
          where: locateKey(document, ['lint', code]),
        }),
      ];
    }
    return usual === 'error' && level !== 'error'
      ? [
          finding('severity/fixed', {
            message: `\`${code}\` is an error, and stays an error`,
            hint: 'only the severity of warnings and notes can be changed; fix what it reports',
            where: locateValue(document, ['lint', code]),
          }),
        ]
      : [];
  });
}

/** Returns findings with the project's severities, without those that are off. A finding that is an error stays one. */
export function weigh(findings: readonly Diagnostic[], severities: Severities): readonly Diagnostic[] {
  return severities.size === 0
    ? findings
    : findings.flatMap((found) => {
        const level = found.severity === 'error' ? undefined : severities.get(found.code);
        return level === undefined ? [found] : level === 'off' ? [] : [{ ...found, severity: level }];
      });
}

/** The content of the project file. Where the file is not valid, the patterns that can be made out are still followed. */
export interface ProjectFile {
  readonly patterns: readonly FilePattern[];
  /** Patterns of pack files. */
  readonly packs: readonly FilePattern[];
  /** The valid part of the file; the document holds nothing else. */
  readonly valid?: { readonly document: YamlDocument; readonly value: ProjectDocument };
  /** Codes of findings that other files would have only because this file has errors. */
  readonly following: ReadonlySet<DiagnosticCode>;
  readonly settings: Settings;
  readonly severities: Severities;
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING = {
  patterns: [],
  packs: [],
  settings: NO_SETTINGS,
  severities: new Map<string, never>(),
  following: new Set<never>(),
} as const;

/** Codes that cannot be reported in other files while the value of a key is unknown. */
const FOLLOWING: ReadonlyMap<string, DiagnosticCode> = new Map([
  ['vars', 'variable/undefined'],
  ['env', 'variable/undefined'],
  ['packs', 'pack/unknown'],
  ['files', 'config/undeclared-ruleset'],
]);

/** Parses and checks the project file. `today` is `YYYY-MM-DD`; without it, no entry is reported as expired. */
export function readProjectFile(read: ReadSource, today?: string): ProjectFile {
  if (read.kind === 'unread') {
    return { ...NOTHING, diagnostics: [read.diagnostic] };
  }
  const { document, diagnostics } = parseYaml(read.source);
  if (document === undefined) {
    return { ...NOTHING, ...patternsBefore(read.source, diagnostics), diagnostics };
  }
  const errors = errorsIn(document, validateProject);
  const found = errors.map((error) => schemaFinding(error));
  const sound = soundPart(document, errors);
  const { value } = sound;
  return isAnotherVersion(errors) || !validateProject(value)
    ? { ...NOTHING, diagnostics: [...diagnostics, ...found] }
    : {
        patterns: patternsOf(document, 'files'),
        packs: patternsOf(document, 'packs'),
        valid: { document: sound, value },
        settings: readSettings(sound, value),
        severities: readSeverities(value),
        following: followingCodes(errors),
        diagnostics: [
          ...diagnostics,
          ...found,
          ...checkDays(sound, value, today),
          ...checkTimeZone(sound, value),
          ...checkSeverities(sound, value),
        ],
      };
}

/** Returns the patterns of a file that does not parse, from keys above the one with the first error; the rest of the file is lost. */
function patternsBefore(
  source: SourceText,
  diagnostics: readonly Diagnostic[],
): Pick<ProjectFile, 'patterns' | 'packs' | 'following'> {
  const first = Math.min(...diagnostics.map(({ where }) => where?.start.line ?? 1));
  const heads = source.lineStarts
    .slice(0, first)
    .filter((start) => /[\w"']/u.test(source.text.charAt(start)));
  const { document } = parseYaml(sourceText(source.path, source.text.slice(0, heads.at(-1) ?? 0)));
  return document === undefined || isAnotherVersion(errorsIn(document, validateProject))
    ? NOTHING
    : {
        patterns: patternsOf(document, 'files'),
        packs: patternsOf(document, 'packs'),
        following: new Set(FOLLOWING.values()),
      };
}

/** Returns the document with the keys that have no error, and with placeholders for missing required keys. */
function soundPart(document: YamlDocument, errors: readonly SchemaError[]): YamlDocument {
  return errors.length === 0
    ? document
    : {
        ...document,
        value: { version: 1, files: ['*'], ...omit(objectOf(document.value), errors.map(keyOf)) },
      };
}

/** The key of the document that an error is about. */
function keyOf(error: SchemaError): string {
  return error.path[0] ?? param(error, 'additionalProperty');
}

/** Whether the file names another version of the format, whose meaning is unknown. */
function isAnotherVersion(errors: readonly SchemaError[]): boolean {
  return errors.some(({ path: [key] }) => key === 'version');
}

/** Returns the codes that errors of this file would cause in others. An unknown key may have been meant as any key. */
function followingCodes(errors: readonly SchemaError[]): ProjectFile['following'] {
  const lost = errors.some(({ keyword, path }) => keyword === 'additionalProperties' && path.length === 0)
    ? [...FOLLOWING.keys()]
    : errors.map(keyOf);
  return new Set(lost.flatMap((key) => FOLLOWING.get(key) ?? []));
}

/** Returns the patterns that can be made out, whatever else the file says. */
function patternsOf(document: YamlDocument, key: 'files' | 'packs'): readonly FilePattern[] {
  const written = objectOf(document.value)[key];
  return listOf(written).flatMap((pattern, index) =>
    typeof pattern === 'string' && pattern !== ''
      ? [{ pattern, where: locateValue(document, [key, index]) }]
      : [],
  );
}
