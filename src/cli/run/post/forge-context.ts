import type { ForgeContext } from '../../../app/index.ts';
import { RulewrightError } from '../../../model/index.ts';
import type { CliContext } from '../../context.ts';
import type { OutputFlags } from '../../flags.ts';
import { escapeText } from '../../../report/index.ts';
import { tell } from '../../result.ts';

/** Returns what talking to a forge needs from the process. */
export function forgeContext(context: CliContext, flags: OutputFlags): ForgeContext {
  return {
    env: context.env,
    signal: context.signal,
    clock: context.clock,
    onWait: (ms, reason) => {
      tell(context, flags, `waiting ${Math.ceil(ms / 1000)} s: ${escapeText(reason)}`);
    },
  };
}

/** Runs work that posts to a forge. An interruption ends it between two requests, or during one; what was posted by then stays. */
export async function whilePosting<Posted>(
  { signal }: CliContext,
  post: () => Promise<Posted>,
): Promise<Posted> {
  try {
    return await post();
  } catch (error) {
    if (signal.aborted) {
      throw new RulewrightError('interrupted: a part may have been posted', {
        code: 'forge/interrupted',
        fault: 'user',
        hint: 'run it again: it brings what is there up to date',
        cause: error,
      });
    }
    throw error;
  }
}
