import { list, object, opaque, text, word } from '../decode/shape.ts';
import type { Members, ValueOf } from '../decode/shape.ts';
import { listSeedShape } from '../lists/seed.ts';
import { firewallSeedFields } from '../firewall/seed.ts';
import { ruleShape } from '../rulesets/body.ts';
import { planLevels } from '../records/directory.ts';
import { tokensShape, userSeedShape } from './users.ts';
import { wafSeedFields } from '../waf/seed.ts';

const ruleset = object(
  {
    id: text({ pattern: /^[0-9a-f]{32}$/u }),
    name: text({ min: 1 }),
    kind: word('custom', 'root', 'zone'),
    phase: text({ min: 1 }),
    description: text(),
    version: text({ pattern: /^[0-9]+$/u }),
    rules: list(ruleShape),
    // Members that only answers have: accepted, so that an answer can be used as a seed.
    last_updated: opaque,
    source: opaque,
  },
  { required: ['kind', 'phase'] },
);

const scope = {
  id: text({ pattern: /^[0-9a-f]{32}$/u }),
  name: text({ min: 1 }),
  plan: word(...planLevels),
  features: list(text({ min: 1 })),
  rulesets: list(ruleset),
};

/** A ruleset in a seed. */
export type RulesetSeed = ValueOf<typeof ruleset>;

/** A zone or account in a seed. */
export type ScopeSeed = Members<typeof scope, 'name'>;

/** The form of a seed: the state that an emulator starts with and that a reset restores. */
export const seedShape = object(
  {
    version: { kind: 'integer', oneOf: [1] },
    email: text({ min: 3 }),
    key: text({ pattern: /^[0-9a-f]{37}$/u }),
    token: text({ pattern: /^[A-Za-z0-9_-]{1,}$/u }),
    tokens: tokensShape,
    users: list(userSeedShape),
    accounts: list(object({ ...scope, lists: list(listSeedShape) }, { required: ['name'] }), { min: 1 }),
    zones: list(
      object(
        { ...scope, ...wafSeedFields, ...firewallSeedFields, account: text({ min: 1 }) },
        { required: ['name'] },
      ),
    ),
  },
  { required: ['version', 'accounts'] },
);

/** A seed, decoded. */
export type Seed = ValueOf<typeof seedShape>;
