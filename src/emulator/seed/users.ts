import { list, map, object, text } from '../decode/shape.ts';
import type { ObjectShape, Shape } from '../decode/shape.ts';
import { namedId } from '../ids.ts';
import { isObject, listAt, objectAt, textAt, textsAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Policy, Token, User } from '../store/records.ts';

/** Tokens by their value, each with its policies. */
export const tokensShape: Shape = map(
  list(
    object(
      { permissions: list(text()), resources: list(text()) },
      { required: ['permissions', 'resources'] },
    ),
  ),
);

/** A person beside the owner, with tokens: each has a request budget of its own (api.md 1.7). */
export const userSeedShape: ObjectShape = object(
  { email: text({ min: 3 }), key: text({ pattern: /^[0-9a-f]{37}$/u }), tokens: tokensShape },
  { required: ['email'] },
);

/** Reads the persons beside the owner, with their tokens. */
export function readUsers(root: JsonObject): {
  readonly users: readonly User[];
  readonly tokens: readonly Token[];
} {
  const found = listAt(root, 'users')
    .filter(isObject)
    .map((raw) => {
      const email = textAt(raw, 'email') ?? '';
      const id = namedId('user', email);
      return { user: { id, email, key: textAt(raw, 'key') ?? `${id}00000` }, tokens: readTokens(raw, id) };
    });
  return { users: found.map(({ user }) => user), tokens: found.flatMap(({ tokens }) => tokens) };
}

/** Reads the `tokens` of the owner, or of a person beside. */
export function readTokens(raw: JsonObject, user: string): readonly Token[] {
  return Object.entries(objectAt(raw, 'tokens') ?? {}).map(([value, policies]) =>
    activeToken(value, user, Array.isArray(policies) ? policies.filter(isObject).map(readPolicy) : []),
  );
}

/** A token of a user; its id follows from its value. */
export function activeToken(value: string, user: string, policies: readonly Policy[]): Token {
  return { id: namedId('token', value), value, user, status: 'active', policies };
}

function readPolicy(raw: JsonObject): Policy {
  return { permissions: textsAt(raw, 'permissions'), resources: textsAt(raw, 'resources') };
}
