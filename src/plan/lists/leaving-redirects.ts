import type { ListItem, ListStep, PlanNote } from '../../model/index.ts';
import { counted, oneLine, someNames } from '../../text/index.ts';

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
