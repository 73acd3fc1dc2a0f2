import type { TrafficChoice } from '../../app/index.ts';
import { LOG_FORMATS } from '../../model/index.ts';
import type { ReplayDocument } from '../../model/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { FlagsOf } from '../flag.ts';
import { choiceFlagOr, listFlag, switchFlag } from '../flag.ts';

/** Flags about recorded requests. */
export const TRAFFIC_FLAGS = {
  logFormat: choiceFlagOr(['auto', ...LOG_FORMATS], 'Form of the logs; auto: what they look like'),
  known: listFlag(networks, 'NAME=CIDR,CIDR', 'Networks to tell of by name (repeatable)'),
  sampled: switchFlag('The logs are a sample: count no rate limits'),
  showAddresses: switchFlag('Show addresses in examples, not only their networks'),
};

/** The values of `TRAFFIC_FLAGS`. */
type TrafficFlags = FlagsOf<typeof TRAFFIC_FLAGS>;

/** Returns which requests are replayed, and how. */
export function trafficChoice(
  { cwd, input, signal }: CliContext,
  { known = [], logFormat, sampled, showAddresses }: TrafficFlags,
  logs: readonly string[],
): TrafficChoice {
  return {
    cwd,
    input,
    logs,
    format: logFormat === 'auto' ? null : logFormat,
    networks: Object.fromEntries(known),
    showAddresses: showAddresses === true,
    sampled: sampled === true,
    signal,
  };
}

/** Returns how a command ends whose result is a replay: an answer from no request at all is none. */
export function replayExit({ records }: ReplayDocument): ExitCode {
  return records === 0 ? EXIT.failed : EXIT.done;
}

/** Named networks. */
type NamedNetworks = readonly [name: string, items: readonly string[]];

function networks(text: string): NamedNetworks {
  const [, name, items] = /^([\w .-]+)=(.+)$/u.exec(text) ?? [];
  if (name === undefined || items === undefined) {
    throw new Error('expected a name and networks, such as office=203.0.113.0/24');
  }
  return [name, items.split(',').map((item) => item.trim())];
}
