import { checkedSwitches, startEmulator } from '../../emulator/index.ts';
import type { Emulator, EmulatorOptions, Switches } from '../../emulator/index.ts';
import { RulewrightError } from '../../model/index.ts';

/** A request that the embedded service answered. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Whether it changed the service's state. */
  readonly wrote: boolean;
  /** The faults injected into the request; the status of a response that was cut off is 0. */
  readonly faults: readonly string[];
}

/** How to run the embedded service. */
export interface ServeOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** The address to listen on (default 127.0.0.1). */
  readonly address?: string;
  /** Hosts that it answers for besides its own. */
  readonly hosts?: readonly string[];
  /** Where its state is kept; null: in memory. */
  readonly stateFile: string | null;
  /** A seed in place of the built-in shop. */
  readonly seedFile: string | null;
  /** A file of rules for the faults to inject. */
  readonly faultsFile?: string | null;
  /** Whether the request limit of the service is switched off. */
  readonly unlimited?: boolean;
  /** How it behaves where versions of the service differ; of one switch given twice, the last value counts. */
  readonly switches?: readonly Partial<Switches>[];
  readonly onRequest: (request: ServedRequest) => void;
}

/** The embedded service, running. */
export interface Served {
  readonly baseUrl: string;
  /** URL of the page that describes the service, for a browser. */
  readonly pageUrl: string;
  readonly token: string;
  /** Whether it listens where other machines may reach it. */
  readonly isExposed: boolean;
  close(): Promise<void>;
}

/** Starts the embedded service. */
export async function serveEmulator(options: ServeOptions): Promise<Served> {
  const { address = '127.0.0.1' } = options;
  const emulator = await startEmbedded({
    port: options.port,
    address,
    hosts: options.hosts ?? [],
    ...(options.stateFile === null ? {} : { stateFile: options.stateFile }),
    ...(options.seedFile === null ? {} : { seed: options.seedFile }),
    ...(typeof options.faultsFile === 'string' ? { faults: options.faultsFile } : {}),
    ...(options.unlimited === true ? { budget: 'off' } : {}),
    switches: checkedSwitches(
      Object.fromEntries((options.switches ?? []).flatMap((one) => Object.entries(one))),
    ),
    log: (event) => {
      if (event.kind === 'request') {
        const { method, path, status, wrote, faults = [] } = event;
        options.onRequest({ method, path, status, wrote, faults });
      }
    },
  });
  const isExposed = !/^(?:127\.|::1$)/u.test(address);
  return { ...emulator, pageUrl: `${emulator.controlUrl}/`, isExposed };
}

/** Reads a switch of the embedded service as it is typed, `NAME=VALUE`; throws what is wrong with it. */
export function readSwitch(text: string): Partial<Switches> {
  const [, name, value] = /^(\w+)=(\w+)$/u.exec(text) ?? [];
  if (name === undefined) {
    throw new Error('expected a switch and its value, such as parameters=any');
  }
  return checkedSwitches({ [name]: value });
}

/**
 * Starts the embedded service. An error about its files (seed, faults, state) becomes a user error; any other error is rethrown
 * unchanged.
 */
export async function startEmbedded(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    if (error instanceof Error && error.name === 'Error' && !('code' in error)) {
      throw new RulewrightError(error.message, { code: 'app/emulator', fault: 'user', cause: error });
    }
    throw error;
  }
}
