import { describe, expect, test } from 'vitest';

import { corpusFiles, corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';
import { filter, firewallRule } from './shapes/firewall.ts';
import { listItem, listShape } from './shapes/lists.ts';
import { ruleset, rulesetHead } from './shapes/rulesets.ts';
import { either, list, misfits, nothing, object, id } from './shapes/shape.ts';
import type { Shape } from './shapes/shape.ts';
import {
  migrationCheck,
  migrationConfig,
  migrationStatus,
  wafGroup,
  wafOverride,
  wafPackage,
  wafRule,
} from './shapes/waf.ts';
import { lockdown, pageRule, rateLimit, userAgentRule } from './shapes/zone-objects.ts';

// The answers of the emulator fit the shapes (shapes.test.ts); here recorded answers are compared with the same shapes.

const many = (one: Shape): Shape => either(list(one), one);
const deleted = either(object({ id }), list(object({ id })), nothing);

/** Which samples are of which shape, by folder and name. */
const kinds: readonly (readonly [RegExp, Shape])[] = [
  [/recorded-lists\//u, many(either(listShape, listItem))],
  [/recorded-rulesets\//u, either(list(rulesetHead), ruleset)],
  [/delete/u, deleted],
  [/firewall-rule/u, many(firewallRule)],
  [/filter/u, many(filter)],
  [/rate-limit/u, many(rateLimit)],
  [/page-rule/u, many(pageRule)],
  [/lockdown/u, many(lockdown)],
  [/user-agent/u, many(userAgentRule)],
  [/waf-group/u, many(wafGroup)],
  [/waf-rule/u, many(wafRule)],
  [/waf-override/u, many(wafOverride)],
  [/waf-package/u, many(wafPackage)],
  [/waf-migration\/check/u, migrationCheck],
  [/waf-migration\/config/u, migrationConfig],
  [/waf-migration\/status/u, migrationStatus],
];

const FOLDERS = [
  'recorded-rulesets',
  'recorded-lists',
  'recorded-legacy',
  'legacy-firewall-rules',
  'legacy-filters',
  'legacy-rate-limits',
  'legacy-page-rules',
  'legacy-lockdowns',
  'legacy-waf',
  'waf-migration',
];

/** Families that are not part of this service. */
const ELSEWHERE =
  /access-rule|bot-management|custom-pages|managed-|normalization|leaked|snippet|zone-\d|zone-setting|-object/u;

/** How old or hand-edited samples differ from all newer sources, and so from the shapes. */
const known: readonly (readonly [RegExp, RegExp, string])[] = [
  [/override-remapping/u, /\/rules\/\d+\/(?:id|version|ref): is missing/u, 'recorded before 2022'],
  [/empty-rules-to-rulesets/u, /a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6/u, 'an id that was written by hand'],
];

/** False for request bodies, refusals, and samples with a placeholder instead of the object. */
function isWhole(body: unknown): boolean {
  const { result, success } = body as { readonly result?: unknown; readonly success?: boolean };
  const text = JSON.stringify(result);
  return success === true && text !== undefined && !/^\[?0\]?$/u.test(text);
}

describe.skipIf(corpusFolder === undefined)(`recorded answers fit the shapes (${WITHOUT_CORPUS})`, () => {
  const samples = FOLDERS.flatMap((folder) =>
    corpusFiles(`samples/${folder}`).map(([name, body]) => [`${folder}/${name}`, body] as const),
  ).filter(([name, body]) => !ELSEWHERE.test(name) && isWhole(body));

  test('number more than a hundred', () => {
    expect(samples.length).toBeGreaterThan(100);
  });

  test.each(samples)('%s', (name, body) => {
    const shape = kinds.find(([pattern]) => pattern.test(name))?.[1];
    const { result } = body as { readonly result: unknown };
    const problems = shape === undefined ? ['no shape'] : misfits(shape, result);
    const isKnown = (problem: string) =>
      known.some(([file, pattern]) => file.test(name) && pattern.test(problem));
    expect(problems.filter((problem) => !isKnown(problem))).toEqual([]);
  });
});
