import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/data/json.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import { nameTargets } from '../../../src/plan/names/resolve-targets.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { propertyRuns } from '../../property-runs.ts';
import { describeWay } from '../../../src/simulate/describe-way.ts';
import { prepareScope } from '../../../src/simulate/prepare.ts';
import { evaluationOf } from '../../../src/simulate/read-lists.ts';
import { simulate } from '../../../src/simulate/simulate.ts';
import { custom, entry, scenario, zone } from '../../simulate/build.ts';
import {
  CACHE,
  CONFIG,
  CUSTOM,
  HEADERS,
  MANAGED,
  REDIRECT,
  RESPONSE_HEADERS,
  TRANSFORM,
} from '../../simulate/phases.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import type { World } from '../world.ts';
import { carryOut, planned, read } from '../world.ts';

/** Rules of one ruleset by their refs, in order. */
type Rules = readonly (readonly [ref: string, content: RuleContent])[];
/** The rules of all rulesets, by phase; `shared` is the custom ruleset. */
type Files = Readonly<Record<string, Rules>>;
type Edit = (files: Files) => Files;

const SHARED_ID = id(0xabc);
const MANAGED_ID = 'efb7b8c949ac4650a09736fc376e9aee';
const EVE = 1_798_135_200;
const THEN = 'http.request.timestamp.sec';
const EVALUATION = evaluationOf({ office: ['203.0.113.0/24'] });

const addressOf = (name: string): RulesetAddress =>
  name === 'shared' ? { kind: 'custom', phase: CUSTOM, name: 'Shared' } : { kind: 'entrypoint', phase: name };

function worldOf(files: Files): World {
  return new Map(
    Object.entries(files).map(([name, rules], at) => {
      const address = addressOf(name);
      const live = rules.map(([ref, said], index) => ({ id: idOf(name, ref, index), ref, content: said }));
      const over = address.kind === 'custom' ? { name: address.name, kind: 'custom' as const } : {};
      const ruleset = liveRuleset(live, {
        id: address.kind === 'custom' ? SHARED_ID : id(0xf00 + at),
        phase: address.phase,
        ...over,
      });
      return [addressKey(address), ruleset];
    }),
  );
}

/** The id of a rule: the one that skips name is the first of the custom ruleset. */
function idOf(name: string, ref: string, index: number): string {
  return ref === 's0' ? id(200) : id(1000 * (Object.keys(BASE).indexOf(name) + 1) + index);
}

function planBetween(before: Files, after: Files) {
  const world = worldOf(before);
  const rulesets = Object.entries(after).map(([name, rules]) =>
    desiredRuleset(
      rules.map(([ref, said]) => ({ ref, adopt: false, content: said, cause: CAUSE })),
      { address: addressOf(name) },
    ),
  );
  const desired = {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets,
    cause: CAUSE,
  } as const;
  const addresses = Object.keys(after).map(addressOf);
  return { world, plan: planned(planScope(desired, read(world, addresses))) };
}

const kinds = ({ steps }: PlannedScope): Readonly<Record<string, string>> =>
  Object.fromEntries(
    steps.flatMap(({ changes }) => changes.map(({ ref, protection }) => [ref, protection.kind])),
  );

const rewrite = (over: JsonObject, expression = 'true'): RuleContent =>
  content({ action: 'rewrite', action_parameters: over, expression });
const header = (name: string, change: JsonObject): RuleContent => rewrite({ headers: { [name]: change } });
const redirect = (target: string): RuleContent =>
  content({
    action: 'redirect',
    expression: 'http.request.uri.path eq "/summer"',
    action_parameters: { from_value: { target_url: { value: target }, status_code: 302 } },
  });
const skip = (action_parameters: JsonObject, expression = 'true'): RuleContent =>
  content({ action: 'skip', action_parameters, expression });
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const LOGIN = 'http.request.uri.path eq "/login"';
const ACCOUNT = 'starts_with(http.request.uri.path, "/account")';

