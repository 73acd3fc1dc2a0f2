import type { Proxy } from '../../model/proxy.ts';
import { proxyFor } from '../../model/proxy.ts';
import type { ServiceOptions } from './service-options.ts';

/** The proxy of a run: that of the environment; the embedded service is on this machine. Throws `api/bad-proxy`. */
export function serviceProxy({ service, env }: Pick<ServiceOptions, 'service' | 'env'>): Proxy | undefined {
  return service.kind === 'emulator' ? undefined : proxyFor(service.baseUrl, env);
}
