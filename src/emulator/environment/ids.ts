import { createHash, randomUUID } from 'node:crypto';

/** Gives a new identifier at each call: 32 lower-case hex characters. */
export type IdSource = () => string;

/** Identifiers as the service makes them: a random UUIDv4 without dashes (api.md 13.2). */
export function randomIds(): IdSource {
  return () => randomUUID().replaceAll('-', '');
}

/** Identifiers that are the same in every run: for tests and for the seed. */
export function countedIds(label: string): IdSource {
  let count = 0;
  return () => {
    count += 1;
    return namedId(label, String(count));
  };
}

/** The identifier that belongs to a name, always the same. */
export function namedId(...name: readonly string[]): string {
  return createHash('sha256').update(name.join('\u0000')).digest('hex').slice(0, 32);
}
