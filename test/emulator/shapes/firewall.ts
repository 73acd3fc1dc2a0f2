import { pages } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { either, flag, id, integer, list, nothing, object, text, word } from './shape.ts';
import type { Shape } from './shape.ts';

/** A filter (specification 2.5, api.md 9.2). */
export const filter: Shape = object({ id, expression: text, paused: flag }, { description: text, ref: text });

/** A firewall rule with its filter (specification 2.4, api.md 9.1). */
export const firewallRule: Shape = object(
  {
    id,
    paused: flag,
    action: word('block', 'challenge', 'js_challenge', 'managed_challenge', 'allow', 'log', 'bypass'),
    priority: either(integer, nothing),
    filter: either(filter, object({ id, deleted: flag })),
  },
  { products: list(text), description: text, ref: text },
);

const ids = list(object({ id }));
const RULES = '/zones/:zone/firewall/rules';
const FILTERS = '/zones/:zone/filters';

/** Firewall rules and filters (specification 4.2, api.md 9.1, 9.2). */
export const firewallShapes: AnswerShapes = {
  [`GET ${RULES}`]: { result: list(firewallRule), info: pages },
  [`POST ${RULES}`]: { result: list(firewallRule) },
  [`PUT ${RULES}`]: { result: list(firewallRule) },
  [`PATCH ${RULES}`]: { result: list(firewallRule) },
  [`DELETE ${RULES}`]: { result: ids },
  [`GET ${RULES}/:rule`]: { result: firewallRule },
  [`PUT ${RULES}/:rule`]: { result: firewallRule },
  [`PATCH ${RULES}/:rule`]: { result: list(firewallRule) },
  [`DELETE ${RULES}/:rule`]: { result: either(ids, object({ id })) },
  [`GET ${FILTERS}`]: { result: list(filter), info: pages },
  [`POST ${FILTERS}`]: { result: list(filter) },
  [`PUT ${FILTERS}`]: { result: list(filter) },
  [`DELETE ${FILTERS}`]: { result: ids },
  [`GET ${FILTERS}/:filter`]: { result: filter },
  [`PUT ${FILTERS}/:filter`]: { result: filter },
  [`DELETE ${FILTERS}/:filter`]: { result: either(ids, object({ id })) },
};
