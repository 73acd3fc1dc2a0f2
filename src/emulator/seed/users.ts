import { list, map, object, text } from '../decode/shape.ts';
import type { ValueOf } from '../decode/shape.ts';
import { namedId } from '../environment/ids.ts';
import type { Policy, Token, User } from '../records/directory.ts';

/** Tokens by their value, each with its policies. */
export const tokensShape = map(
  list(
    object(
      { permissions: list(text()), resources: list(text()) },
      { required: ['permissions', 'resources'] },
    ),
  ),
);

/** A user besides the owner, with tokens; each user has a request budget of their own (api.md 1.7). */
export const userSeedShape = object(
  { email: text({ min: 3 }), key: text({ pattern: /^[0-9a-f]{37}$/u }), tokens: tokensShape },
  { required: ['email'] },
);

/** Reads the users besides the owner, with their tokens. */
export function readUsers(seeds: readonly ValueOf<typeof userSeedShape>[]): {
  readonly users: readonly User[];
  readonly tokens: readonly Token[];
} {
  const found = seeds.map(({ email, key, tokens }) => {
    const id = namedId('user', email);
    return { user: { id, email, key: key ?? `${id}00000` }, tokens: readTokens(tokens, id) };
  });
  return { users: found.map(({ user }) => user), tokens: found.flatMap(({ tokens }) => tokens) };
}

/** Reads the `tokens` of the owner or of another user. */
export function readTokens(tokens: ValueOf<typeof tokensShape> | undefined, user: string): readonly Token[] {
  return Object.entries(tokens ?? {}).map(([value, policies]) => activeToken(value, user, policies));
}

/** Makes an active token of a user; its id is derived from its value. */
export function activeToken(value: string, user: string, policies: readonly Policy[]): Token {
  return { id: namedId('token', value), value, user, status: 'active', policies };
}
