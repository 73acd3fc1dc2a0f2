import { checkServicesPermission } from '../call/old-interfaces.ts';
import { flag, object, text, word } from '../decode/body-shape.ts';
import { byFlag, byPart } from '../listing/list-page.ts';
import { objectAt, textAt } from '../protocol/wire-object.ts';
import { refuse } from '../protocol/refusal.ts';
import type { StoredDocument } from '../records/document-record.ts';
import { paged, replaced } from './family.ts';
import type { Family } from './family.ts';

const described = ({ value }: StoredDocument): string => textAt(value, 'description') ?? '';
const agent = ({ value }: StoredDocument): string =>
  textAt(objectAt(value, 'configuration') ?? {}, 'value') ?? '';

/** User agent rules: what happens to requests of one user agent (api.md 9.7). */
export const uaRules = {
  path: '/firewall/ua_rules',
  holds: 'collection',
  noun: 'user agent rule',
  access: checkServicesPermission,
  writes: { POST: replaced, PUT: replaced },
  deletes: true,
  quota: {
    max: { free: 10, pro: 50, business: 250, enterprise: 1000 },
    binds: 'additions',
    exceeded: () => refuse(400, 'exceeded the maximum number of user agent rules'),
  },
  body: object(
    {
      paused: flag(),
      description: text(),
      mode: word('block', 'challenge', 'js_challenge', 'managed_challenge', 'whitelist'),
      configuration: object(
        { target: word('ua'), value: text({ min: 1 }) },
        { required: ['target', 'value'] },
      ),
    },
    { required: ['mode', 'configuration'] },
  ),
  standard: { paused: false },
  fill: ({ description, ...rule }) =>
    description === undefined || description === '' ? rule : { ...rule, description },
  list: paged({
    description: byPart(described),
    description_search: byPart(described),
    user_agent: byPart(agent),
    ua_search: byPart(agent),
    paused: byFlag(({ value }) => value['paused'] === true),
  }),
} as const satisfies Family;
