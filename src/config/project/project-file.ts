import type { Diagnostic } from '../../model/diagnostic.ts';
import { DEFAULT_SAFETY } from '../../model/settings.ts';
import { validateProject } from '../generated/validators.mjs';
import { validateDocument } from '../schema/validate-document.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { FilePattern } from './list-files.ts';
import type { ReadSource } from './read-source.ts';
import type { Settings } from './settings.ts';
import { checkDays, readSettings } from './settings.ts';

/** What the project file says. Where it is not valid, patterns that can be made out are still followed. */
export interface ProjectFile {
  readonly patterns: readonly FilePattern[];
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settings while the project file cannot be read; nothing is done with them but to go on checking. */
const NO_SETTINGS: Settings = {
  ownership: { rules: { kind: 'all' }, rulesets: 'declared' },
  safety: DEFAULT_SAFETY,
  ignore: [],
};

/** Parses and checks the project file. */
export function readProjectFile(read: ReadSource): ProjectFile {
  if (read.kind === 'unread') {
    return { patterns: [], settings: NO_SETTINGS, diagnostics: [read.diagnostic] };
  }
  const { document, diagnostics } = parseYaml(read.source);
  if (document === undefined) {
    return { patterns: [], settings: NO_SETTINGS, diagnostics };
  }
  const { value } = document;
  if (!validateProject(value)) {
    const found = validateDocument(document, validateProject);
    return { patterns: [], settings: NO_SETTINGS, diagnostics: [...diagnostics, ...found] };
  }
  return {
    patterns: value.files.map((pattern, index) => ({
      pattern,
      where: locateValue(document, ['files', index]),
    })),
    settings: readSettings(document, value),
    diagnostics: [...diagnostics, ...checkDays(document, value)],
  };
}
