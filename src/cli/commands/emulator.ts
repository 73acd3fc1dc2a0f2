import { command } from '../command.ts';
import { inputFlag, keptFlag, switchFlag, valueFlagOr } from '../flag.ts';
import { OUTPUT_FLAGS, RESULT_FLAGS, between } from '../flags.ts';

/** `rulewright emulator`. */
export const emulatorCommand = command({
  run: async () => (await import('../run/emulator.ts')).runEmulator,
  brief: 'Run the embedded service until interrupted',
  text: `Serves the interface of the service on loopback, without account or network.
Prints how to point a client at it, and logs requests on stderr. With --format
json, the first line on stdout is {"baseUrl": ..., "token": ..., "pageUrl":
...}. Ends on SIGINT and SIGTERM.`,
  examples: [
    ['rulewright emulator', 'in memory, on a free port'],
    ['rulewright emulator --port 8787 --state state.json', 'keeps its state'],
    ['rulewright emulator --unlimited', 'takes any number of requests'],
    ['rulewright emulator --faults faults.yaml', 'with faults, for tests'],
  ],
  flags: {
    port: valueFlagOr(between(0, 65_535), '0', {
      placeholder: 'N',
      brief: 'Port on loopback; 0 picks a free one',
    }),
    state: keptFlag('state', 'FILE', 'Keep the state in a file (default: in memory)'),
    seed: inputFlag('FILE', 'Start with this seed (default: a shop)'),
    faults: inputFlag('FILE', 'Make requests fail as this file describes'),
    unlimited: switchFlag('Without the request limit of the service'),
    format: RESULT_FLAGS.format,
    ...OUTPUT_FLAGS,
  },
});
