/**
 * The service itself, embedded, for tests, for `--emulator`, and for the package: it answers as the documentation and public recordings say.
 *
 * Promises: its own witness, with tables of its own; an invalid request changes nothing; the same clock and ids give the same answers; faults on
 * purpose are data.
 * Never: opens a connection, or shares a table of rules with the rest.
 */
import type { ScopeRef } from '../model/index.ts';
import { createApp } from './app.ts';
import { createBudget, standardBudget } from './environment/request-budget.ts';
import type { BudgetLimit } from './environment/request-budget.ts';
import { runningClock, stampSource, randomIds } from './environment/service-clock.ts';
import type { ServiceClock, EmulatorEvent, IdSource } from './environment/service-clock.ts';
import { createFaults } from './faults/faults.ts';
import { checkedFaults, readFaultFile } from './faults/read-faults.ts';
import { checkExpression } from './environment/expression-check.ts';
import type { CheckExpression } from './environment/expression-check.ts';
import { rayIds } from './protocol/answer.ts';
import { createRenderer } from './rulesets/render-ruleset.ts';
import { BASE_PATH } from './call/route.ts';
import { buildSeed } from './seed/build-seed.ts';
import { addMissingScopes, nearZone } from './seed/missing-scopes.ts';
import { shopSeed } from './seed/shop-seed.ts';
import { listen } from './server.ts';
import type { EmulatedService } from './call/service.ts';
import { holdStateFile, memory, openStateFile } from './store/state-file.ts';
import { readSeedFile } from './seed/read-seed-file.ts';
import { createStore } from './store/store.ts';
import type { StoreContent } from './store/store.ts';
import { checkedSwitches, defaultSwitches } from './environment/switches.ts';
import type { Switches } from './environment/switches.ts';

export {
  type ServiceClock,
  fakeClock,
  runningClock,
  type SettableClock,
} from './environment/service-clock.ts';
export type { BudgetLimit } from './environment/request-budget.ts';
export type { EmulatorEvent, RequestRecord } from './environment/service-clock.ts';
export type { CheckExpression, ExpressionFault, ExpressionQuestion } from './environment/expression-check.ts';
export { countedIds, type IdSource, randomIds } from './environment/service-clock.ts';
export { scopeId, SEED_TOKEN } from './seed/build-seed.ts';
export { shopSeed } from './seed/shop-seed.ts';
export { checkedSwitches, type Switches } from './environment/switches.ts';

/** Options of an emulator; all of them are optional. */
export interface EmulatorOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** The address to listen on (default 127.0.0.1). Whoever reaches it may use the service, and steer it without a token. */
  readonly address?: string;
  /** Hosts that it answers for besides its own address and localhost, as `name` or `name:port`. */
  readonly hosts?: readonly string[];
  /** The file that keeps the state between starts; without it, the state is kept in memory only. */
  readonly stateFile?: string;
  /** The initial state when there is no state file yet: a seed object, or the path of a JSON file that holds one. */
  readonly seed?: unknown;
  /** Zones and accounts that must exist: missing ones are created empty, on the Enterprise plan with all add-ons. */
  readonly scopes?: readonly ScopeRef[];
  readonly clock?: ServiceClock;
  readonly ids?: IdSource;
  readonly switches?: Partial<Switches>;
  /** The faults to inject: a value of the same form as a fault file, or the path of a fault file (YAML or JSON). */
  readonly faults?: unknown;
  /** The request budget of each user; `off` removes the limit (default: 1,200 requests in 300 seconds). */
  readonly budget?: BudgetLimit | 'off';
  /** The largest request body in bytes (default 10 MiB). */
  readonly maxBodyBytes?: number;
  readonly checkExpression?: CheckExpression;
  /** Receives every event: requests, scopes that were created, and failures of the emulator itself. */
  readonly log?: (event: EmulatorEvent) => void;
}

