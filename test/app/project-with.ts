import { expect } from 'vitest';
import { loadTexts } from '../../src/config/load-text.ts';
import { homeOf, newSettings } from '../../src/app/import/home.ts';
import { sourceText } from '../../src/config/source-text.ts';

/** A project of one file, which has no errors, as an import finds it. */
export function projectWith(file: string, text: string): ReturnType<typeof homeOf> {
  const { scopes, diagnostics } = loadTexts([sourceText(file, text)], newSettings());
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const project = {
    root: '/nowhere',
    file: 'rulewright.yaml',
    settings: newSettings(),
    severities: new Map<string, never>(),
    suppressions: [],
    scopes,
    files: [file],
    packs: [],
  };
  return homeOf(project, new Map([[file, text]]));
}
