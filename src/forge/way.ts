import type { Dispatcher } from 'undici';
import type { Proxy } from '../model/proxy.ts';
import { openProxy } from '../network/proxy-agent.ts';

/** Says to the HTTP library what a request goes through. */
export function through(proxy: Proxy | undefined): { readonly dispatcher?: Dispatcher } {
  return proxy === undefined ? {} : { dispatcher: openProxy(proxy) };
}
