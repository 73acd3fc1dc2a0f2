import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';
import { account, shop, startBench } from './bench.ts';
import type { RulesetView } from './bench.ts';

/** A write of the vendor's Terraform provider, with the ids of the ruleset and its rules in the answer that it got then. */
interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: { readonly rules?: readonly Readonly<Record<string, unknown>>[] };
  readonly answered: number;
  readonly id?: string;
  readonly rules?: readonly string[];
}

test.skipIf(corpusFolder === undefined)(
  `takes every write of the vendor's Terraform provider in its own tests, and answers what was written (${WITHOUT_CORPUS})`,
  async () => {
    const file = (name: string): string => readFileSync(join(corpusFolder ?? '', 'corpus', name), 'utf8');
    const seed = JSON.parse(file('provider-seed.json')) as { readonly token: string };
    const bench = await startBench({ seed });
    // Ids of then and of now; that both are maps says that an id was kept now exactly where it was kept then.
    const ids = new Map<string, string>();
    const before = new Map<string, string>();
    const pair = (then: string, now: string): void => {
      expect([ids.get(then) ?? now, before.get(now) ?? then]).toEqual([now, then]);
      ids.set(then, now);
      before.set(now, then);
    };
    const current = (text: string): string => text.replaceAll(/[0-9a-f]{32}/gu, (id) => ids.get(id) ?? id);
    const requests = file('provider-requests.jsonl').trim().split('\n');
    const headers = { authorization: `Bearer ${seed.token}` };
    const refused: unknown[] = [];
    const answers: (readonly [shown: object, wanted: object])[] = [];
    for (const line of requests) {
      const { method, path, body, answered, id, rules = [] } = JSON.parse(line) as ProviderRequest;
      const text = body === undefined ? undefined : current(JSON.stringify(body));
      const reply = await bench.call(method, current(path), text, headers);
      if (reply.status >= 300) {
        refused.push({ method, path, body, status: reply.status, text: reply.text });
        continue;
      }
      if (body?.rules !== undefined) {
        const { rules: sent = [], ...head } = JSON.parse(text ?? '{}') as NonNullable<
          ProviderRequest['body']
        >;
        const { rules: shown = [] } = reply.body.result;
        answers.push([
          { ...sameMembers(reply.body.result, head), rules: shown.map((rule, at) => asSent(rule, sent[at])) },
          { ...head, rules: sent.map(asAnswered) },
        ]);
      }
      if (answered === 400 && method === 'POST') {
        // Refused when this was recorded: the requests that follow know nothing of what it makes.
        await bench.call('DELETE', `${path}/${reply.body.result.id}`, undefined, headers);
      } else if (id !== undefined) {
        pair(id, reply.body.result.id);
        for (const [at, rule] of rules.entries()) {
          pair(rule, reply.body.result.rules?.[at]?.id ?? 'none');
        }
      }
    }
    expect(refused).toEqual([]);
    expect(answers.map(([shown]) => shown)).toEqual(answers.map(([, wanted]) => wanted));
    expect(requests.length).toBeGreaterThan(100);
  },
);

test.each([
  [
    account,
    '3b64149bfa6e4220bbbc2bd6db589552',
    'Cloudflare L3/4 DDoS Ruleset',
    'This is the Managed Cloudflare L3/4 DDoS Ruleset. Cloudflare routinely adds signatures to address new attack vectors. Additional configuration allows you to customize the sensitivity of each rule and the performed mitigation action.',
  ],
  [
    shop,
    '70339d97bdb34195bbf054b1ebe81f76',
    'Cloudflare Normalization Ruleset',
    'Created by the Cloudflare security team, this ruleset provides normalization on the URL path',
  ],
])(
  "names and describes the vendor's rulesets as its provider's tests expect (api.md 9.9): %s/rulesets, %s",
  async (scope, id, name, description) => {
    const bench = await startBench();
    const listed = await bench.ok<readonly RulesetView[]>('GET', `${scope}/rulesets`);
    expect(listed.find((each) => each.id === id)).toMatchObject({ name, description, kind: 'managed' });
  },
);

type Members = Readonly<Record<string, unknown>>;

/** The members of what is shown that what was sent has. */
function sameMembers(shown: object, sent: Members): object {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => Object.hasOwn(sent, name)));
}

/** What is shown of a rule, as far as it was sent: limits are completed. */
function asSent(shown: object, sent: Members = {}): object {
  const rule: Members = { ...sameMembers(shown, sent) };
  const { ratelimit } = sent;
  return isMembers(ratelimit) && isMembers(rule['ratelimit'])
    ? { ...rule, ratelimit: sameMembers(rule['ratelimit'], ratelimit) }
    : rule;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

/** What an answer has for a rule: all that was sent, but nothing that is empty. */
function asAnswered(rule: Members): object {
  return Object.fromEntries(
    Object.entries(rule).filter(([, value]) => value !== '' && JSON.stringify(value) !== '{}'),
  );
}
