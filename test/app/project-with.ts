import { expect } from 'vitest';
import { loadTexts } from '../../src/config/load-text.ts';
import { destinationOf, newSettings } from '../../src/app/import/destination.ts';
import { sourceText } from '../../src/config/source/source-text.ts';

/** A project of one file, which has no errors, as an import finds it. */
export function projectWith(file: string, text: string): ReturnType<typeof destinationOf> {
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
  return destinationOf(project, new Map([[file, text]]));
}
