import { expect, test } from 'vitest';
import { addPatterns, addVariables, sourceText } from '../../../src/config/index.ts';

const OFFICE = { name: 'office', value: ['192.0.2.1', 7], above: ['Where we sit.', 'Ask\nAnn.'] };
const TEAM = { name: 'team', value: 'edge', above: [] };

test.each([
  [
    'a project without any',
    '# Ours.\nversion: 1\nfiles: [zones/*.yaml] # all\n',
    '# Ours.\nversion: 1\nfiles: [zones/*.yaml] # all\nvars:\n  # Where we sit.\n  # Ask Ann.\n  office: [192.0.2.1, 7]\n  team: edge\n',
  ],
  [
    'a project with some',
    'version: 1\nvars:\n  # How many.\n  most: 3\nfiles: [zones/*.yaml]\n',
    'version: 1\nvars:\n  # How many.\n  most: 3\n  # Where we sit.\n  # Ask Ann.\n  office: [192.0.2.1, 7]\n  team: edge\nfiles: [zones/*.yaml]\n',
  ],
])('variables are added to %s', (_what, before, after) => {
  expect(addVariables(sourceText('rulewright.yaml', before), [OFFICE, TEAM]).text).toBe(after);
});

test.each([
  [
    'files: [zones/*.yaml] # ours\n',
    'files: [zones/*.yaml, accounts/*.yaml] # ours\npacks: [packs/*.yaml]\n',
  ],
  [
    'files:\n  - zones/*.yaml # ours\n# Ours.\nvars: { a: b }\n',
    'files:\n  - zones/*.yaml # ours\n  - accounts/*.yaml\npacks: [packs/*.yaml]\n# Ours.\nvars: { a: b }\n',
  ],
  [
    'packs:\n  - ours/*.yaml\nfiles: [zones/*.yaml]\n',
    'packs:\n  - ours/*.yaml\n  - packs/*.yaml\nfiles: [zones/*.yaml, accounts/*.yaml]\n',
  ],
])('patterns are added to %j', (before, after) => {
  const source = sourceText('rulewright.yaml', before);
  expect(addPatterns(source, { files: ['accounts/*.yaml'], packs: ['packs/*.yaml'] })).toBe(after);
  expect(addPatterns(source, { files: [], packs: [] })).toBe(before);
});
