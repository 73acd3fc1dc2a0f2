import { resolve } from 'node:path';
import { serveEmulator } from '../../app/index.ts';
import type { Served, ServedRequest } from '../../app/index.ts';
import { escapeText, paintFor } from '../../report/index.ts';
import type { Style } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { stderrLook, tell } from '../result.ts';
import type { EmulatorFlags } from '../flags/emulator.ts';

/** Serves until interrupted; requests are logged on stderr. */
export async function runEmulator(context: CliContext, flags: EmulatorFlags): Promise<ExitCode> {
  const served = await serveEmulator({
    port: flags.port,
    address: flags.listen,
    hosts: flags.allowHost ?? [],
    stateFile: flags.state === undefined ? null : resolve(context.cwd, flags.state),
    seedFile: flags.seed === undefined ? null : resolve(context.cwd, flags.seed),
    faultsFile: flags.faults === undefined ? null : resolve(context.cwd, flags.faults),
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
