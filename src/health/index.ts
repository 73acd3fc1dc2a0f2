/**
 * Whether a wave of changes did harm, for `app`: shares of requests by the service's analytics, and probes by HTTP.
 *
 * Promises: what cannot be known is `no_data`, never taken for well; every number that was seen is in the result; probes send no credentials, reach
 * only hosts of the run's zones or those that the command line names, at addresses that were checked, and keep no body.
 * Never: writes anything, or decides what follows from a result.
 */
export { checkHealth, checkProbes, healthDue } from './check-health.ts';
export type { HealthMeans, WaveToJudge } from './check-health.ts';
export type { WatchedZone } from './count-zones.ts';
export { probeTarget, readProbeHost } from './probe-reach.ts';
export type { AllowedProbeHost, ProbeReach } from './probe-reach.ts';
