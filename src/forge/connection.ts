import type { Dispatcher } from 'undici';
import type { Proxy } from '../model/proxy.ts';
import { openProxy } from '../network/proxy-agent.ts';
import type { ForgeClock } from './port.ts';

/** How to reach a forge. */
export interface ForgeConnection {
  readonly apiUrl: string;
  readonly token: string;
  /** Name of the environment variable that holds the token, for hints. */
  readonly tokenName: string;
  readonly clock: ForgeClock;
  /** What requests go through; sent directly unless given. */
  readonly proxy?: Proxy | undefined;
  readonly signal?: AbortSignal;
  /** Told before a wait that a person would wonder about. */
  readonly onWait: (ms: number, reason: string) => void;
}

/** Says to the HTTP library what a request goes through. */
export function through(proxy: Proxy | undefined): { readonly dispatcher?: Dispatcher } {
  return proxy === undefined ? {} : { dispatcher: openProxy(proxy) };
}
