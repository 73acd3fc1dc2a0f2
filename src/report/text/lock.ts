import type { LockReport, LockedRuleset } from '../../model/managed-lock.ts';
import { LOCK_FILE } from '../../model/managed-lock.ts';
import { counted } from '../../model/count.ts';
import type { Line } from '../layout.ts';
import { layOut, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';

/** Formats a summary of the lock: how many rules each override affects. */
export function lockedText({ lock: { rulesets }, written }: LockReport, look: Look): string {
  const head = `${LOCK_FILE} ${written ? 'written' : 'is as it was'}`;
  const about =
    rulesets.length === 0
      ? 'no override of the files affects managed rules'
      : `${counted(rulesets.length, 'managed ruleset')} with overrides`;
  return layOut(
    [line(0, span('strong', head), `: ${about}`), ...rulesets.flatMap((one) => lines(one))],
    look,
  );
}

function lines({ name, version, meets }: LockedRuleset): readonly Line[] {
  return [
    line(2, name, span('dim', `  version ${version}`)),
    ...[...meets].map(([key, ids]) => line(4, `${key}: ${counted(ids.length, 'rule')}`)),
  ];
}

/** Returns the lock as one JSON value. */
export function lockDocument({ lock, written }: LockReport) {
  const rulesets = lock.rulesets.map(({ meets, ...head }) => ({ ...head, meets: Object.fromEntries(meets) }));
  return { kind: 'catalog-lock', formatVersion: 1, written, rulesets };
}
