/**
 * Waves of zones, for `config`, which checks them, and `app`, which carries them out: which zone is in which wave, and what of a plan.
 *
 * Promises: pure; which wave a zone is in depends on its own name and labels, and on no other zone.
 * Never: asks the service, or waits.
 */
export { assignWaves, waveTitle } from './assign-waves.ts';
export type { WaveMember } from './assign-waves.ts';
export { partsOf, reachOf } from './plan-waves.ts';
export type { WavePart } from './plan-waves.ts';
