import fc from 'fast-check';
import type { DesiredRule, LiveRule, RuleContent } from '../../src/model/rule.ts';
import { isNamed } from '../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../src/model/ruleset.ts';
import { contents, respelled } from './contents.ts';
import { desiredRuleset, CAUSE, id, liveRuleset } from './build.ts';

/** Live rules: most have a ref, some only their id as the ref, like rules of the dashboard. Rules of others have a `team-` ref. */
export function liveRules(
  maxLength: number,
  said: fc.Arbitrary<RuleContent> = contents,
): fc.Arbitrary<readonly LiveRule[]> {
  return fc.uniqueArray(fc.nat({ max: 40 }), { maxLength }).chain((numbers) =>
    fc.tuple(
      ...numbers.map((number) =>
        fc.tuple(said, fc.constantFrom('ours-', 'ours-', 'team-', '')).map(([content, prefix]): LiveRule => ({
          id: id(number + 1),
          ref: prefix === '' ? id(number + 1) : `${prefix}${number}`,
          content,
        })),
      ),
    ),
  );
}

/** How a person edits a list: keeps, changes, respells, drops and adds rules, gives a ref to one without, and reorders the list. */
export function edits(
  live: readonly LiveRule[],
  owned: (rule: LiveRule) => boolean,
  said: fc.Arbitrary<RuleContent> = contents,
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
          arbitrary: said.map((content) => ({ ref: rule.ref, adopt: false, cause: CAUSE, content })),
        },
        {
          weight: 2,
          arbitrary: respelled(rule.content).map((content) => ({
            ref: rule.ref,
            adopt: false,
            cause: CAUSE,
            content,
          })),
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
          said.map((content) => ({ ref: `ours-new-${number}`, adopt: false, cause: CAUSE, content })),
        ),
      ),
    );
  return fc.tuple(fc.tuple(...kept), added, fc.boolean()).chain(([rules, more, shuffle]) => {
    const list: readonly DesiredRule[] = [...rules.filter((rule) => rule !== null), ...more];
    return shuffle ? fc.shuffledSubarray([...list], { minLength: list.length }) : fc.constant(list);
  });
}

/** The description that a ruleset has, and the one that the files want; often the files say nothing of it. */
const descriptions = fc.tuple(
  fc.constantFrom('', 'ours'),
  fc.constantFrom(undefined, undefined, '', 'ours', 'other'),
);

/** A live ruleset and what the files want of it, with ownership of all rules or by pattern. */
export function rulesetCases(
  maxLength: number,
  said: fc.Arbitrary<RuleContent> = contents,
): fc.Arbitrary<{ readonly live: LiveRuleset; readonly desired: DesiredRuleset }> {
  return fc
    .tuple(
      liveRules(maxLength, said),
      fc.boolean(),
      fc.constantFrom('first', 'last', 'any', 'any'),
      descriptions,
    )
    .chain(([rules, all, place, [before, after]]) =>
      edits(rules, (rule) => all || rule.ref.startsWith('ours-'), said).map((wanted) => ({
        live: liveRuleset(rules, { description: before }),
        desired: desiredRuleset(wanted, {
          place,
          ...(after === undefined ? {} : { description: after }),
          ownership: all ? { kind: 'all' } : { kind: 'patterns', patterns: ['ours-*'] },
        }),
      })),
    );
}