/** A zone in which something protects in every phase. */
const BASE: Files = {
  [REDIRECT]: [['summer', redirect('/sale')]],
  [TRANSFORM]: [],
  [CONFIG]: [
    ['tls', content({ action: 'set_config', expression: 'true', action_parameters: { ssl: 'strict' } })],
  ],
  [CUSTOM]: [
    ['admin', content({ expression: `${ADMIN} and not ip.src in $office` })],
    ['run', content({ action: 'execute', expression: 'true', action_parameters: { id: SHARED_ID } })],
    ['login', content({ action: 'managed_challenge', expression: LOGIN })],
    ['agents', content({ expression: 'http.user_agent contains "evil"' })],
  ],
  [MANAGED]: [
    [
      'waf',
      content({
        action: 'execute',
        expression: 'true',
        action_parameters: { id: MANAGED_ID, overrides: { enabled: true, action: 'block' } },
      }),
    ],
  ],
  [HEADERS]: [['identity', header('X-Remote-User', { operation: 'remove' })]],
  [CACHE]: [
    [
      'bypass',
      content({ action: 'set_cache_settings', expression: ACCOUNT, action_parameters: { cache: false } }),
    ],
  ],
  [RESPONSE_HEADERS]: [
    ['policy', header('Content-Security-Policy', { operation: 'set', value: "default-src 'self'" })],
  ],
  shared: [
    ['s0', content({ expression: 'http.request.uri.path eq "/wp-login.php"' })],
    ['s1', content({ expression: 'http.request.method eq "TRACE"' })],
  ],
};

const changed =
  (name: string, ref: string, over: (before: RuleContent) => RuleContent): Edit =>
  (files) => ({
    ...files,
    [name]: (files[name] ?? []).map(([one, said]) => [one, one === ref ? over(said) : said]),
  });
const without =
  (name: string, ref: string): Edit =>
  (files) => ({ ...files, [name]: (files[name] ?? []).filter(([one]) => one !== ref) });
const added =
  (name: string, ref: string, said: RuleContent): Edit =>
  (files) => ({ ...files, [name]: [[ref, said], ...(files[name] ?? [])] });
const parameters =
  (given: JsonObject) =>
  (before: RuleContent): RuleContent => ({ ...before, action_parameters: given });
const only =
  (condition: string) =>
  (before: RuleContent): RuleContent => ({
    ...before,
    expression: `(${before.expression}) and ${condition}`,
  });

/** Every rule of `BASE` that protects by itself. */
const PROTECTING: readonly (readonly [name: string, ref: string])[] = Object.entries(BASE).flatMap(
  ([name, rules]) => (name === REDIRECT ? [] : rules.map(([ref]) => [name, ref] as const)),
);

