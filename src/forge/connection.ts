import type { Dispatcher } from 'undici';
import type { Proxy } from '../model/proxy.ts';
import { openProxy } from '../network/proxy-agent.ts';
import type { Clock } from '../network/clock.ts';

/** How to reach a forge. */
export interface ForgeConnection {
  readonly apiUrl: string;
  readonly token: string;
  /** The name of the environment variable that holds the token, for hints. */
  readonly tokenName: string;
  readonly clock: Clock;
  /** The proxy for requests; sent directly unless given. */
  readonly proxy?: Proxy | undefined;
  readonly signal?: AbortSignal;
  /** Called before a wait of 5 seconds or more. */
  readonly onWait: (ms: number, reason: string) => void;
}

/** Returns the options that make the HTTP library use the proxy. */
export function through(proxy: Proxy | undefined): { readonly dispatcher?: Dispatcher } {
  return proxy === undefined ? {} : { dispatcher: openProxy(proxy) };
}
