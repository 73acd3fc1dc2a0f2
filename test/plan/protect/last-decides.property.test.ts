import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleChange } from '../../../src/model/change.ts';
import type { JsonObject, JsonValue } from '../../../src/data/json.ts';
import { jsonEqual } from '../../../src/data/json.ts';
import type { LiveRule, RuleContent } from '../../../src/model/rule.ts';
import { propertyRuns } from '../../property-runs.ts';
import { entry, send, zone } from '../../simulate/build.ts';
import { CAUSE, desiredRuleset, id, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

/** A phase in which the last rule decides: what its rules may say, and when a decided value protects less. */
interface World {
  readonly phase: string;
  readonly action: string;
  readonly parameters: readonly JsonObject[];
  /** Whether one value protects less than another; undefined means that no rule decided it. */
  readonly isLess: (name: string, before: JsonValue | undefined, after: JsonValue | undefined) => boolean;
}

const LADDERS: Readonly<Record<string, readonly JsonValue[]>> = {
  ssl: ['off', 'flexible', 'full', 'strict'],
  security_level: ['essentially_off', 'low', 'high', 'under_attack'],
  bic: [false, true],
};

/** The zone's own value, which no rule states, may be any value of the ladder. */
function isLower(name: string, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const ladder = LADDERS[name] ?? [];
  const place = (value: JsonValue | undefined, unknown: number): number =>
    value === undefined ? unknown : ladder.indexOf(value);
  return before === undefined || after === undefined
    ? before !== undefined && before === ladder.at(-1)
    : place(after, 0) < place(before, 0);
}

const header = (name: string, change: JsonObject): JsonObject => ({ headers: { [name]: change } });
const set = (value: string): JsonObject => ({ operation: 'set', value });

const WORLDS: readonly World[] = [
  {
    phase: 'http_config_settings',
    action: 'set_config',
    parameters: [
      { ssl: 'off' },
      { ssl: 'full' },
      { ssl: 'strict' },
      { ssl: 'strict', bic: false },
      { ssl: 'flexible', bic: true },
      { security_level: 'low' },
      { security_level: 'under_attack', bic: true },
      { polish: 'lossy' },
    ],
    isLess: isLower,
  },
  {
    phase: 'http_request_cache_settings',
    action: 'set_cache_settings',
    parameters: [
      { cache: false },
      { cache: true },
      { cache: true, edge_ttl: { mode: 'bypass_by_default' } },
      { edge_ttl: { mode: 'override_origin', default: 60 } },
    ],
    isLess: (name, before, after) => name === 'cache' && before === false && after !== false,
  },
  {
    phase: 'http_request_origin',
    action: 'route',
    parameters: [
      { host_header: 'a.example' },
      { host_header: 'b.example' },
      { origin: { port: 8080 } },
      { sni: { value: 'a.example' } },
    ],
    isLess: (name, before, after) => name !== 'origin' && !jsonEqual(before, after),
  },
  {
    phase: 'http_response_headers_transform',
    action: 'rewrite',
    parameters: [
      header('Content-Security-Policy', set("default-src 'self'")),
      header('content-security-policy', set('default-src *')),
      header('Content-Security-Policy', { operation: 'remove' }),
      header('X-Frame-Options', set('DENY')),
      header('X-Frame-Options', { operation: 'remove' }),
      header('X-Other', set('1')),
    ],
    isLess: (name, before, after) =>
      name !== 'x-other' &&
      (after === null ? before !== null : (before ?? null) !== null && before !== after),
  },
];

const CONDITIONS = [
  'true',
  'http.host eq "a.shop.example"',
  'http.host eq "b.shop.example"',
  'starts_with(http.request.uri.path, "/x")',
  'http.host eq "a.shop.example" or starts_with(http.request.uri.path, "/x")',
];

const REQUESTS = ['a', 'b'].flatMap((host) =>
  ['/', '/x'].map((path) => `https://${host}.shop.example${path}`),
);

type Rules = readonly Pick<LiveRule, 'ref' | 'content'>[];

/** What the rules decide for a request in the simulation; a removed header is null. */
function decided({ phase }: World, rules: Rules, request: string): ReadonlyMap<string, JsonValue> {
  const names = ['content-security-policy', 'x-frame-options', 'x-other'];
  const headers = Object.fromEntries(names.map((name) => [name, 'of the origin']));
  const way = send([zone(entry(rules, phase))], { request, response: { status: 200, headers } });
  const left = new Map((way.response?.headers ?? []).map(({ name, values }) => [name.toLowerCase(), values]));
  return new Map<string, JsonValue>([
    ...way.settings.map(({ name, value }) => [name, value] as const),
    ...names.flatMap((name): readonly [string, JsonValue][] => {
      const [value = null] = left.get(name) ?? [];
      return value === 'of the origin' ? [] : [[name, value]];
    }),
  ]);
}

/** The requests and values that are protected less afterwards. */
function losses(world: World, before: Rules, after: Rules): readonly string[] {
  return REQUESTS.flatMap((request) => {
    const [old, now] = [decided(world, before, request), decided(world, after, request)];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) =>
      world.isLess(name, old.get(name), now.get(name)) ? [`${request} ${name}`] : [],
    );
  });
}

