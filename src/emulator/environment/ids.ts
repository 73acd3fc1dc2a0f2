import { createHash, randomUUID } from 'node:crypto';

/** Returns a new identifier at each call: 32 lower-case hex characters. */
export type IdSource = () => string;

/** Creates a source of identifiers as the service makes them: a random UUIDv4 without dashes (api.md 13.2). */
export function randomIds(): IdSource {
  return () => randomUUID().replaceAll('-', '');
}

/** Creates a source of identifiers that are the same in every run, for tests and for the seed. */
export function countedIds(label: string): IdSource {
  let count = 0;
  return () => {
    count += 1;
    return namedId(label, String(count));
  };
}

/** Returns the identifier that is derived from a name. */
export function namedId(...name: readonly string[]): string {
  return createHash('sha256').update(name.join('\u0000')).digest('hex').slice(0, 32);
}
