import type { RuleChange } from '../../model/change.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { isNameless } from './name-rules.ts';

/**
 * Whether a change only gives a live rule its first name. Decided by the contents rather than the fields, since the fields of a plan that hides
 * a value could say anything.
 */
export function isNaming(change: RuleChange): boolean {
  return (
    change.kind === 'patch' &&
    change.adopts !== undefined &&
    isNameless({ id: change.id, ref: change.adopts }) &&
    change.move === undefined &&
    compareContent(change.before, change.content).kind !== 'different'
  );
}
