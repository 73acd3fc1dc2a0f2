import { map, object, opaque, text, word } from '../decode/body-shape.ts';
import type { ValueOf } from '../decode/body-shape.ts';
import { namedId } from '../environment/service-clock.ts';
import type { Account } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { refuse } from '../protocol/refusal.ts';

/** An entry of an account's audit log in a seed: a request that was made earlier, by whom and by what. */
export const auditSeedShape = object(
  {
    time: text({ min: 1 }),
    method: word('POST', 'PUT', 'PATCH', 'DELETE'),
    path: text({ pattern: /^\//u }),
    email: text(),
    context: word('api', 'api_key', 'api_token', 'dash'),
    token_name: text(),
    user_agent: text(),
    request: map(opaque),
  },
  { required: ['time', 'method', 'path'] },
);

/** Stores the audit log of an account's seed, in the order of the seed. */
export function seedAuditLog(
  store: Store,
  account: Account,
  entries: readonly ValueOf<typeof auditSeedShape>[],
): void {
  for (const [index, entry] of entries.entries()) {
    const {
      time,
      method,
      path,
      email = '',
      context = 'dash',
      token_name: token,
      user_agent = '',
      request = null,
    } = entry;
    const at = Date.parse(time);
    if (Number.isNaN(at)) {
      throw refuse(400, `'${time}' is not a time in RFC 3339`, { pointer: `/audit_log/${index}/time` });
    }
    const id = namedId('audit', account.id, String(index));
    const zone = store.zones.get(/^\/zones\/([0-9a-f]{32})(?:\/|$)/u.exec(path)?.[1] ?? '');
    store.auditLog.set(id, {
      id,
      account: account.id,
      at,
      actor: {
        id: namedId('user', email),
        email,
        context,
        token: token === undefined ? null : { id: namedId('token name', token), name: token },
      },
      method,
      path,
      status: 200,
      ray: id.slice(0, 16),
      userAgent: user_agent,
      zone: zone === undefined ? null : { id: zone.id, name: zone.name },
      request,
      ruleset: null,
    });
  }
}
