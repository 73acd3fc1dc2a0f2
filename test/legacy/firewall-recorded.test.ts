import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filters, firewallRules, rateLimits } from '../../src/legacy/legacy-objects.ts';
import { listPageRules } from '../../src/legacy/page-rules/page-rule.ts';
import type { ReadClient } from '../../src/api/client.ts';
import { startLoopback } from '../api/loopback.ts';
import { openReader } from '../api/open.ts';
import { id } from '../api/builders.ts';

const corpus = process.env['RULEWRIGHT_CORPUS'];

type Read = (client: ReadClient, zoneId: string) => Promise<readonly { readonly id: string }[]>;

const readers: readonly (readonly [RegExp, Read])[] = [
  [/legacy-firewall-rules|v\d-firewall-rule-|cf-firewall-rules--get--01|call-sequence/u, firewallRules.list],
  [/legacy-filters|v\d-filter-|cf-filters--get--01/u, filters.list],
  [/v\d-rate-limit-/u, rateLimits.list],
  [/v\d-page-rule-/u, listPageRules],
];

const folders = ['legacy-firewall-rules', 'legacy-filters', 'recorded-legacy', 'docs-responses'];

interface Recorded {
  readonly name: string;
  readonly text: string;
  readonly ids: readonly unknown[];
  readonly read: Read;
}

const recorded: readonly Recorded[] = (corpus === undefined ? [] : folders).flatMap((folder) =>
  readdirSync(join(corpus ?? '', 'samples', folder)).flatMap((file) => {
    const name = `${folder}/${file}`;
    const read = readers.find(([pattern]) => pattern.test(name))?.[1];
    const text = readFileSync(join(corpus ?? '', 'samples', name), 'utf8');
    const { result } = JSON.parse(text) as { result: unknown };
    return read === undefined || !Array.isArray(result)
      ? []
      : [{ name, text, ids: result.map((item: { id: unknown }) => item.id), read }];
  }),
);

describe.skipIf(corpus === undefined)(
  'recorded answers of the old interfaces (skipped: RULEWRIGHT_CORPUS is not set)',
  () => {
    test('include all four kinds of objects', () => {
      expect(new Set(recorded.map(({ read }) => read)).size).toBe(readers.length);
    });

    test.each(recorded.map((one) => [one.name, one] as const))(
      '%s decodes with all its objects',
      async (_, { text, ids, read }) => {
        const server = await startLoopback((_seen, response) => response.end(text));
        const items = await read(openReader(server.baseUrl).client, id(1));
        expect(items.map((item) => item.id)).toEqual(ids);
      },
    );
  },
);