function changesOf({ phase }: World, before: readonly LiveRule[], after: Rules): readonly RuleChange[] {
  const address = { kind: 'entrypoint', phase } as const;
  const rules = after.map((rule) => ({ ...rule, adopt: false, cause: CAUSE }));
  const { steps } = planOne(desiredRuleset(rules, { address }), liveRuleset(before, { phase }));
  return steps.flatMap(({ changes }) => changes);
}

const contentOf = (world: World): fc.Arbitrary<RuleContent> =>
  fc.record({
    action: fc.constant(world.action),
    expression: fc.constantFrom(...CONDITIONS),
    action_parameters: fc.constantFrom(...world.parameters),
    description: fc.constant(''),
    enabled: fc.constantFrom(true, true, true, false),
  });

/** Rules of one phase before and after: reordered, some changed, deleted or added. */
const cases = fc.constantFrom(...WORLDS).chain((world) =>
  fc.array(contentOf(world), { minLength: 2, maxLength: 5 }).chain((contents) => {
    const live = contents.map((content, index) => ({ id: id(index + 1), ref: `r${index}`, content }));
    const edited = live.map((rule) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constant<Rules>([rule]) },
        { weight: 1, arbitrary: contentOf(world).map((content): Rules => [{ ref: rule.ref, content }]) },
        { weight: 1, arbitrary: fc.constant<Rules>([]) },
      ),
    );
    const added = fc.oneof(
      { weight: 2, arbitrary: fc.constant<Rules>([]) },
      { weight: 1, arbitrary: contentOf(world).map((content): Rules => [{ ref: 'new', content }]) },
    );
    const order = (rules: Rules): fc.Arbitrary<Rules> =>
      fc.shuffledSubarray([...rules], { minLength: rules.length });
    return fc.record({
      world: fc.constant(world),
      live: fc.constant(live),
      wanted: fc.oneof(
        order(live),
        fc.tuple(...edited, added).map((parts) => parts.flat()),
        fc.tuple(...edited, added).chain((parts) => order(parts.flat())),
      ),
    });
  }),
);

