import { expect, test } from 'vitest';

import { inPhase, live, rulesAfter } from '../followed.ts';

// An import changes the values of a rule that differ from live, and keeps all other bytes of the rule.

test('an import changes one number of a rate limit, and keeps the defaults that are written out', async () => {
  const text = `      - ref: a
        expression: ssl
        action: block
        enabled: true
        ratelimit: { characteristics: [ip.src, cf.colo.id], period: 60, requests_per_period: 5, requests_to_origin: false, mitigation_timeout: 600 } # five
`;
  const ratelimit = {
    characteristics: ['ip.src', 'cf.colo.id'],
    period: 60,
    requests_per_period: 7,
    requests_to_origin: false,
    mitigation_timeout: 600,
  };
  const whole = inPhase(live({ ref: 'a', action: 'block', ratelimit }), 'http_ratelimit');
  expect(await rulesAfter(text, whole)).toBe(text.replace('period: 5', 'period: 7'));
});

test('an import keeps the text of an expression with the same meaning when another field of the rule changes', async () => {
  const text = `      - ref: a
        description: Old
        expression: |
          ssl and
          http.host == "a"
        action: log
`;
  const rule = { ref: 'a', description: 'New', expression: '(ssl and http.host eq "a")' };
  expect(await rulesAfter(text, live(rule))).toBe(text.replace('Old', 'New'));
});

test('an import changes, adds and removes single entries of a list, and keeps the comments of the others', async () => {
  const text = `      - ref: a
        expression: ssl
        action: block
        extra_parameters:
          things:
            # the first
            - id: one # 1
              keep: true
            # the second
            - { id: two, keep: true } # 2
            - id: three
              keep: false # 3
`;
  const things = [
    { id: 'one', keep: true },
    { id: 'three', keep: true },
    { id: 'four', keep: true },
  ];
  const rule = { ref: 'a', action: 'block', action_parameters: { things } };
  expect(await rulesAfter(text, live(rule))).toBe(`      - ref: a
        expression: ssl
        action: block
        extra_parameters:
          things:
            # the first
            - id: one # 1
              keep: true
            - id: three
              keep: true # 3
            - id: four
              keep: true
`);
});

test('an import keeps a deeper indented comment with the line before it, and inserts new keys and rules behind it', async () => {
  const text = `      - ref: a
        expression: ssl
        action: log
          # of the action
        # of the rule
      - ref: b
        expression: ssl
        action: log

          # of the last
`;
  const disabled = { ref: 'a', enabled: false };
  const added = { ref: 'c', expression: 'not ssl' };
  expect(await rulesAfter(text, live(disabled, { ref: 'b' }, added))).toBe(`      - ref: a
        expression: ssl
        action: log
          # of the action
        enabled: false
        # of the rule
      - ref: b
        expression: ssl
        action: log

          # of the last
      - ref: c
        expression: not ssl
        action: log
`);
});

test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
  'an import removes a header called %s that is not live',
  async (name) => {
    const headers = (more: string): string => `      - ref: a
        expression: ssl
        action: rewrite
        action_parameters: { headers: { X-A: { operation: remove }${more} } }
`;
    const rule = {
      ref: 'a',
      action: 'rewrite',
      action_parameters: { headers: { 'X-A': { operation: 'remove' } } },
    };
    const whole = inPhase(live(rule), 'http_request_late_transform');
    expect(await rulesAfter(headers(`, ${name}: { operation: remove }`), whole)).toBe(headers(''));
  },
);
