import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';

/** What is still to be done when a command ends. */
type Ending = (code: ExitCode) => Promise<void>;

const ENDINGS = new WeakMap<CliContext, readonly Ending[]>();

/** Has something done when the process ends before the command does: when nobody reads on. It is done once, also if the command ends meanwhile. */
export function whenEnded(context: CliContext, end: Ending): Ending {
  let ended: Promise<void> | undefined;
  const once: Ending = (code) => {
    ended ??= end(code);
    return ended;
  };
  ENDINGS.set(context, [...(ENDINGS.get(context) ?? []), once]);
  return once;
}

/** Does what was to be done at the end, the last first. */
export async function endNow(context: CliContext, code: ExitCode): Promise<void> {
  for (const end of [...(ENDINGS.get(context) ?? [])].reverse()) {
    await end(code);
  }
}
