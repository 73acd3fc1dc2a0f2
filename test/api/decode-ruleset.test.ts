import { describe, expect, test } from 'vitest';
import { decodeRuleset, decodeRulesetHeads } from '../../src/api/decode-ruleset.ts';
import { RulewrightError } from '../../src/model/error.ts';
import { OBJECT_FIELDS } from '../../src/model/rule.ts';
import { id, wireRule, wireRuleset } from './builders.ts';

function refusal(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    if (error instanceof RulewrightError && error.code === 'api/unexpected-answer') {
      return error.message;
    }
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('a decoded ruleset', () => {
  test('has its members and its rules', () => {
    const rule = wireRule({
      action_parameters: { a: 1 },
      description: 'Admin',
      categories: ['x'],
      novelty: [1],
    });
    expect(decodeRuleset(wireRuleset({ rules: [rule], source: 'firewall_custom' }))).toEqual({
      id: id(1),
      name: 'default',
      description: '',
      kind: 'zone',
      phase: 'http_request_origin',
      version: '3',
      lastUpdated: '2026-01-01T00:00:00.123456Z',
      rules: [
        {
          id: id(2),
          ref: 'admin',
          content: {
            action: 'block',
            expression: 'true',
            description: 'Admin',
            enabled: true,
            action_parameters: { a: 1 },
            extra: { novelty: [1] },
          },
          categories: ['x'],
        },
      ],
    });
  });

  test.each([
    ['missing', wireRuleset()],
    ['null', wireRuleset({ rules: null })],
    ['empty', wireRuleset({ rules: [] })],
  ])('has no rules if they are %s', (_title, wire) => {
    expect(decodeRuleset(wire).rules).toEqual([]);
  });

  test.each([
    ['missing', undefined, id(2)],
    ['empty', '', id(2)],
    ['null', null, id(2)],
    ['given', 'mine', 'mine'],
  ])('has the ref of a rule, or its id: a ref that is %s', (_title, ref, expected) => {
    expect(decodeRuleset(wireRuleset({ rules: [wireRule({ ref })] })).rules[0]?.ref).toBe(expected);
  });

  test.each(['id', 'ref', 'expression', 'description', 'enabled', ...OBJECT_FIELDS])(
    'has the default %s for a rule where it is null, and is refused where it is a number',
    (member) => {
      const { [member]: _given, ...without } = wireRule();
      expect(decodeRuleset(wireRuleset({ rules: [{ ...without, [member]: null }] }))).toEqual(
        decodeRuleset(wireRuleset({ rules: [without] })),
      );
      expect(
        refusal(() => decodeRuleset(wireRuleset({ rules: [wireRule(), { ...without, [member]: 7 }] }))),
      ).toMatch(new RegExp(`^/rules/1/${member} should be .* and is a number$`));
    },
  );

  test('of kind managed may have rules without an expression', () => {
    const { expression: _none, ...rule } = wireRule();
    expect(decodeRuleset(wireRuleset({ kind: 'managed', rules: [rule] })).rules[0]?.content.expression).toBe(
      '',
    );
  });

  test.each<[string, unknown]>([
    ['the result should be an object and is null', null],
    ['the result should be an object and is a list', []],
    ['/id should be text and is missing', wireRuleset({ id: undefined })],
    ['/id should be text and is a number', wireRuleset({ id: 5 })],
    ['/kind should be one of managed, custom, root, zone and is "schema"', wireRuleset({ kind: 'schema' })],
    ['/phase should be text and is empty', wireRuleset({ phase: '' })],
    ['/version should be text and is a number', wireRuleset({ version: 3 })],
    ['/version should be a number in text and is "3a"', wireRuleset({ version: '3a' })],
    ['/name should be text and is an object', wireRuleset({ name: {} })],
    ['/rules should be a list and is an object', wireRuleset({ rules: {} })],
    ['/rules/0 should be an object and is text', wireRuleset({ rules: ['x'] })],
    [
      '/rules/0/action should be text and is missing',
      wireRuleset({ rules: [wireRule({ action: undefined })] }),
    ],
    [
      '/rules/0/expression should be text and is a boolean',
      wireRuleset({ rules: [wireRule({ expression: true })] }),
    ],
    [
      '/rules/0/enabled should be true or false and is text',
      wireRuleset({ rules: [wireRule({ enabled: 'yes' })] }),
    ],
    [
      '/rules/0/ratelimit should be an object and is a list',
      wireRuleset({ rules: [wireRule({ ratelimit: [] })] }),
    ],
    ['/rules/0/action should be text and is empty', wireRuleset({ rules: [wireRule({ action: '' })] })],
    ['/rules/0/action should be text and is a list', wireRuleset({ rules: [wireRule({ action: [] })] })],
    [
      '/rules/2/id is the same as that of /rules/1',
      wireRuleset({ rules: [wireRule({ id: id(9) }), wireRule(), wireRule({ ref: 'b' }), wireRule()] }),
    ],
  ])('is refused: %s', (message, wire) => {
    expect(refusal(() => decodeRuleset(wire))).toBe(message);
  });
});

test('decodeRulesetHeads refuses a malformed list with the place of what is wrong', () => {
  expect(refusal(() => decodeRulesetHeads({}))).toBe('the result should be a list and is an object');
  expect(refusal(() => decodeRulesetHeads([wireRuleset(), wireRuleset({ phase: 7 })]))).toBe(
    '/1/phase should be text and is a number',
  );
});
