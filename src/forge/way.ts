import type { Dispatcher } from 'undici';
import { EnvHttpProxyAgent } from 'undici';
import type { Proxy } from '../model/proxy.ts';

/** Says to the HTTP library what a request goes through. */
export function through(proxy: Proxy | undefined): { readonly dispatcher?: Dispatcher } {
  return proxy === undefined ? {} : { dispatcher: new EnvHttpProxyAgent({ ...proxy }) };
}
