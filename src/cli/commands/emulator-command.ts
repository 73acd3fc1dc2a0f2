import { resolve } from 'node:path';
import { isIP } from 'node:net';
import { command } from '../command.ts';
import { readSwitch, serveEmulator } from '../../app/index.ts';
import type { Served, ServedRequest } from '../../app/index.ts';
import { escapeText, paintFor } from '../../report/index.ts';
import type { Style } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { stderrLook, tell } from '../result.ts';
import type { FlagsOf } from '../flag.ts';
import { inputFlag, keptFlag, listFlag, switchFlag, valueFlagOr } from '../flag.ts';
import { OUTPUT_FLAGS, RESULT_FLAGS, between } from '../flags.ts';

/** Flags of `emulator`. */
const EMULATOR_FLAGS = {
  port: valueFlagOr(between(0, 65_535), '0', {
    placeholder: 'N',
    brief: 'Port to listen on; 0 picks a free one',
  }),
  listen: valueFlagOr(address, '127.0.0.1', {
    placeholder: 'ADDRESS',
    brief: 'Address to listen on; others than loopback let other machines in',
  }),
  allowHost: listFlag(host, 'HOST', 'Answer for this host too (repeatable)'),
  state: keptFlag('state', 'FILE', 'Keep the state in a file (default: in memory)'),
  seed: inputFlag('FILE', 'Start with this seed (default: a shop)'),
  faults: inputFlag('FILE', 'Make requests fail as this file describes'),
  switch: listFlag(readSwitch, 'NAME=VALUE', 'Behave as another version of the service (repeatable)'),
  unlimited: switchFlag('Without the request limit of the service'),
  format: RESULT_FLAGS.format,
  ...OUTPUT_FLAGS,
};

/** The values of `EMULATOR_FLAGS`. */
type EmulatorFlags = FlagsOf<typeof EMULATOR_FLAGS>;

function address(text: string): string {
  if (isIP(text) === 0) {
    throw new Error('expected an IP address, such as 127.0.0.1, ::1 or 0.0.0.0');
  }
  return text;
}

function host(text: string): string {
  if (!/^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/iu.test(text)) {
    throw new Error('expected a host as clients name it, such as emulator or emulator:8787');
  }
  return text;
}

/** Serves until interrupted; requests are logged on stderr. */
async function runEmulator(context: CliContext, flags: EmulatorFlags): Promise<ExitCode> {
  const served = await serveEmulator({
    port: flags.port,
    address: flags.listen,
    hosts: flags.allowHost ?? [],
    stateFile: flags.state === undefined ? null : resolve(context.cwd, flags.state),
    seedFile: flags.seed === undefined ? null : resolve(context.cwd, flags.seed),
    faultsFile: flags.faults === undefined ? null : resolve(context.cwd, flags.faults),
    switches: flags.switch ?? [],
    unlimited: flags.unlimited === true,
    onRequest: (request) => tell(context, flags, requestLine(context, flags, request)),
  });
  try {
    const { baseUrl, pageUrl, token } = served;
    context.stdout.write(
      flags.format === 'json' ? `${JSON.stringify({ baseUrl, token, pageUrl })}\n` : welcome(served),
    );
    if (served.isExposed) {
      tell(
        context,
        flags,
        `warning: it listens on ${flags.listen}: whoever can connect may use it and change its state, without a token`,
      );
    }
    await interrupted(context.signal);
  } finally {
    await served.close();
  }
  tell(context, flags, 'stopped');
  return EXIT.done;
}

function welcome({ baseUrl, pageUrl, token }: Served): string {
  return `The embedded service runs at ${baseUrl}

Point a client at it:
  export CLOUDFLARE_BASE_URL=${baseUrl}
  export CLOUDFLARE_API_TOKEN=${token}
  rulewright plan
  curl -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" $CLOUDFLARE_BASE_URL/zones

What it serves, and how to steer it: ${pageUrl}
Stop it with Ctrl-C.
`;
}

function requestLine(
  context: CliContext,
  flags: EmulatorFlags,
  { method, path, status, wrote, faults }: ServedRequest,
): string {
  const paint = paintFor(stderrLook(context, flags));
  const fault = faults.length === 0 ? '' : paint('warning', `  fault: ${escapeText(faults.join(', '))}`);
  const shown = status === 0 ? 'cut' : String(status);
  return `${paint(styleOf(status, wrote), shown)} ${method.padEnd(6)} ${escapeText(path)}${wrote ? paint('strong', '  wrote') : ''}${fault}`;
}

function styleOf(status: number, wrote: boolean): Style {
  if (status === 0 || status >= 500) {
    return 'error';
  }
  if (status >= 400) {
    return 'warning';
  }
  return wrote ? 'strong' : 'dim';
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((end) => {
    if (signal.aborted) {
      end();
    } else {
      signal.addEventListener('abort', () => end(), { once: true });
    }
  });
}

/** `rulewright emulator`. */
export const emulatorCommand = command({
  run: runEmulator,
  text: `Serves what rules and lists need of the service's interface, without account or
network, on loopback, for requests that name it by localhost or its address.
Prints how to point a client at it, and logs requests on stderr. With --format
json, the first line on stdout is {"baseUrl": ..., "token": ..., "pageUrl": ...}.
Ends on SIGINT and SIGTERM.`,
  examples: [
    ['rulewright emulator', 'in memory, on a free port'],
    ['rulewright emulator --port 8787 --state state.json', 'keeps its state'],
    ['rulewright emulator --listen 0.0.0.0 --allow-host emulator', 'in a container'],
    ['rulewright emulator --unlimited', 'takes any number of requests'],
    ['rulewright emulator --switch parameters=any', 'takes newer parameters'],
    ['rulewright emulator --faults faults.yaml', 'with faults, for tests'],
  ],
  flags: EMULATOR_FLAGS,
});
