import { planRemovedOverrides, snapshotIn } from '../../../app/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import type { RetireFlags } from '../../old-flags.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { runRetirement } from './retire.ts';

/** Deletes the URI-based overrides of the old WAF, which keep a zone from being migrated. */
export function runWafRemoveOverrides(
  context: CliContext,
  flags: RetireFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    {
      again: (name) => ['waf', 'remove-overrides', name],
      plan: planRemovedOverrides,
      snapshot: snapshotIn,
    },
  );
}
