import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';
import { startBench } from './bench.ts';

/** A write of the vendor's Terraform provider, with the id in the answer that it got then. */
interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly answered: number;
  readonly id?: string;
}

interface SentRule {
  readonly action_parameters?: object;
}

test.skipIf(corpusFolder === undefined)(
  `takes every write of the vendor's Terraform provider in its own tests (${WITHOUT_CORPUS})`,
  async () => {
    const file = (name: string): string => readFileSync(join(corpusFolder ?? '', 'corpus', name), 'utf8');
    // Some overrides and exceptions of these tests name managed rules that the built-in catalogue lacks.
    const seed = JSON.parse(file('provider-seed.json')) as { readonly token: string };
    const bench = await startBench({
      seed,
      switches: { managedRules: 'any' },
    });
    const ids = new Map<string, string>();
    const current = (text: string): string => text.replaceAll(/[0-9a-f]{32}/gu, (id) => ids.get(id) ?? id);
    const requests = file('provider-requests.jsonl').trim().split('\n');
    const headers = { authorization: `Bearer ${seed.token}` };
    const refused: unknown[] = [];
    const echoes: (readonly [sent: object, shown: object])[] = [];
    for (const line of requests) {
      const { method, path, body, answered, id } = JSON.parse(line) as ProviderRequest;
      const sent = body === undefined ? undefined : current(JSON.stringify(body));
      const reply = await bench.call(method, current(path), sent, headers);
      if (reply.status >= 300) {
        refused.push({ method, path, body, status: reply.status, text: reply.text });
      } else if (answered === 400 && method === 'POST') {
        // Refused when this was recorded: the requests that follow know nothing of what it makes.
        await bench.call('DELETE', `${path}/${reply.body.result.id}`, undefined, headers);
      } else if (id !== undefined) {
        ids.set(id, reply.body.result.id);
        const { rules = [] } = JSON.parse(sent ?? '{}') as { readonly rules?: readonly SentRule[] };
        for (const [at, { action_parameters: given = {} }] of rules.entries()) {
          const { action_parameters: shown = {} } = reply.body.result.rules?.[at] ?? {};
          echoes.push([given, Object.fromEntries(Object.keys(given).map((key) => [key, shown[key]]))]);
        }
      }
    }
    expect(refused).toEqual([]);
    // What was written comes back in the same form.
    expect(echoes.map(([, shown]) => shown)).toEqual(echoes.map(([sent]) => sent));
    expect(requests.length).toBeGreaterThan(100);
  },
);
