import type { ReadClient } from '../../api/index.ts';
import { canonicalJson, memoiseWeakly } from '../../data/index.ts';
import { NO_CACHE } from '../../live/index.ts';
import type { Service } from './open-service.ts';

/** One service for two uses of the same live state. */
export interface Snapshot<Client> {
  /** Reads everything from the service, without the cache, and remembers the last answer to each question. */
  readonly first: Service<Client>;
  /** Answers what the first use has asked as it was answered there, and asks the service for the rest. */
  readonly second: Service<Client>;
}

/** Creates a snapshot of a service, so that what a run has compared is what it goes on with. The service stays the owner of its connections. */
export function snapshotOf<Client extends ReadClient>(service: Service<Client>): Snapshot<Client> {
  const answersOf = memoiseWeakly((_client: Client) => new Map<string, ReturnType<ReadClient['get']>>());
  const recording = memoiseWeakly((client: Client): Client => ({
    ...client,
    get: (path, options) => {
      const answer = client.get(path, options);
      answersOf(client).set(canonicalJson([path, options?.query ?? {}]), answer);
      return answer;
    },
  }));
  const replaying = memoiseWeakly((client: Client): Client => ({
    ...client,
    get: (path, options) =>
      answersOf(client).get(canonicalJson([path, options?.query ?? {}])) ?? client.get(path, options),
  }));
  return {
    first: {
      ...service,
      client: (...token) => recording(service.client(...token)),
      cache: () => NO_CACHE,
    },
    second: { ...service, client: (...token) => replaying(service.client(...token)) },
  };
}