/** A running emulator. */
export interface Emulator {
  /** The base URL for clients; ends in `/client/v4`. */
  readonly baseUrl: string;
  /** The URL of the control endpoints; ends in `/_emulator`. */
  readonly controlUrl: string;
  /** A token with all permissions; empty when the state has none. */
  readonly token: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the embedded service, on loopback unless another address is given.
 *
 * @example
 * const emulator = await startEmulator();
 * const client = new Cloudflare({ apiToken: emulator.token, baseURL: emulator.baseUrl });
 * await emulator.close();
 *
 * @throws when the port is taken, the seed or the faults are not valid, or the state file is damaged, of another version
 *   or held by another emulator.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const letGo = options.stateFile === undefined ? undefined : await holdStateFile(options.stateFile);
  const { service, listener } = await startServing(options).catch(async (error: unknown) => {
    await letGo?.();
    throw error;
  });
  const origin = `http://${reachable(options.address)}:${listener.port}`;
  return {
    baseUrl: origin + BASE_PATH,
    controlUrl: `${origin}/_emulator`,
    token: fullToken(service),
    port: listener.port,
    close: async () => {
      await listener.close();
      await service.persist();
      await letGo?.();
    },
  };
}

async function startServing(options: EmulatorOptions) {
  const service = await createService(options);
  const { port = 0, address = LOOPBACK, hosts = [] } = options;
  return { service, listener: await listen(createApp(service), { port, address, hosts }) };
}

const LOOPBACK = '127.0.0.1';

/** Returns the host of URLs for an address that is listened on; all addresses (`0.0.0.0`, `::`) include loopback. */
function reachable(address = LOOPBACK): string {
  if (address === '0.0.0.0' || address === '::') {
    return LOOPBACK;
  }
  return address.includes(':') ? `[${address}]` : address;
}

/** Creates the service without a server, to be passed to `createApp`. */
export async function createService(options: EmulatorOptions = {}): Promise<EmulatedService> {
  const clock = options.clock ?? runningClock();
  const seed = await contentOf(options.seed);
  const file = options.stateFile === undefined ? memory : await openStateFile(options.stateFile);
  const store = createStore(file.content ?? seed);
  const initialSwitches = { ...defaultSwitches, ...checkedSwitches(options.switches ?? {}) };
  const switches = { ...initialSwitches };
  let render = createRenderer(switches);
  const budgetLimit =
    options.budget === undefined || options.budget === 'off' ? standardBudget : options.budget;
  const service: EmulatedService = {
    store,
    seed,
    clock,
    stamp: stampSource(clock),
    newId: options.ids ?? randomIds(),
    newRay: rayIds(),
    switches,
    initialSwitches,
    setSwitches: (changes) => {
      Object.assign(switches, changes);
      // The previous renderer caches texts that follow the previous switches.
      render = createRenderer(switches);
    },
    faults: createFaults(await faultsOf(options.faults), { clock, store }),
    render: {
      full: (ruleset, version) => render.full(ruleset, version),
      summary: (ruleset, version) => render.summary(ruleset, version),
    },
    checkExpression: options.checkExpression ?? checkExpression,
    budget: options.budget === 'off' ? undefined : createBudget(budgetLimit, clock),
    budgetLimit,
    maxBodyBytes: options.maxBodyBytes ?? 10 * 1024 * 1024,
    requests: [],
    persist: () => file.save(store),
    log: options.log ?? (() => undefined),
  };
  const zones = store.zones.all().map(({ name }) => name);
  const made = addMissingScopes(store, options.scopes ?? [], service.stamp);
  for (const scope of made) {
    const near = scope.kind === 'zone' ? nearZone(scope.name, zones) : undefined;
    service.log({ kind: 'made', scope, ...(near === undefined ? {} : { near }) });
  }
  if (file.content === undefined || made.length > 0) {
    await service.persist();
  }
  return service;
}

async function faultsOf(faults: unknown) {
  if (faults === undefined) {
    return [];
  }
  return typeof faults === 'string' ? readFaultFile(faults) : checkedFaults(faults);
}

// Content is immutable, so all emulators of a process can share the content of the default seed.
let shop: StoreContent | undefined;

async function contentOf(seed: unknown): Promise<StoreContent> {
  if (seed === undefined) {
    shop ??= buildSeed(shopSeed);
    return shop;
  }
  return buildSeed(typeof seed === 'string' ? await readSeedFile(seed) : seed);
}

function fullToken(service: EmulatedService): string {
  const token = service.store.tokens
    .all()
    .find((each) =>
      each.policies.some((policy) => policy.permissions.includes('*') && policy.resources.includes('*')),
    );
  return token?.value ?? '';
}
