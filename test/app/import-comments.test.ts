import { expect, test } from 'vitest';
import { importedFiles } from '../../src/app/import/imported-files.ts';
import type { ScopeFiles } from '../../src/app/import/scope-files.ts';
import type { ImportDestination } from '../../src/app/import/destination.ts';
import { newDestination } from '../../src/app/import/destination.ts';
import type { WholeScope } from '../../src/live/read-whole-scope.ts';
import type { JsonObject } from '../../src/data/json.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import { id, liveRule, liveRuleset } from '../plan/build.ts';
import { projectWith } from './project-with.ts';

// An import writes comments about what a file cannot declare. A later import updates them and touches nothing else.

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const FILE = 'zones/shop.example.yaml';
const BOTS: LiveRuleset = { ...liveRuleset([liveRule(9)]), id: id(0x21), phase: 'http_request_sbfm' };
const STRANGE: LiveRuleset = {
  ...liveRuleset([liveRule(8, { action: 'redirect' })]),
  id: id(0x22),
  phase: 'http_request_origin',
};
const NEWER: LiveRuleset = { ...liveRuleset([liveRule(7)]), id: id(0x23), phase: 'http_request_to_come' };

function world(rulesets: readonly LiveRuleset[]): WholeScope {
  return { scope: SCOPE, rulesets, unsure: [], catalogue: [] };
}

/** Two custom rules; the first has the given unknown fields and the given action parameters. */
function customRules(extra: JsonObject, parameters: JsonObject = {}): LiveRuleset {
  return liveRuleset([
    liveRule(1, { ref: 'first', extra, action: 'block', action_parameters: parameters }),
    liveRule(2, { ref: 'second', action: 'log' }),
  ]);
}

/** The text that an import writes, over the given file or a new one; undefined if it writes nothing. */
async function imported(whole: WholeScope, before?: string): Promise<string | undefined> {
  return (await importInto(whole, before, true)).texts.get(FILE);
}

function importInto(whole: WholeScope, before: string | undefined, unmanaged: boolean): Promise<ScopeFiles> {
  const destination: Exclude<ImportDestination, { kind: 'invalid' }> =
    before === undefined ? newDestination('/nowhere', { environment: {} }) : projectWith(FILE, before);
  const declared = destination.kind === 'project' ? destination.project.scopes[0] : undefined;
  const wanted = { kind: 'found', scope: SCOPE, name: SCOPE.name } as const;
  return importedFiles(whole, {
    destination,
    wanted: declared === undefined ? wanted : { ...wanted, declared },
    names: new Map(),
    sensitive: [],
    nameRules: false,
    unmanaged,
  });
}

/** Imports one state, adds a comment by hand, and imports another state: the edited text and what the second import writes. */
async function again(before: WholeScope, after: WholeScope) {
  const first = await imported(before);
  const edited = (first ?? '').replace('- ref: second', '# mine\n      - ref: second');
  expect(await imported(before, edited)).toBeUndefined();
  return { edited, second: await imported(after, edited) };
}

const RULES = customRules({});
const BY_BOTS = '#   http_request_sbfm: the bot settings write its rules, not this interface\n';
const UNFIT =
  '#   http_request_origin: rule 00000000000000000000000000000008: a file cannot declare it: the entry point of phase http_request_origin in a zone does not allow the action `redirect`\n';

test('an import updates the list of left-out rulesets, and deletes it with its last entry', async () => {
  const list = `\n# Left out, and so not touched:\n${BY_BOTS}${UNFIT}`;
  const less = await again(world([RULES, BOTS, STRANGE]), world([RULES, STRANGE]));
  expect(less.edited.endsWith(list)).toBe(true);
  expect(less.second).toBe(less.edited.replace(BY_BOTS, ''));
  const more = await again(world([RULES, STRANGE]), world([RULES, BOTS, STRANGE]));
  expect(more.second?.endsWith(list)).toBe(true);
  const none = await again(world([RULES, BOTS]), world([RULES]));
  expect(none.second).toBe(none.edited.replace(`\n# Left out, and so not touched:\n${BY_BOTS}`, ''));
});

