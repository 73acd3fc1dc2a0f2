import { startEmulator } from '../emulator/index.ts';

/** A request that the embedded service answered. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Whether it changed the service's state. */
  readonly wrote: boolean;
}

/** How to run the embedded service. */
export interface ServeOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** Where its state is kept; null: in memory. */
  readonly stateFile: string | null;
  /** A seed in place of the built-in shop. */
  readonly seedFile: string | null;
  readonly onRequest: (request: ServedRequest) => void;
}

/** The embedded service, running. */
export interface Served {
  readonly baseUrl: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Starts the embedded service on loopback. */
export async function serveEmulator(options: ServeOptions): Promise<Served> {
  return startEmulator({
    port: options.port,
    ...(options.stateFile === null ? {} : { stateFile: options.stateFile }),
    ...(options.seedFile === null ? {} : { seed: options.seedFile }),
    log: (event) => {
      if (event.kind === 'request') {
        const { method, path, status, wrote } = event;
        options.onRequest({ method, path, status, wrote });
      }
    },
  });
}