/** Harm that is certain, with the `ref` of the rule that is to blame. */
const HARM: readonly (readonly [what: string, ref: string, Edit])[] = [
  ...PROTECTING.flatMap(([name, ref]): readonly (readonly [string, string, Edit])[] => [
    [`${ref} is switched off`, ref, changed(name, ref, (before) => ({ ...before, enabled: false }))],
    [`${ref} is deleted`, ref, without(name, ref)],
    [`${ref} is narrowed to a host`, ref, changed(name, ref, only('http.host eq "a.shop.example"'))],
    [`${ref} spares a list`, ref, changed(name, ref, only('not ip.src in $partners'))],
    [`${ref} ends some day`, ref, changed(name, ref, only(`${THEN} lt ${EVE}`))],
    [`${ref} begins some day`, ref, changed(name, ref, only(`${THEN} ge ${EVE}`))],
  ]),
  ['admin only logs', 'admin', changed(CUSTOM, 'admin', (before) => ({ ...before, action: 'log' }))],
  ['login is softer', 'login', changed(CUSTOM, 'login', (before) => ({ ...before, action: 'js_challenge' }))],
  ['a skip comes first', 'pass', added(CUSTOM, 'pass', skip({ ruleset: 'current' }, ACCOUNT))],
  ['a skip of the WAF', 'pass', added(CUSTOM, 'pass', skip({ phases: [MANAGED] }, LOGIN))],
  [
    'a skip from some day on',
    'pass',
    added(CUSTOM, 'pass', skip({ products: ['waf'] }, `${THEN} ge ${EVE}`)),
  ],
  [
    'a challenge before a block',
    'soft',
    added(CUSTOM, 'soft', content({ action: 'js_challenge', expression: ADMIN })),
  ],
  [
    'a challenge inside, before a block',
    'soft',
    added('shared', 'soft', content({ action: 'js_challenge', expression: LOGIN })),
  ],
  ['a skip inside', 'pass', added('shared', 'pass', skip({ phase: 'current' }, LOGIN))],
  ['a skip of the rest inside', 'pass', added('shared', 'pass', skip({ ruleset: 'current' }))],
  [
    'an override that logs',
    'waf',
    changed(MANAGED, 'waf', parameters({ id: MANAGED_ID, overrides: { action: 'log' } })),
  ],
  [
    'an override that switches a category off',
    'waf',
    changed(
      MANAGED,
      'waf',
      parameters({
        id: MANAGED_ID,
        overrides: { enabled: true, action: 'block', categories: [{ category: 'sqli', enabled: false }] },
      }),
    ),
  ],
  [
    'a redirect out of the zone',
    'summer',
    changed(REDIRECT, 'summer', () => redirect('https://elsewhere.example/')),
  ],
  [
    'a redirect without TLS',
    'summer',
    changed(REDIRECT, 'summer', () => redirect('http://shop.example/sale')),
  ],
  [
    'a path that is hidden',
    'hide',
    added(TRANSFORM, 'hide', rewrite({ uri: { path: { value: '/' } } }, ADMIN)),
  ],
  ['no TLS at the origin', 'tls', changed(CONFIG, 'tls', parameters({ ssl: 'off' }))],
  [
    'a header of identity',
    'identity',
    changed(HEADERS, 'identity', () => header('X-Remote-User', { operation: 'set', value: 'root' })),
  ],
  ['accounts in the cache', 'bypass', changed(CACHE, 'bypass', parameters({ cache: true }))],
  [
    'scripts of everybody',
    'policy',
    changed(RESPONSE_HEADERS, 'policy', () =>
      header('Content-Security-Policy', { operation: 'set', value: 'script-src *' }),
    ),
  ],
  [
    'no policy',
    'policy',
    changed(RESPONSE_HEADERS, 'policy', () => header('Content-Security-Policy', { operation: 'remove' })),
  ],
];

const respelt = (before: RuleContent): RuleContent => ({ ...before, expression: `((${before.expression}))` });
const described = (before: RuleContent): RuleContent => ({ ...before, description: 'Reviewed' });

/** What does no harm. */
const HARMLESS: readonly (readonly [what: string, Edit])[] = [
  ...Object.entries(BASE).flatMap(([name, rules]) =>
    rules.flatMap(([ref]): readonly (readonly [string, Edit])[] => [
      [`${ref} is spelt otherwise`, changed(name, ref, respelt)],
      [`${ref} is described`, changed(name, ref, described)],
      [`${ref} says true twice`, changed(name, ref, only('true'))],
    ]),
  ),
  [
    'rules of the custom ruleset change places',
    (files) => ({ ...files, shared: [...(files['shared'] ?? [])].reverse() }),
  ],
  [
    'blocks change places',
    (files) => {
      const rules = files[CUSTOM] ?? [];
      const [first, ...rest] = rules.filter(([ref]) => ref === 'admin' || ref === 'agents').reverse();
      const others = rules.filter(([ref]) => ref !== 'admin' && ref !== 'agents');
      return { ...files, [CUSTOM]: [...(first === undefined ? [] : [first]), ...rest, ...others] };
    },
  ],
  ['a redirect within the zone', changed(REDIRECT, 'summer', () => redirect('https://shop.example/sale'))],
  [
    'another page when blocked',
    changed(
      CUSTOM,
      'admin',
      parameters({ response: { status_code: 404, content: 'no', content_type: 'text/plain' } }),
    ),
  ],
  ['a rule that logs', added(CUSTOM, 'note', content({ action: 'log', expression: 'true' }))],
  [
    'a header of no consequence',
    added(RESPONSE_HEADERS, 'shop', header('X-Shop', { operation: 'set', value: '1' })),
  ],
];

