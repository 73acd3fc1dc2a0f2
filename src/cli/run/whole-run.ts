import type { SelectionFlags } from '../flags.ts';
import type { PartFlags } from '../run-flags.ts';
import { usage } from '../../app/index.ts';

/** Throws when flags narrow what is only taken as a whole: a saved plan, or its reversal. */
export function requireWhole(flags: Pick<SelectionFlags, 'target'> & PartFlags): void {
  const narrowing = [
    ...(flags.target === undefined || flags.target.length === 0 ? [] : ['--target']),
    ...(flags.changedSince === undefined ? [] : ['--changed-since']),
    ...(flags.shard === undefined ? [] : ['--shard']),
  ];
  if (narrowing.length > 0) {
    throw usage(
      'a saved plan is applied as a whole',
      `leave out ${narrowing.join(' and ')}, or plan again with it`,
    );
  }
}

/** Whether flags or arguments leave scopes of the project out. */
export function isNarrowed(
  flags: Pick<SelectionFlags, 'target'> & PartFlags,
  paths: readonly string[],
): boolean {
  return (
    paths.length > 0 ||
    (flags.target ?? []).length > 0 ||
    flags.changedSince !== undefined ||
    flags.shard !== undefined
  );
}
