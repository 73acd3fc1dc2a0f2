import type { GuardKind } from '../model/plan.ts';
import { GUARD_KINDS } from '../model/plan.ts';

/** What `--allow` takes: the kinds of guards, and all of them. */
export const ALLOWED: readonly (GuardKind | 'all')[] = [...GUARD_KINDS, 'all'];

/** What `--allow` takes, for help: five to a line. */
export const ALLOW_TEXT: string = `What guards refuse and --allow takes:\n  ${ALLOWED.slice(0, 5).join(', ')},\n  ${ALLOWED.slice(5, -1).join(', ')}, and all for every kind`;
