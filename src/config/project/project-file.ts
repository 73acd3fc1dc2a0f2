import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';
import { DEFAULT_SAFETY } from '../../model/settings.ts';
import type { Severities } from '../lint/severities.ts';
import { checkSeverities, readSeverities } from '../lint/severities.ts';
import { validateProject } from '../generated/validators.mjs';
import { validateDocument } from '../schema/validate-document.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import type { FilePattern } from './list-files.ts';
import type { ReadSource } from './read-source.ts';
import type { Settings } from './settings.ts';
import { checkDays, readSettings } from './settings.ts';

/** What the project file says. Where it is not valid, patterns that can be made out are still followed. */
export interface ProjectFile {
  readonly patterns: readonly FilePattern[];
  /** Of pack files. */
  readonly packs: readonly FilePattern[];
  /** The file itself, when it is valid. */
  readonly valid?: { readonly document: YamlDocument; readonly value: ProjectDocument };
  readonly settings: Settings;
  readonly severities: Severities;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settings while the project file cannot be read; nothing is done with them but to go on checking. */
const NO_SETTINGS: Settings = {
  ownership: { rules: { kind: 'all' }, rulesets: 'declared' },
  safety: DEFAULT_SAFETY,
  ignore: [],
};

const NOTHING = {
  patterns: [],
  packs: [],
  settings: NO_SETTINGS,
  severities: new Map<string, never>(),
} as const;

/** Parses and checks the project file. */
export function readProjectFile(read: ReadSource): ProjectFile {
  if (read.kind === 'unread') {
    return { ...NOTHING, diagnostics: [read.diagnostic] };
  }
  const { document, diagnostics } = parseYaml(read.source);
  if (document === undefined) {
    return { ...NOTHING, diagnostics };
  }
  const { value } = document;
  if (!validateProject(value)) {
    const found = validateDocument(document, validateProject);
    return { ...NOTHING, diagnostics: [...diagnostics, ...found] };
  }
  const patternsOf = (key: 'files' | 'packs'): readonly FilePattern[] =>
    (value[key] ?? []).map((pattern, index) => ({ pattern, where: locateValue(document, [key, index]) }));
  return {
    patterns: patternsOf('files'),
    packs: patternsOf('packs'),
    valid: { document, value },
    settings: readSettings(document, value),
    severities: readSeverities(value),
    diagnostics: [...diagnostics, ...checkDays(document, value), ...checkSeverities(document, value)],
  };
}
