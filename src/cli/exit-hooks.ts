import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';

/** What is done before the process exits. */
type ExitHook = (code: ExitCode) => Promise<void>;

const EXIT_HOOKS = new WeakMap<CliContext, readonly ExitHook[]>();

/**
 * Registers a hook for a process that exits before the command ends, as when its output is closed. Returns the hook for the command
 * to call at its end; it runs once, whoever calls it first.
 */
export function addExitHook(context: CliContext, hook: ExitHook): ExitHook {
  let ended: Promise<void> | undefined;
  const once: ExitHook = (code) => {
    ended ??= hook(code);
    return ended;
  };
  EXIT_HOOKS.set(context, [...(EXIT_HOOKS.get(context) ?? []), once]);
  return once;
}

/** Runs the hooks, the last one first. */
export async function runExitHooks(context: CliContext, code: ExitCode): Promise<void> {
  for (const hook of [...(EXIT_HOOKS.get(context) ?? [])].reverse()) {
    await hook(code);
  }
}
