import { list, map, object, type ObjectShape, text } from '../decode/shape.ts';
import { namedId } from '../ids.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt, textsAt } from '../json.ts';
import type { Token, User } from '../store/records.ts';

const policy = object(
  { permissions: list(text()), resources: list(text()) },
  { required: ['permissions', 'resources'] },
);

/** A person beside the owner, with tokens: each has a request budget of its own (api.md 1.7). */
export const userSeedShape: ObjectShape = object(
  { email: text({ min: 3 }), key: text({ pattern: /^[0-9a-f]{37}$/u }), tokens: map(list(policy)) },
  { required: ['email'] },
);

/** Reads the persons beside the owner. */
export function readUsers(root: JsonObject): {
  readonly users: readonly User[];
  readonly tokens: readonly Token[];
} {
  const raws = listAt(root, 'users').filter(isObject);
  const users = raws.map((raw) => {
    const email = textAt(raw, 'email') ?? '';
    const id = namedId('user', email);
    return { id, email, key: textAt(raw, 'key') ?? `${id}00000` };
  });
  const tokens = raws.flatMap((raw, index) =>
    Object.entries(objectAt(raw, 'tokens') ?? {}).map(([value, policies]) => ({
      id: namedId('token', value),
      value,
      user: users[index]?.id ?? '',
      status: 'active' as const,
      policies: Array.isArray(policies)
        ? policies.filter(isObject).map((each) => ({
            permissions: textsAt(each, 'permissions'),
            resources: textsAt(each, 'resources'),
          }))
        : [],
    })),
  );
  return { users, tokens };
}