test.each([
  [false, ['http_request_origin unfit']],
  [true, ['http_request_sbfm written-elsewhere', 'http_request_origin unfit']],
])(
  'an import reports rulesets that do not fit a file, and those written elsewhere only if asked for (unmanaged: %s)',
  async (unmanaged, told) => {
    const first = await imported(world([RULES]));
    const { leftOut } = await importInto(world([RULES, BOTS, STRANGE]), first, unmanaged);
    expect(leftOut.map(({ phase, code }) => `${phase} ${code}`)).toEqual(told);
  },
);

test('an import adds the comment that suppresses config/unknown-phase, for an entry point and a custom ruleset', async () => {
  const own = {
    ...liveRuleset([liveRule(6)]),
    id: id(0x24),
    kind: 'custom',
    name: 'Own',
    phase: NEWER.phase,
  } as const;
  const { second } = await again(world([RULES]), world([RULES, NEWER, own]));
  const comment =
    '# rulewright-disable-next-line config/unknown-phase: live has it, and this version does not know it\n';
  expect(second).toContain(`\n  ${comment}  http_request_to_come:\n    rules:\n`);
  expect(second).toContain(`  - name: Own\n    ${comment}    phase: http_request_to_come\n`);
  expect(await imported(world([RULES, NEWER, own]))).toContain(`\n  ${comment}  http_request_to_come:\n`);
  expect(await imported(world([RULES]), second)).not.toContain('phase: http_request_to_come');
});