const runs = { numRuns: propertyRuns() };
const oneOrTwo = <Item>(items: readonly Item[]): fc.Arbitrary<readonly Item[]> =>
  fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 2 });

describe('an edit that is certain to harm', () => {
  it.each(HARM)('weakens: %s', (_what, ref, edit) => {
    expect(kinds(planBetween(BASE, edit(BASE)).plan)).toMatchObject({ [ref]: 'weakening' });
  });

  it('weakens together with another one of another rule', () => {
    const pair = oneOrTwo(HARM).filter(([one, other]) => other === undefined || one?.[1] !== other[1]);
    fc.assert(
      fc.property(pair, (edits) => {
        const after = edits.reduce((files, [, , edit]) => edit(files), BASE);
        const found = kinds(planBetween(BASE, after).plan);
        expect(edits.map(([, ref]) => found[ref])).toEqual(edits.map(() => 'weakening'));
      }),
      runs,
    );
  });
});

describe('an edit that does no harm', () => {
  it.each(HARMLESS)('is neutral: %s', (_what, edit) => {
    const { plan } = planBetween(BASE, edit(BASE));
    expect(new Set(Object.values(kinds(plan)))).toEqual(
      plan.steps.length === 0 ? new Set() : new Set(['neutral']),
    );
  });

  it('is neutral together with another one', () => {
    fc.assert(
      fc.property(oneOrTwo(HARMLESS), (edits) => {
        const { plan } = planBetween(
          BASE,
          edits.reduce((files, [, edit]) => edit(files), BASE),
        );
        expect(Object.values(kinds(plan)).filter((kind) => kind !== 'neutral')).toEqual([]);
      }),
      runs,
    );
  });
});

const CONDITIONS = [
  'true',
  ADMIN,
  LOGIN,
  'http.host eq "a.shop.example"',
  `${LOGIN} and http.host eq "a.shop.example"`,
  'ip.src in $office',
  'not ip.src in $office',
  `${THEN} lt ${EVE}`,
  `${ADMIN} and ${THEN} ge ${EVE}`,
];
const WHAT: readonly Partial<RuleContent>[] = [
  { action: 'block' },
  { action: 'block' },
  { action: 'managed_challenge' },
  { action: 'js_challenge' },
  { action: 'log' },
  skip({ ruleset: 'current' }),
];
const IN_ENTRY: readonly Partial<RuleContent>[] = [
  ...WHAT,
  skip({ rulesets: [SHARED_ID] }),
  skip({ rules: { [SHARED_ID]: [id(200)] } }),
  { action: 'execute', action_parameters: { id: SHARED_ID } },
];
const IN_SHARED: readonly Partial<RuleContent>[] = [...WHAT, skip({ phase: 'current' })];
const rewrites: readonly Partial<RuleContent>[] = [
  rewrite({ uri: { path: { value: '/' } } }),
  rewrite({ uri: { path: { value: '/admin' } } }),
  rewrite({ uri: { path: { expression: 'concat("/old", http.request.uri.path)' } } }),
];
const WHATS: Readonly<Record<string, readonly Partial<RuleContent>[]>> = {
  [TRANSFORM]: rewrites,
  [CUSTOM]: IN_ENTRY,
  shared: IN_SHARED,
};

const ruleOf = (name: string): fc.Arbitrary<RuleContent> =>
  fc
    .record({
      what: fc.constantFrom(...(WHATS[name] ?? [])),
      expression: fc.constantFrom(...CONDITIONS),
      enabled: fc.constantFrom(true, true, true, false),
    })
    .map(({ what, expression, enabled }) => content({ ...what, expression, enabled }));

const rulesOf = (name: string, least: number, most: number): fc.Arbitrary<Rules> =>
  fc
    .array(ruleOf(name), { minLength: least, maxLength: most })
    .map((rules) =>
      rules.map((one, at) => [`${name === 'shared' ? 's' : name === CUSTOM ? 'r' : 't'}${at}`, one]),
    );

const filesOf: fc.Arbitrary<Files> = fc.record({
  [TRANSFORM]: rulesOf(TRANSFORM, 0, 1),
  [CUSTOM]: rulesOf(CUSTOM, 1, 4),
  shared: rulesOf('shared', 1, 3),
});

