/**
 * What several rooms do to reach a host: the way through a proxy, base URLs, and the clock that waits go by.
 *
 * Promises: a run reads time and proxy settings here only.
 * Never: knows the service.
 */
export { baseUrlProblem } from './base-url.ts';
export { systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { headerMap } from './header-map.ts';
export { openProxy } from './proxy-agent.ts';
export { proxyFor } from './proxy.ts';
export type { Proxy } from './proxy.ts';
