import { flag, object, opaque, text } from '../decode/shape.ts';
import { objectAt, textAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import type { ZoneObject } from '../records/old-records.ts';
import { byFlag, byPart, narrowedList } from '../listing/pages.ts';
import type { Narrowings } from '../listing/pages.ts';
import { checkServicesPermission, deletedId, objectList } from './family.ts';
import type { ObjectFamily } from './family.ts';

const MODES = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'whitelist'];

/** The query parameters that narrow the list (api.md 9.7). */
const narrowings: Narrowings<ZoneObject> = {
  description: byPart(description),
  description_search: byPart(description),
  user_agent: byPart(userAgent),
  ua_search: byPart(userAgent),
  paused: byFlag(({ body }) => body['paused'] === true),
};

/** User agent rules: what happens to requests of one user agent (api.md 9.7). */
export const uaRules: ObjectFamily = {
  name: 'ua_rules',
  noun: 'user agent rule',
  path: '/firewall/ua_rules',
  changes: ['PUT'],
  quota: {
    of: 'ua_rules',
    binds: 'additions',
    exceeded: () => refuse(400, 'exceeded the maximum number of user agent rules'),
  },
  body: object({
    id: opaque,
    paused: flag(),
    description: text(),
    mode: text(),
    configuration: object({ target: text(), value: text() }),
  }),
  checkAccess: checkServicesPermission,
  list: (call, objects) => narrowedList(call, objects, { ...objectList, narrowings }),
  fill: (body) => {
    checkUaRule(body);
    const said = textAt(body, 'description') ?? '';
    return {
      paused: body['paused'] === true,
      ...(said === '' ? {} : { description: said }),
      mode: body['mode'],
      configuration: body['configuration'],
    };
  },
  deleted: deletedId,
};

function checkUaRule(body: WireObject): void {
  const configuration = objectAt(body, 'configuration') ?? {};
  if (!MODES.includes(textAt(body, 'mode') ?? '')) {
    throw refuse(400, `mode must be one of ${MODES.join(', ')}`);
  }
  if (textAt(configuration, 'target') !== 'ua') {
    throw refuse(400, 'configuration.target must be ua');
  }
  if ((textAt(configuration, 'value') ?? '') === '') {
    throw refuse(400, 'configuration.value cannot be blank');
  }
}

function description({ body }: ZoneObject): string {
  return textAt(body, 'description') ?? '';
}

function userAgent({ body }: ZoneObject): string {
  return textAt(objectAt(body, 'configuration') ?? {}, 'value') ?? '';
}
