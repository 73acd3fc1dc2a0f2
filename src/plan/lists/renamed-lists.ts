import type { ListStep, PlanNote } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { ListNamingRule } from './list-rules.ts';
import { compareItems } from './plan-lists.ts';

/**
 * Notes the lists that get another name: one goes, and one of the same kind and the same items comes. The service cannot rename a list
 * (api.md 9.8), so a plan makes a new one. Where several lists have the same items, which became which is not known, and nothing is noted.
 */
export function renamedLists(
  steps: readonly ListStep[],
  rules: readonly ListNamingRule[],
): readonly PlanNote[] {
  const going = steps.filter(({ operation }) => operation === 'delete');
  const coming = steps.filter(({ operation }) => operation === 'create');
  return coming.flatMap((made): readonly PlanNote[] => {
    const [former, ...others] = going.filter((gone) => holdsTheSame(made, gone));
    if (
      former === undefined ||
      others.length > 0 ||
      coming.some((one) => one !== made && holdsTheSame(one, former))
    ) {
      return [];
    }
    const naming = rules.filter(({ lists }) => lists.has(made.target.name)).length;
    return [
      {
        kind: 'renamed-list',
        step: made.id,
        rule: '',
        message: `renamed: ${former.target.name} → ${made.target.name}, with the same items; ${naming === 0 ? 'no rule' : counted(naming, 'rule')} ${naming > 1 ? 'name' : 'names'} it`,
        ...(made.cause === undefined ? {} : { cause: made.cause }),
      },
    ];
  });
}

function holdsTheSame(made: ListStep, gone: ListStep): boolean {
  const [{ add }, { remove }] = [made.items, gone.items];
  if (made.target.holds !== gone.target.holds || add.length === 0 || add.length !== remove.length) {
    return false;
  }
  const left = compareItems(add, remove);
  return left.add.length + left.change.length + left.remove.length === 0;
}