/** Any edit of a rule that decides about requests, harmful or not. */
const anyEdit: fc.Arbitrary<Edit> = fc
  .constantFrom(TRANSFORM, CUSTOM, CUSTOM, 'shared', 'shared')
  .chain((name) =>
    fc
      .record({
        at: fc.nat(3),
        to: fc.nat(3),
        made: ruleOf(name),
        how: fc.constantFrom('switch', 'widen', 'act', 'replace', 'delete', 'add', 'move', 'move'),
      })
      .map(({ at, to, made, how }): Edit => (files) => {
        const rules = files[name] ?? [];
        const old = rules[at % Math.max(rules.length, 1)];
        if (how === 'add' || old === undefined) {
          return { ...files, [name]: rules.toSpliced(to, 0, [`new${rules.length}`, made]) };
        }
        const [ref, said] = old;
        const put = (now: RuleContent): Rules => rules.map((one) => (one === old ? [ref, now] : one));
        const rest = rules.filter((one) => one !== old);
        const after: Readonly<Record<typeof how, () => Rules>> = {
          switch: () => put({ ...said, enabled: !said.enabled }),
          widen: () => put({ ...said, expression: made.expression }),
          act: () => put({ ...made, expression: said.expression }),
          replace: () => put(made),
          delete: () => rest,
          move: () => rest.toSpliced(to, 0, old),
        };
        return { ...files, [name]: after[how]() };
      }),
  );

/** Files before and after one or two edits. */
const edited = fc
  .tuple(filesOf, fc.array(anyEdit, { minLength: 1, maxLength: 2 }))
  .map(([before, edits]) => ({ before, after: edits.reduce((now, edit) => edit(now), before) }))
  // Names are free again once a rule is deleted.
  .filter(({ after }) =>
    Object.values(after).every((rules) => new Set(rules.map(([ref]) => ref)).size === rules.length),
  );

const HEIGHTS: Readonly<Record<string, number>> = { block: 3, managed_challenge: 2, js_challenge: 1 };
const REQUESTS = ['a', 'b'].flatMap((host) =>
  ['/', '/login', '/admin'].flatMap((path) =>
    ['203.0.113.7', '198.51.100.7'].flatMap((ip) =>
      [EVE - 5, EVE + 5].map((second) =>
        scenario({
          request: { url: `https://${host}.shop.example${path}`, ip, fields: { [THEN]: second } },
        }),
      ),
    ),
  ),
);

/** How firmly each request is stopped. */
function stops(world: World): readonly number[] {
  const rulesIn = (name: string) =>
    (world.get(addressKey(addressOf(name)))?.rules ?? []).map((one) => ({
      ...one,
      content: nameTargets(one.content, CUSTOM, [...world.values()]),
    }));
  const scope = zone(
    entry(rulesIn(TRANSFORM), TRANSFORM),
    entry(rulesIn(CUSTOM)),
    custom('Shared', rulesIn('shared')),
  );
  const scopes = [prepareScope(scope, EVALUATION)];
  return REQUESTS.map((request) => {
    const trace = simulate({ zone: { name: 'shop.example', plan: '' }, scopes, source: 'files' }, request);
    const way = describeWay(trace, { evaluation: EVALUATION, wants: () => false });
    return HEIGHTS[way.end?.action ?? ''] ?? 0;
  });
}

describe('any one or two edits', () => {
  it('by which a request is stopped less firmly are not called neutral or strengthening', () => {
    let kept = 0;
    fc.assert(
      fc.property(edited, ({ before, after: wanted }) => {
        const { world, plan } = planBetween(before, wanted);
        if (plan.steps.length === 0 || Object.values(kinds(plan)).includes('weakening')) {
          return;
        }
        const after = stops(carryOut(world, plan, 'auto'));
        const less = stops(world).flatMap((height, at) =>
          height > (after[at] ?? 0) ? [REQUESTS[at]?.request] : [],
        );
        kept += 1;
        expect(less).toEqual([]);
      }),
      { numRuns: propertyRuns() * 2, endOnFailure: true },
    );
    expect(kept).toBeGreaterThan(0);
  });
});
