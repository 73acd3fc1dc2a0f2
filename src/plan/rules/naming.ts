import type { RuleChange } from '../../model/change.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { isNameless } from './name-rules.ts';

/**
 * Whether a change does nothing but give a live rule its first name. By the contents and not by the fields: those of a plan that hides
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