test.each([
  ['written', { ...customRules({}), kind: 'custom', name: 'Sales ${x}' } as const, undefined],
  [
    'named by a variable',
    { ...customRules({}), kind: 'custom', name: 'Sales' } as const,
    'vars: { team: Sales }\n',
  ],
])(
  'an import removes a deleted custom ruleset from the file when its name is %s with `${`',
  async (_, sales, vars) => {
    const first = (await imported(world([RULES, { ...sales, id: id(0x31) }]))) ?? '';
    const file =
      vars === undefined
        ? first
        : first.replace('name: Sales', "name: '${team}'").replace('\nentry', `\n${vars}entry`);
    expect(file).toMatch(/name: .*\$\{/u);
    const second = await imported(world([RULES]), file);
    expect(second).toContain('entrypoints:');
    expect(second).not.toContain('rulesets:');
  },
);

test('an import keeps a comment that the user wrote below the list of left-out rulesets', async () => {
  const first = `${(await imported(world([RULES, BOTS]))) ?? ''}#   ask: Bob\n`;
  expect(await imported(world([RULES]), first)).toMatch(/action: log\n#   ask: Bob\n$/u);
  expect(await imported(world([RULES, BOTS]), first)).toBeUndefined();
});

test('an import adds no list of left-out rulesets to a file without one: the user may have removed it', async () => {
  const { edited, second } = await again(world([RULES]), world([RULES, BOTS]));
  expect(edited).not.toContain('Left out');
  expect(second).toBeUndefined();
});

test('an import updates or deletes the comment about an unknown live field along with the field', async () => {
  const about = (text: string): string =>
    `# live also has a field that this version does not know, and that stays as it is: ${text}\n`;
  const { edited, second } = await again(
    world([customRules({ new_field: 1, other: true })]),
    world([customRules({ new_field: 2 })]),
  );
  expect(edited).toContain(about('new_field: 1'));
  expect(second).toBe(
    edited.replace(about('new_field: 1'), about('new_field: 2')).replace(`      ${about('other: true')}`, ''),
  );
  const gone = await again(world([customRules({ new_field: 1 })]), world([customRules({})]));
  expect(gone.second).toBe(gone.edited.replace(`      ${about('new_field: 1')}`, ''));
});

test('an import comments an unknown field in up to five rules, and in none when six rules have it', async () => {
  const rules = (count: number) =>
    world([
      liveRuleset(
        Array.from({ length: count }, (_, index) =>
          liveRule(index + 1, {
            ref: `r${index + 1}`,
            extra: { new_field: index, ...(index === 0 ? { other: true } : {}) },
            action: 'block',
            action_parameters: { new_thing: 1 },
          }),
        ),
      ),
    ]);
  const comments = (text: string | undefined) => (text ?? '').match(/# (?:live also|not known).*$/gmu);
  expect(comments(await imported(rules(5)))).toHaveLength(5 + 1 + 5);
  const six = await imported(rules(6));
  expect(comments(six)).toEqual([
    '# live also has a field that this version does not know, and that stays as it is: other: true',
  ]);
  expect(six).toContain('extra_parameters:');
});

test('an import keeps and updates an earlier comment about an unknown field that many rules now have', async () => {
  const few = await imported(world([customRules({ new_field: 1 })]));
  const more = Array.from({ length: 6 }, (_, index) =>
    liveRule(index + 3, { ref: `more-${index}`, extra: { new_field: 1 }, action: 'log' }),
  );
  const [first, second] = customRules({ new_field: 2 }).rules;
  const many = [first, second, ...more].flatMap((rule) => rule ?? []);
  const after = await imported(world([liveRuleset(many)]), few);
  expect(after?.match(/stays as it is: .*$/gmu)).toEqual(['stays as it is: new_field: 2']);
});

test('an import deletes the comment about an unknown action parameter along with the parameter', async () => {
  const { edited, second } = await again(
    world([
      customRules(
        {},
        { response: { status_code: 403, content: 'x', content_type: 'text/plain' }, new_thing: 1 },
      ),
    ]),
    world([customRules({}, { response: { status_code: 403, content: 'x', content_type: 'text/plain' } })]),
  );
  expect(edited).toContain('# not known to this version, and not checked\n');
  expect(second).not.toContain('not known to this version');
  expect(second).toContain('# mine\n');
});

test('an import drops and reports a comment behind a removed key, and keeps comments on their own lines', async () => {
  const rule = (more: object) => liveRule(2, { ref: 'second', action: 'log', ...more });
  const before = world([liveRuleset([rule({ enabled: false, description: 'What for' })])]);
  const text = ((await imported(before)) ?? '')
    .replace('enabled: false', '# off for now\n        enabled: false # until Monday')
    .replace('description: What for', 'description: # says Bob\n          # and Ann\n          What for');
  expect(await imported(before, text)).toBeUndefined();
  const whole = world([liveRuleset([rule({ enabled: true, description: '' })])]);
  const { texts, dropped } = await importInto(whole, text, true);
  expect(texts.get(FILE)).toBe(
    text
      .replace('        enabled: false # until Monday\n', '')
      .replace('description: # says Bob\n          # and Ann\n          What for', '# and Ann'),
  );
  expect(dropped).toEqual([
    expect.stringMatching(/^zones\/shop\.example\.yaml:\d+: the comment # says Bob$/u),
    expect.stringMatching(/^zones\/shop\.example\.yaml:\d+: the comment # until Monday$/u),
  ]);
});

test('an import reports a removed rule, and not each of the comments removed with it', async () => {
  const first = liveRule(1, { ref: 'first', action: 'log' });
  const before = world([liveRuleset([first, liveRule(2, { ref: 'second', action: 'log' })])]);
  const text = ((await imported(before)) ?? '')
    .replace('- ref: second', '# mine\n      - ref: second # too')
    .replace('- ref: first', '- ref: first # too');
  const { removed, dropped } = await importInto(world([liveRuleset([first])]), text, true);
  expect(removed).toHaveLength(1);
  expect(dropped).toEqual([]);
});