describe('a phase in which the last rule decides', () => {
  test('has a weakening change whenever a request is protected less', () => {
    let lost = 0;
    fc.assert(
      fc.property(cases, ({ world, live, wanted }) => {
        const less = losses(world, live, wanted);
        const kinds = changesOf(world, live, wanted).map(({ protection }) => protection.kind);
        lost += less.length;
        expect(kinds.includes('weakening') ? [] : less).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
    expect(lost).toBeGreaterThan(0);
  });

  const [CONFIG, CACHE, , HEADERS] = WORLDS;
  const rulesOf = (...contents: readonly RuleContent[]): readonly LiveRule[] =>
    contents.map((content, at) => ({ id: id(at + 1), ref: `r${at}`, content }));
  const says = (
    world: World | undefined,
    expression: string,
    action_parameters: JsonObject,
  ): RuleContent => ({
    action: world?.action ?? '',
    expression,
    action_parameters,
    description: '',
    enabled: true,
  });
  const lax = says(CONFIG, 'http.host eq "a.shop.example"', { ssl: 'off' });
  const strict = says(CONFIG, 'true', { ssl: 'strict' });
  const elsewhere = says(CONFIG, 'http.host eq "b.shop.example"', { ssl: 'strict' });
  const other = says(CONFIG, 'true', { bic: true });
  const kept = says(CACHE, 'starts_with(http.request.uri.path, "/x")', { cache: false });
  const cached = says(CACHE, 'true', { cache: true });
  const images = says(CACHE, 'http.request.uri.path.extension eq "png"', { cache: true });
  const csp = says(HEADERS, 'true', header('Content-Security-Policy', set("default-src 'self'")));
  const lost = says(HEADERS, 'true', header('content-security-policy', { operation: 'remove' }));

  test.each([
    ['weakening', CONFIG, lax, strict, 'and the later one decides: changes ssl from strict to off'],
    ['strengthening', CONFIG, strict, lax, 'and the later one decides: changes ssl from off to strict'],
    ['neutral', CONFIG, lax, elsewhere],
    ['neutral', CONFIG, lax, other],
    ['weakening', CACHE, cached, kept, 'and the later one decides: changes cache from false to true'],
    ['strengthening', CACHE, kept, cached],
    ['neutral', CACHE, images, cached],
    ['weakening', HEADERS, lost, csp, 'adds the removal of the header content-security-policy'],
    ['strengthening', HEADERS, csp, lost],
  ] as const)(
    'judges as %s (case %#) that the first of two rules moves behind the second',
    (kind, world, one, two, why?) => {
      const live = rulesOf(one, two);
      const changes = world === undefined ? [] : changesOf(world, live, live.toReversed());
      expect(changes).toMatchObject([{ kind: 'move', protection: { kind } }]);
      expect(JSON.stringify(changes)).toContain(why ?? '');
    },
  );

  const weak = says(HEADERS, 'true', header('Content-Security-Policy', set('default-src *')));
  const small = { ...weak, expression: 'http.host eq "a.shop.example"' };
  const takes = 'comes after r0 and decides in its place: changes the header content-security-policy';
  const leaves = 'r0 decides in its place: changes ssl from full to off';
  const full = { ...lax, action_parameters: { ssl: 'full' } };
  const off = { ...lax, expression: 'true' };

  test.each([
    ['comes', HEADERS, [csp], [csp, weak], takes],
    ['is switched on', HEADERS, [csp, { ...weak, enabled: false }], [csp, weak], takes],
    ['applies to more', HEADERS, [csp, small], [csp, weak], takes],
    ['goes', CONFIG, [off, full], [off], leaves],
    ['applies to less', CONFIG, [off, { ...full, expression: 'true' }], [off, full], leaves],
    [
      'does less',
      CONFIG,
      [off, { ...full, action_parameters: { ssl: 'full', bic: true } }],
      [off, { ...full, action_parameters: { bic: true } }],
      leaves,
    ],
  ] as const)('weakens when the rule that decides %s', (_, world, before, after, why) => {
    const changes = world === undefined ? [] : changesOf(world, rulesOf(...before), rulesOf(...after));
    expect(changes).toMatchObject([
      { protection: { kind: 'weakening', reason: expect.stringContaining(why) } },
    ]);
  });

  test.each([
    ['a rule comes in front of the one that decides', HEADERS, [weak], [csp, weak]],
    ['only its description changes', HEADERS, [csp, weak], [csp, { ...weak, description: 'new' }]],
  ] as const)('does not weaken when %s', (_, world, before, after) => {
    const names = after.length > before.length ? ['r1', 'r0'] : ['r0', 'r1'];
    const wanted = after.map((content, at) => ({ ref: names[at] ?? '', content }));
    const changes = world === undefined ? [] : changesOf(world, rulesOf(...before), wanted);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.protection.kind).not.toBe('weakening');
  });
});
