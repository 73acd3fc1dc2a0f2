import { command } from '../command.ts';
import { EMULATOR_FLAGS } from '../flags/emulator.ts';

/** `rulewright emulator`. */
export const emulatorCommand = command({
  run: async () => (await import('../run/emulator.ts')).runEmulator,
  brief: 'Run the embedded service until interrupted',
  text: `Serves what rules and lists need of the service's interface, without account or
network, on loopback,
for requests that name it by localhost or its address. Prints how to point a
client at it, and logs requests on stderr. With --format json, the first line on
stdout is {"baseUrl": ..., "token": ..., "pageUrl": ...}. Ends on SIGINT and
SIGTERM.`,
  examples: [
    ['rulewright emulator', 'in memory, on a free port'],
    ['rulewright emulator --port 8787 --state state.json', 'keeps its state'],
    ['rulewright emulator --listen 0.0.0.0 --allow-host emulator', 'in a container'],
    ['rulewright emulator --unlimited', 'takes any number of requests'],
    ['rulewright emulator --faults faults.yaml', 'with faults, for tests'],
  ],
  flags: EMULATOR_FLAGS,
});
