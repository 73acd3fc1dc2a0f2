/**
 * Recorded requests, sent through the rules as they are live and as they are wanted: readers of logs, the replay, and its counts, for `app`.
 *
 * Promises: streams logs in bounded memory, whatever is in them; what a record does not say is unknown, and never guessed; a line that cannot be read
 * is counted; nothing that may identify a visitor is told unless it was asked for.
 * Never: asks the service, or keeps a log.
 */
export { networkProblem } from './known-network.ts';
export type { NetworkTexts } from './known-network.ts';
export { beginningOf } from './log-beginning.ts';
export { fileLog } from './open-log.ts';
export type { Log } from './open-log.ts';
export { replay } from './replay-records.ts';
export type { ReplayedLogs } from './replay-records.ts';
export { joinReplayShards, replayShard } from './shards.ts';
export type { ReplayShard } from './shards.ts';
export type { ReplayOptions } from './replayer.ts';
export type { EarlierRules, ReplayZone } from './replay-zone.ts';
