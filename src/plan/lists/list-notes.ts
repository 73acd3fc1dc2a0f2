import type { ListStep, PlanNote, ListItem } from '../../model/index.ts';
import type { ListNamingRule } from './list-rules.ts';
import { compareItems } from './plan-lists.ts';
import { counted, oneLine, someNames } from '../../text/index.ts';

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

/** The most redirects that a note names. */
const MOST_NAMED = 3;

/** Notes the redirects that a step adds or changes and that lead to another site than they come from. */
export function leavingRedirects(steps: readonly ListStep[]): readonly PlanNote[] {
  return steps.flatMap(({ id, items, cause }) => {
    const leaving = [...items.add, ...items.change.map(({ after }) => after)].filter(leaves);
    const names = leaving.flatMap((item) =>
      'source_url' in item ? [oneLine(`${item.source_url} to ${item.target_url}`)] : [],
    );
    return names.length === 0
      ? []
      : [
          {
            kind: 'list' as const,
            step: id,
            rule: '',
            message: `${counted(names.length, 'redirect')} ${names.length === 1 ? 'leads' : 'lead'} to another site: ${someNames(names, MOST_NAMED)}`,
            ...(cause === undefined ? {} : { cause }),
          },
        ];
  });
}

/** Whether a redirect leads to a host that neither is its source's nor shares the site of it. */
function leaves(item: ListItem): boolean {
  if (!('source_url' in item)) {
    return false;
  }
  const from = siteOf(item.source_url.replace(/^https?:\/\//u, ''));
  const target = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]+)/iu.exec(item.target_url)?.[1];
  return target === undefined || siteOf(target) !== from;
}

/** Returns the last two labels of a host: the site, but for names below public suffixes such as `co.uk`, which are then told too little. */
function siteOf(url: string): string {
  const [host = ''] = url.toLowerCase().split(/[/:]/u);
  return host.split('.').slice(-2).join('.');
}
