import type { ForgeContext } from '../../app/posting/open-forge.ts';
import type { CliContext } from '../context.ts';
import type { OutputFlags } from '../flags.ts';
import { escapeText } from '../../report/escape.ts';
import { tell } from '../result.ts';

/** What talking to a forge takes from the process. */
export function forgeContext(context: CliContext, flags: OutputFlags): ForgeContext {
  return {
    env: context.env,
    signal: context.signal,
    onWait: (ms, reason) => {
      tell(context, flags, `waiting ${Math.ceil(ms / 1000)} s: ${escapeText(reason)}`);
    },
  };
}
