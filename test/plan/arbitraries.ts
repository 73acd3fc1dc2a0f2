import fc from 'fast-check';
import type { DesiredRule, LiveRule, RuleContent } from '../../src/model/rule.ts';
import { isNamed } from '../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../src/model/ruleset.ts';
import { desiredRuleset, CAUSE, id, liveRuleset } from './build.ts';

/** Contents from small pools, so that equal contents, descriptions and expressions are common. */
export const contents: fc.Arbitrary<RuleContent> = fc.oneof(
  fc.record({
    action: fc.constantFrom('block', 'managed_challenge', 'log'),
    expression: fc.constantFrom(
      'http.host eq "a.example"',
      'http.host eq "b.example"',
      'ip.src in {192.0.2.0/24 198.51.100.7}',
      'starts_with(http.request.uri.path, "/admin")',
    ),
    description: fc.constantFrom('', 'first', 'second', 'third'),
    enabled: fc.boolean(),
  }),
  fc.record({
    action: fc.constant('skip'),
    expression: fc.constantFrom('true', 'cf.client.bot'),
    description: fc.constantFrom('', 'skip'),
    enabled: fc.boolean(),
    action_parameters: fc.constantFrom(
      { ruleset: 'current' },
      { phases: ['http_ratelimit'] },
      { products: ['bic', 'hot'] },
    ),
    logging: fc.constantFrom({ enabled: true }, { enabled: false }),
  }),
);

/** Live rules: most named, some by their id as the dashboard does. Foreign ones have a `team-` ref. */
export function liveRules(maxLength: number): fc.Arbitrary<readonly LiveRule[]> {
  return fc.uniqueArray(fc.nat({ max: 40 }), { maxLength }).chain((numbers) =>
    fc.tuple(
      ...numbers.map((number) =>
        fc
          .tuple(contents, fc.constantFrom('ours-', 'ours-', 'team-', ''))
          .map(([content, prefix]): LiveRule => ({
            id: id(number + 1),
            ref: prefix === '' ? id(number + 1) : `${prefix}${number}`,
            content,
          })),
      ),
    ),
  );
}

/** How a person edits a list: keep, change, drop, add, give a name to what has none, and put into another order. */
export function edits(
  live: readonly LiveRule[],
  owned: (rule: LiveRule) => boolean,
): fc.Arbitrary<readonly DesiredRule[]> {
  const kept = live
    .filter((rule) => owned(rule))
    .map((rule) =>
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.constant({ ref: rule.ref, adopt: false, cause: CAUSE, content: rule.content }),
        },
        {
          weight: 2,
          arbitrary: contents.map((content) => ({ ref: rule.ref, adopt: false, cause: CAUSE, content })),
        },
        { weight: 1, arbitrary: fc.constant(null) },
        ...(isNamed(rule)
          ? []
          : [
              {
                weight: 3,
                arbitrary: fc.constant({
                  ref: `ours-named-${Number.parseInt(rule.id, 16)}`,
                  adopt: false,
                  cause: CAUSE,
                  content: rule.content,
                }),
              },
            ]),
      ),
    );
  const added = fc
    .uniqueArray(fc.nat({ max: 20 }), { maxLength: 3 })
    .chain((numbers) =>
      fc.tuple(
        ...numbers.map((number) =>
          contents.map((content) => ({ ref: `ours-new-${number}`, adopt: false, cause: CAUSE, content })),
        ),
      ),
    );
  return fc.tuple(fc.tuple(...kept), added, fc.boolean()).chain(([rules, more, shuffle]) => {
    const list: readonly DesiredRule[] = [...rules.filter((rule) => rule !== null), ...more];
    return shuffle ? fc.shuffledSubarray([...list], { minLength: list.length }) : fc.constant(list);
  });
}

/** The description of a ruleset, and what the files want it to be: often they say nothing of it. */
const descriptions = fc.tuple(
  fc.constantFrom('', 'ours'),
  fc.constantFrom(undefined, undefined, '', 'ours', 'other'),
);

/** A live ruleset and what the files want of it, under either kind of ownership. */
export function rulesetCases(
  maxLength: number,
): fc.Arbitrary<{ readonly live: LiveRuleset; readonly desired: DesiredRuleset }> {
  return fc
    .tuple(liveRules(maxLength), fc.boolean(), fc.constantFrom('first', 'last', 'any', 'any'), descriptions)
    .chain(([rules, all, place, [before, after]]) =>
      edits(rules, (rule) => all || rule.ref.startsWith('ours-')).map((wanted) => ({
        live: liveRuleset(rules, { description: before }),
        desired: desiredRuleset(wanted, {
          place,
          ...(after === undefined ? {} : { description: after }),
          ownership: all ? { kind: 'all' } : { kind: 'patterns', patterns: ['ours-*'] },
        }),
      })),
    );
}
