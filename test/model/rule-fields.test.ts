import { expect, test } from 'vitest';
import { OBJECT_FIELDS, READ_ONLY_RULE_FIELDS, contentFromWire } from '../../src/model/rule.ts';

const BASE = { action: 'log', expression: 'true', description: '', enabled: true };

test.each([...READ_ONLY_RULE_FIELDS, ...OBJECT_FIELDS, 'action', 'expression', 'description', 'enabled'])(
  'knows the field %s, so never keeps it as an unknown field',
  (field) => {
    expect(contentFromWire({ ...BASE, [field]: 1 })).not.toHaveProperty('extra');
  },
);

test('puts object fields in a fixed order, and keeps unknown fields as they came', () => {
  const content = contentFromWire({
    novelty: [null],
    logging: { enabled: true },
    action_parameters: { id: 'a' },
    other: null,
    ...BASE,
  });
  expect(JSON.stringify(content)).toBe(
    JSON.stringify({
      ...BASE,
      action_parameters: { id: 'a' },
      logging: { enabled: true },
      extra: { novelty: [null], other: null },
    }),
  );
});
