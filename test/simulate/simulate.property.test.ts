import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequestWay } from '../../src/model/simulation.ts';
import type { SimulatedRule } from '../../src/simulate/scope-rules.ts';
import { compileFilter, parseExpression } from '../../src/expression/public.ts';
import { allFields } from '../../src/simulate/request-values.ts';
import { propertyRuns } from '../property-runs.ts';
import { account, custom, entry, execute, log, rule, scenario, send, skip, zone } from './build.ts';
import { CONFIG, CUSTOM, RATE } from './phases.ts';

// Few values, so that rules match requests about half of the time.
const clause = fc.constantFrom(
  'http.request.uri.path eq "/a"',
  'starts_with(http.request.uri.path, "/b")',
  'http.request.method eq "POST"',
  'ip.src in {192.0.2.0/24}',
  'ip.src.country eq "AT"',
  'any(http.request.headers["x"][*] eq "1")',
  'http.request.uri.query contains "q"',
  'cf.bot_management.score lt 30',
  'true',
);
const expression: fc.Arbitrary<string> = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    clause,
    tie('condition').map((inner) => `not (${inner})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or', 'xor'), tie('condition'))
      .map(([one, operator, other]) => `(${one} ${operator} ${other})`),
  ),
})).condition;

const request = fc.record({
  url: fc.constantFrom('/a', '/b/c?q=1', '/?q', '/c'),
  method: fc.constantFrom('GET', 'POST'),
  ip: fc.constantFrom('192.0.2.1', '198.51.100.1'),
  headers: fc.constantFrom({}, { x: '1' }, { x: ['2', '1'] }),
  fields: fc.record({
    'ip.src.country': fc.constantFrom('AT', 'DE'),
    'cf.bot_management.score': fc.constantFrom(5, 90),
  }),
});

const ACTIONS = ['block', 'managed_challenge', 'log', 'skip'] as const;
const anyRule = fc
  .tuple(fc.constantFrom(...ACTIONS), expression, fc.boolean())
  .map(([action, text, enabled]) => ({ action, expression: text, enabled }));
const rules: fc.Arbitrary<readonly SimulatedRule[]> = fc.array(anyRule, { maxLength: 6 }).map((all) =>
  all.map(({ action, ...rest }, index) =>
    rule(`r${index}`, {
      action,
      ...rest,
      ...(action === 'skip' ? { action_parameters: { ruleset: 'current' } } : {}),
    }),
  ),
);
const runs = { numRuns: propertyRuns() };

/** The way of a request without the verdict of one rule. */
function without(way: RequestWay, name: string): RequestWay {
  return { ...way, verdicts: way.verdicts.filter(({ rule: said }) => said !== name) };
}

/** Whether a condition holds for a request, evaluated as one expression. */
function holds(text: string, given: Parameters<typeof scenario>[0]): boolean {
  const parsed = parseExpression(text);
  const compiled = parsed.ok && parsed.tree.mode === 'filter' ? compileFilter(parsed.tree.root) : undefined;
  if (compiled?.ok !== true) {
    throw new Error(`does not compile: ${text}`);
  }
  const { request: original } = scenario(given);
  return compiled.evaluate(
    allFields({ zone: { name: 'shop.example', plan: '' }, original, request: original }),
  );
}

describe('the way of a request', () => {
  test('does not change when a rule that cannot match is added at any place', () => {
    fc.assert(
      fc.property(rules, request, fc.nat(6), fc.constantFrom(...ACTIONS), (all, given, at, action) => {
        const idle = rule('idle', {
          action,
          expression: 'http.host eq "never.example"',
          action_parameters: { ruleset: 'current' },
        });
        const more = [...all.slice(0, at), idle, ...all.slice(at)];
        const before = send([zone(entry(all))], { request: given });
        const after = send([zone(entry(more))], { request: given });
        expect(without(after, 'idle')).toEqual(before);
      }),
      runs,
    );
  });

  test('stays the same when rules that end no request change places', () => {
    const setting = fc.constantFrom('ssl', 'polish', 'security_level');
    const idle = fc.array(fc.tuple(expression, fc.constantFrom('log', 'set_config'), setting), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        idle.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })),
        ),
        request,
        ([all, order], given) => {
          const made = all.map(([text, action, name], index) =>
            // Each rule has a setting of its own, because the order decides between two rules that set the same one.
            rule(`r${index}`, {
              action,
              expression: text,
              action_parameters: { [`${name}${index}`]: index },
            }),
          );
          const shuffled = order.flatMap((index) => made[index] ?? []);
          const one = send([zone(entry(made, CONFIG))], { request: given });
          const other = send([zone(entry(shuffled, CONFIG))], { request: given });
          const told = (way: RequestWay): unknown => ({
            said: way.verdicts.map(({ rule: name, verdict }) => `${name} ${verdict}`).sort(),
            settings: way.settings.map(({ name, value }) => `${name} ${JSON.stringify(value)}`).sort(),
            end: way.end,
          });
          expect(told(other)).toEqual(told(one));
        },
      ),
      runs,
    );
  });

  test('ends at the first matching rule of a list of blocks, and goes on if none matches', () => {
    fc.assert(
      fc.property(fc.array(expression, { minLength: 1, maxLength: 6 }), request, (texts, given) => {
        const way = send([zone(entry(texts.map((text, index) => rule(`r${index}`, { expression: text }))))], {
          request: given,
        });
        const flat = texts.map((text) => `(${text})`).join(' or ');
        expect(way.end !== null).toBe(holds(flat, { request: given }));
        const first = texts.findIndex((text) => holds(text, { request: given }));
        expect(way.end?.rule).toBe(first === -1 ? undefined : `r${first}`);
      }),
      runs,
    );
  });

  test('ends at a block behind a skip only if the skip does not match and the block does', () => {
    fc.assert(
      fc.property(expression, expression, fc.boolean(), request, (pass, bad, byPhase, given) => {
        const parameters = byPhase ? { phases: [CUSTOM] } : { ruleset: 'current' };
        const all = [
          { ...skip('pass', parameters), content: { ...skip('pass', parameters).content, expression: pass } },
          rule('bad', { expression: bad }),
        ];
        const way = send([zone(entry(all))], { request: given });
        expect(way.end !== null).toBe(holds(`not (${pass}) and (${bad})`, { request: given }));
      }),
      runs,
    );
  });

  test('ends at the same rule when the rules of an executed ruleset are inlined with its condition', () => {
    fc.assert(
      fc.property(expression, rules, request, fc.boolean(), (when, all, given, inAccount) => {
        const plain = all.filter(({ content }) => content.action !== 'skip');
        const run = execute('run', 'custom:inner');
        const conditional = { ...run, content: { ...run.content, expression: when } };
        const scope = (inAccount ? account : zone)(entry([conditional]), custom('Inner', plain));
        const flat = plain.map((one) => ({
          ...one,
          content: { ...one.content, expression: `(${when}) and (${one.content.expression})` },
        }));
        const nested = send([scope], { request: given });
        const flattened = send([zone(entry(flat))], { request: given });
        expect(nested.end?.rule).toBe(flattened.end?.rule);
      }),
      runs,
    );
  });

  test('leaves every rule behind the end unreached or disabled', () => {
    fc.assert(
      fc.property(rules, request, fc.nat(9), (all, given, count) => {
        const limit = rule('limit', { ratelimit: { requests_per_period: 4 } });
        const way = send([zone(entry(all), entry([log('late'), limit], RATE))], {
          request: given,
          count: count + 1,
        });
        const ended = way.verdicts.findIndex(({ ends }) => ends);
        const behind = ended === -1 ? [] : way.verdicts.slice(ended + 1);
        expect(behind.every(({ verdict }) => verdict === 'unreached' || verdict === 'disabled')).toBe(true);
        expect(way.verdicts.filter(({ ends }) => ends).length).toBe(way.end === null ? 0 : 1);
      }),
      runs,
    );
  });
});
