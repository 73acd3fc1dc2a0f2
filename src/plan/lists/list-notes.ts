import type {
  DesiredList,
  ListItem,
  ListStep,
  LiveList,
  LiveListHead,
  LiveListItem,
  PlanNote,
} from '../../model/index.ts';
import { isItemAsWanted } from '../../model/index.ts';
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
  return renamesIn(steps).map(({ made, former }) => {
    const naming = rules.filter(({ lists }) => lists.has(made.target.name)).length;
    return {
      kind: 'renamed-list',
      step: made.id,
      rule: '',
      message: `renamed: ${former.target.name} → ${made.target.name}, with the same items; ${naming === 0 ? 'no rule' : counted(naming, 'rule')} ${naming > 1 ? 'name' : 'names'} it`,
      ...(made.cause === undefined ? {} : { cause: made.cause }),
    };
  });
}

/** Returns the lists that come while exactly one of the same kind and items goes, and no other comes that is like it. */
export function renamesIn(
  steps: readonly ListStep[],
): readonly { readonly made: ListStep; readonly former: ListStep }[] {
  const going = steps.filter(({ operation }) => operation === 'delete');
  const coming = steps.filter(({ operation }) => operation === 'create');
  return coming.flatMap((made) => {
    const [former, ...others] = going.filter((gone) => holdsTheSame(made, gone));
    return former === undefined ||
      others.length > 0 ||
      coming.some((one) => one !== made && holdsTheSame(one, former))
      ? []
      : [{ made, former }];
  });
}

function holdsTheSame(made: ListStep, gone: ListStep): boolean {
  return made.target.holds === gone.target.holds && hasTheItems(made, gone.items.remove);
}

function hasTheItems({ items: { add } }: ListStep, others: readonly LiveListItem[]): boolean {
  if (add.length === 0 || add.length !== others.length) {
    return false;
  }
  const left = compareItems(add, others);
  return left.add.length + left.change.length + left.remove.length === 0;
}

/** Returns the live lists that no file declares and that may be what the files call otherwise now: of the kind and size of one that comes. */
export function perhapsRenamed(
  steps: readonly ListStep[],
  heads: readonly LiveListHead[],
  desired: readonly DesiredList[],
): readonly LiveListHead[] {
  const declared = new Set(desired.map(({ name }) => name));
  return heads.filter(
    ({ name, kind, itemCount }) =>
      !declared.has(name) &&
      steps.some(
        ({ operation, target, items }) =>
          operation === 'create' && target.holds === kind && itemCount > 0 && items.add.length === itemCount,
      ),
  );
}

/** Notes the lists that come under another name while the former list stays live, since no file declares that any more. */
export function leftUnderOldName(
  steps: readonly ListStep[],
  undeclared: readonly LiveList[],
): readonly PlanNote[] {
  const coming = steps.filter(({ operation }) => operation === 'create');
  return coming.flatMap((made): readonly PlanNote[] => {
    const [former, ...others] = undeclared.filter(
      ({ kind, items }) => kind === made.target.holds && hasTheItems(made, items),
    );
    return former === undefined || others.length > 0
      ? []
      : [
          {
            kind: 'renamed-list',
            step: made.id,
            rule: '',
            message: `it has the same items as the list ${oneLine(former.name)}, which is live and which no file declares: if it is a new name for that, declare ${oneLine(former.name)} with absent: true, so that it goes`,
            ...(made.cause === undefined ? {} : { cause: made.cause }),
          },
        ];
  });
}

/** The most redirects that a note names. */
const MOST_NAMED = 3;

/** Notes the redirects that a step adds, or changes other than by a comment, and that lead to another site than they come from. */
export function leavingRedirects(steps: readonly ListStep[]): readonly PlanNote[] {
  return steps.flatMap(({ id, items, cause }) => {
    const changed = items.change.filter(
      ({ before, after }) => !isItemAsWanted({ ...after, comment: before.comment ?? '' }, before),
    );
    const leaving = [...items.add, ...changed.map(({ after }) => after)].filter(leaves);
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
  const [source = ''] = item.source_url.replace(/^https?:\/\//u, '').split('/');
  const target = hostOf(item.target_url);
  return target === undefined || siteOf(target) !== siteOf(source.toLowerCase());
}

/** Returns the host that a browser goes to; browsers take more spellings than a URL should have, such as a backslash for a slash. */
function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}

/** The usual labels below which the registries of countries give out names, as in `co.uk`. */
const SECOND_LEVEL: ReadonlySet<string> = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'or', 'org']);

/** Returns the last two labels of a host, or three below a public suffix such as `co.uk`; below rarer suffixes, names are told too little. */
function siteOf(host: string): string {
  const labels = host.split('.');
  const [second = '', country = ''] = labels.slice(-2);
  return labels.slice(country.length === 2 && SECOND_LEVEL.has(second) ? -3 : -2).join('.');
}
