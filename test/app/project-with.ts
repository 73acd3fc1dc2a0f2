import { expect } from 'vitest';
import { loadTexts } from '../../src/config/load-text.ts';
import { destinationOf, newDestination } from '../../src/app/import/destination.ts';
import { sourceText } from '../../src/config/source/source-text.ts';

/** The path of the pack, if the project has one. */
const PACK = 'packs/pack.yaml';

/** The import destination of a project with one file, and at most one pack; fails if the project has errors. */
export function projectWith(file: string, text: string, pack?: string): ReturnType<typeof destinationOf> {
  const packs = pack === undefined ? [] : [sourceText(PACK, pack)];
  const { scopes, diagnostics } = loadTexts(
    [sourceText(file, text)],
    newDestination('', { environment: {} }).settings,
    {
      packs,
      file: sourceText('rulewright.yaml', ''),
      environment: {},
      variables: new Map(),
    },
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const project = {
    root: '/nowhere',
    file: 'rulewright.yaml',
    selected: [],
    settings: newDestination('', { environment: {} }).settings,
    severities: new Map<string, never>(),
    suppressions: [],
    switchedOff: [],
    scopes,
    files: [file],
    packs: packs.map(({ path }) => path),
  };
  return destinationOf(
    project,
    new Map([[file, text], ...packs.map((one) => [one.path, one.text] as const)]),
  );
}
