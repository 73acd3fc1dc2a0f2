import type { OnEvent, Selection, ServiceOptions } from '../app/index.ts';
import type { ExitCode } from './exit-code.ts';

type MayWrite = NonNullable<ServiceOptions['mayWrite']>;

/** Called before the process exits. */
export type ExitHook = (code: ExitCode) => Promise<void>;

/** State that all parts of one run of a command share, from its start to its end. */
export interface Session {
  /** Adds an observer of the run's events, besides the terminal. */
  readonly observe: (observer: OnEvent) => void;
  /** Passes an event to the observers. */
  readonly report: OnEvent;
  /**
   * Registers a hook that also runs when the process exits before the command ends, for example because its output is closed. Returns the hook for
   * the command to call at its end; it runs once, whoever calls it first.
   */
  readonly addExitHook: (hook: ExitHook) => ExitHook;
  /** Runs the hooks, the last one first. */
  readonly runExitHooks: ExitHook;
  /** Whether a text was not said before in this run, by whichever client. */
  readonly isNews: (text: string) => boolean;
  /** Permits writes from now on only while `permit` does. */
  readonly writeWhile: (permit: MayWrite) => void;
  readonly mayWrite: MayWrite;
  /** The project files that this run has read. */
  readonly projectHeads: NonNullable<Selection['heads']>;
  /** Returns the service of the run, chosen by the first call: planning and applying count against one budget of requests. */
  readonly service: (choose: () => Promise<ServiceOptions>) => Promise<ServiceOptions>;
}

/** Starts a session, one for each run of a command. */
export function startSession(): Session {
  const observers: OnEvent[] = [];
  const hooks: ExitHook[] = [];
  const said = new Set<string>();
  let permit: MayWrite = () => Promise.resolve(null);
  let chosen: Promise<ServiceOptions> | undefined;
  return {
    observe: (observer) => {
      observers.push(observer);
    },
    report: (event) => {
      observers.forEach((observer) => observer(event));
    },
    addExitHook: (hook) => {
      let ended: Promise<void> | undefined;
      const once: ExitHook = (code) => {
        ended ??= hook(code);
        return ended;
      };
      hooks.push(once);
      return once;
    },
    runExitHooks: async (code) => {
      for (const hook of hooks.toReversed()) {
        await hook(code);
      }
    },
    isNews: (text) => {
      const isNew = !said.has(text);
      said.add(text);
      return isNew;
    },
    writeWhile: (given) => {
      permit = given;
    },
    mayWrite: () => permit(),
    projectHeads: new Map(),
    service: (choose) => {
      chosen ??= choose();
      return chosen;
    },
  };
}
