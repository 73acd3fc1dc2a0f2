import { groupBy } from '../model/group-by.ts';
import type { FailedScope } from '../model/plan.ts';
import { namesOf, withoutWhole } from './without-name.ts';

/** Scopes that could not be planned for the same reason. */
export interface FailedGroup {
  readonly scopes: readonly FailedScope['scope'][];
  /** The reason; for several scopes their names in it are replaced by `…`. */
  readonly error: FailedScope['error'];
}

/** A scope that could not be planned, and why. */
type Failure = Pick<FailedScope, 'scope' | 'error'>;

/** Groups failed scopes by reason, in the order of the first of each group. */
export function groupFailed(failed: readonly Failure[]): readonly FailedGroup[] {
  const groups = groupBy(failed, (scope) => {
    const { code, message, hint = '' } = general(scope);
    return JSON.stringify([code, message, hint]);
  });
  return [...groups.values()].flatMap((members): readonly FailedGroup[] => {
    const [first] = members;
    return first === undefined
      ? []
      : [
          {
            scopes: members.map(({ scope }) => scope),
            error: members.length === 1 ? first.error : general(first),
          },
        ];
  });
}

/** Returns a reason without what is specific to its scope: the name, also as in a URL, and ids. */
function general({ scope, error }: Failure): FailedScope['error'] {
  const names = namesOf(scope);
  // A lone surrogate, which only another program's plan file can contain, cannot be encoded in a URL.
  const inUrls = names.map((name) => encodeURIComponent(name.replaceAll(/\p{Cs}/gu, '')));
  const message = [...names, ...inUrls]
    .filter((name) => name !== '')
    .reduce((text, name) => withoutWhole(text, name, '…'), error.message)
    .replaceAll(/\b[0-9a-f]{32}\b/g, '…');
  return { ...error, message };
}
