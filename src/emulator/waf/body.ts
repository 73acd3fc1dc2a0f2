import { flag, integer, list, map, object, text, word } from '../decode/shape.ts';

const actions = ['challenge', 'block', 'simulate', 'disable', 'default'] as const;
const action = word(...actions);

/** The body of PATCH for an anomaly package. */
export const packageBody = object(
  { sensitivity: word('high', 'medium', 'low', 'off'), action_mode: word('simulate', 'block', 'challenge') },
  { some: 'any' },
);

/** The body of PATCH for a group. */
export const groupBody = object({ mode: word('on', 'off') }, { required: ['mode'] });

/** The body of PATCH for a rule; the rule decides which modes are allowed. */
export const ruleBody = object({ mode: text({ min: 1 }) }, { required: ['mode'] });

const overrideFields = {
  id: text(),
  description: text(),
  // Host and path without a scheme; `*` stands for anything.
  urls: list(text({ min: 1, max: 1024, pattern: /^(?![a-zA-Z][a-zA-Z0-9+.-]*:\/\/)\S+$/u }), { min: 1 }),
  priority: integer(-1_000_000_000, 1_000_000_000),
  groups: map(action, { key: /^[0-9a-f]{32}$/u }),
  rules: map(action, { key: /^[0-9A-Za-z]+$/u }),
  rewrite_action: object(Object.fromEntries(actions.map((name) => [name, action]))),
  paused: flag(),
};

/** The body of POST for a URI-based override (api.md 9.5). */
export const createOverrideBody = object(overrideFields, {
  required: ['urls'],
  some: ['groups', 'rules'],
});

/** The body of PUT for a URI-based override (api.md 9.5). */
export const putOverrideBody = object(overrideFields, {
  required: ['id', 'urls', 'rules', 'rewrite_action'],
});
