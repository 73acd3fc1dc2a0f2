import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { brief, loadFiles } from '../config/project-folder.ts';

const [, EMERGENCY = ''] = readFileSync('docs/gitops.md', 'utf8').split(/^## An emergency$/mu);

/** The example files of the recipe in their order: the pack for a good day, the zones, the pack for a bad day. */
const FILES = [...(EMERGENCY.split(/^## /mu)[0] ?? '').matchAll(/^```yaml\n# (\S+)\n(.*?)^```$/gmsu)].map(
  ([, path = '', text = '']) => [path, text] as const,
);

const PROJECT = `version: 1
files: [zones/*.yaml]
packs: [packs/*.yaml]
`;
const BASELINE = `pack: baseline
rules:
  - { ref: shop-admin, expression: 'starts_with(http.request.uri.path, "/admin")', action: block }
`;

test.each([
  ['good', FILES.slice(0, 2), 2],
  ['bad', FILES.slice(1), 4],
])('the emergency recipe of docs/gitops.md is valid on a %s day', async (_, files, rules) => {
  const result = await loadFiles({
    'rulewright.yaml': PROJECT,
    'packs/baseline.yaml': BASELINE,
    ...Object.fromEntries(files),
  });
  expect(result.diagnostics.map((one) => brief(one))).toEqual([]);
  const rulesets = result.kind === 'loaded' ? result.project.scopes.flatMap((one) => one.rulesets) : [];
  expect(rulesets.flatMap((one) => one.rules)).toHaveLength(rules);
});
