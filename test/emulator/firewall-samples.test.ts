import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { Reply } from './bench.ts';
import { corpusFiles, corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';
import { freshFilter, startFirewall } from './firewall-bench.ts';
import type { FirewallBench } from './firewall-bench.ts';

type Json = { readonly [key: string]: unknown };

interface Family {
  /** Which samples are of this family, by name. */
  readonly samples: RegExp;
  readonly path: string;
  /** The member of the seed. */
  readonly seed: string;
  /** Makes a sampled object valid: a few hand-made ones hold what the service would refuse. */
  readonly repair?: (object: Json) => Json;
}

const families: readonly Family[] = [
  {
    samples: /legacy-firewall-rules|v\d-firewall-rule|cf-firewall-rules|call-sequence/u,
    path: 'firewall/rules',
    seed: 'firewall_rules',
    repair: (rule) => (rule['products'] === undefined ? rule : { ...rule, action: 'bypass' }),
  },
  { samples: /legacy-filters|v\d-filter|cf-filters--(?!validation)/u, path: 'filters', seed: 'filters' },
  {
    samples: /legacy-rate-limits|v\d-rate-limit/u,
    path: 'rate_limits',
    seed: 'rate_limits',
    repair: (limit) => ({ ...limit, period: Math.max(10, Number(limit['period'])) }),
  },
  { samples: /legacy-page-rules|v\d-page-rule/u, path: 'pagerules', seed: 'page_rules' },
  { samples: /legacy-lockdowns|v\d-zone-lockdown/u, path: 'firewall/lockdowns', seed: 'lockdowns' },
  { samples: /user-agent-blocking/u, path: 'firewall/ua_rules', seed: 'ua_rules' },
];

const folders = [
  'legacy-firewall-rules',
  'legacy-filters',
  'legacy-rate-limits',
  'legacy-page-rules',
  'legacy-lockdowns',
  'recorded-legacy',
  'docs-responses',
];

interface Sample {
  readonly name: string;
  readonly family: Family;
  readonly body: Json;
  readonly objects: readonly Json[];
}

const samples: readonly Sample[] = folders.flatMap((folder) =>
  corpusFiles(`samples/${folder}`).flatMap(([file, content]) => {
    const name = `${folder}/${file}`;
    const family = families.find((each) => each.samples.test(name));
    const body = content as Json;
    const result = 'success' in body ? body['result'] : body;
    const objects = [result].flat().filter((item): item is Json => typeof item === 'object' && item !== null);
    return family === undefined ? [] : [{ name, family, body, objects }];
  }),
);

const whole = samples.filter(({ objects }) => objects.some((object) => Object.keys(object).length > 1));

function hexId(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The objects with valid ids, no two the same. */
function seedable({ name, family, objects }: Sample): readonly Json[] {
  return objects.map((object, index) => {
    const filter = object['filter'] as Json | undefined;
    const own = { ...object, id: hexId(name, index) };
    const seeded =
      filter === undefined ? own : { ...own, filter: { ...filter, id: hexId(name, index, 'filter') } };
    return family.repair?.(seeded) ?? seeded;
  });
}

const DATES = { created_on: expect.any(String) as unknown, modified_on: expect.any(String) as unknown };

describe.skipIf(corpusFolder === undefined)(`sampled answers of the old families (${WITHOUT_CORPUS})`, () => {
  test('cover every family with more than 25 whole samples', () => {
    const counts = families.map((family) => whole.filter((sample) => sample.family === family).length);
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(whole.length).toBeGreaterThan(25);
  });

  test.each(whole.map((sample) => [sample.name, sample] as const))(
    '%s comes back with the same members',
    async (_, sample) => {
      const expected = seedable(sample);
      const bench = await startFirewall({ plan: 'enterprise', more: { [sample.family.seed]: expected } });
      const path = `${bench.zone}/${sample.family.path}`;
      const reply = await bench.call<readonly Json[]>('GET', path);
      const listed = new Map(reply.body.result.map((object) => [object['id'], object]));
      expect(listed.size).toBe(expected.length);
      for (const object of expected) {
        const dated = 'created_on' in object ? { ...object, ...DATES } : object;
        expect(listed.get(object['id'])).toEqual(dated);
        expect(await bench.ok('GET', `${path}/${String(object['id'])}`)).toEqual(dated);
      }
      const info = sample.family.path === 'pagerules' ? {} : (sample.body['result_info'] ?? {});
      const shown = Object.keys(reply.body.result_info ?? {});
      expect(Object.keys(info).filter((key) => !shown.includes(key))).toEqual([]);
    },
  );

  const sampled = (name: string): Json => {
    const [, content] = folders
      .flatMap((folder) => corpusFiles(`samples/${folder}`))
      .find(([file]) => file === `${name}.json`) ?? ['', {}];
    return content as Json;
  };

  test.each([
    ['firewall--api--cf-firewall-rules--delete--01', 'rules', 2],
    ['firewall--api--cf-firewall-rules--delete--02', 'rules', 1],
    ['firewall--api--cf-filters--delete--01', 'filters', 2],
    ['firewall--api--cf-filters--delete--02', 'filters', 1],
  ] as const)('%s: a deletion answers with ids', async (name, family, count) => {
    const bench = await startFirewall();
    const made =
      family === 'rules'
        ? await bench.create({}, {})
        : await bench.ok<readonly { readonly id: string }[]>('POST', bench.filtersPath, [
            freshFilter(),
            freshFilter(),
          ]);
    const base = family === 'rules' ? bench.rulesPath : bench.filtersPath;
    const path =
      count === 1 ? `${base}/${made[0]?.id}` : `${base}?${made.map(({ id }) => `id=${id}`).join('&')}`;
    const reply = await bench.call('DELETE', path);
    const ids = made.slice(0, count).map(({ id }) => ({ id }));
    expect(reply.body).toEqual({ ...sampled(name), result: ids });
  });

  test.each(['01', '02'])(
    'firewall--api--cf-filters--validation--%s: the message up to the reason, and the envelope',
    async (number) => {
      const bench = await startFirewall();
      const body = sampled(`firewall--api--cf-filters--validation--${number}`);
      const [{ message }] = body['errors'] as [{ readonly message: string }];
      const expression = /`(.*)`/u.exec(message)?.[1];
      const reply = await bench.call('POST', '/filters/validate-expr', { expression });
      // The engine's words for a reason changed over the years; all the rest is as it was.
      const upToReason = message.slice(0, message.lastIndexOf('^') + 2);
      expect(reply.body).toEqual({
        ...body,
        errors: [{ message: expect.stringMatching(/\n$/u) as unknown }],
      });
      expect(reply.body.errors[0]?.message.startsWith(upToReason)).toBe(true);
    },
  );
});

/** How to cause each sampled error of the old families. */
const causes: Readonly<Record<string, (bench: FirewallBench) => Promise<Reply<unknown>>>> = {
  'legacy-10020-maintenance-mode': async (bench) => {
    await bench.control('PUT', '/zones/z.example/firewall', { interface: 'maintenance' });
    return bench.call('POST', bench.filtersPath, []);
  },
  'legacy-10021-rate-limit-not-entitled': async (bench) => {
    const limit = { match: {}, threshold: 2, period: 60, action: { mode: 'challenge' } };
    await bench.ok('POST', `${bench.zone}/rate_limits`, limit);
    return bench.call('POST', `${bench.zone}/rate_limits`, limit);
  },
  'legacy-10102-duplicate-filter': async (bench) => {
    await bench.ok('POST', bench.filtersPath, [{ expression: 'ssl' }]);
    return bench.call('POST', bench.filtersPath, [{ expression: 'ssl' }]);
  },
  'legacy-10202-filter-at-index': async (bench) => {
    await bench.create({ filter: { expression: 'ssl' } });
    return bench.call('POST', bench.rulesPath, [{ action: 'block', filter: { expression: 'ssl' } }]);
  },
  'rate-limits-validation': (bench) =>
    bench.call('POST', `${bench.zone}/rate_limits`, {
      match: {},
      threshold: 0,
      period: 0,
      action: { mode: 'challenge' },
    }),
};

describe.skipIf(corpusFolder === undefined)(`sampled errors of the old families (${WITHOUT_CORPUS})`, () => {
  const errors = new Map(
    corpusFiles('samples/errors').map(([name, content]) => [name.replace('.json', ''), content as Json]),
  );

  test.each(Object.entries(causes))('%s', async (name, cause) => {
    const bench = await startFirewall({ plan: 'free' });
    const reply = await cause(bench);
    expect({ http_status: reply.status, body: reply.body }).toEqual(errors.get(name));
  });
});
