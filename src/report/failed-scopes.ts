import { groupBy } from '../model/group-by.ts';
import type { FailedScope } from '../model/plan.ts';
import { zoneName } from '../model/scope.ts';

/** Scopes that could not be planned for one and the same reason. */
export interface FailedGroup {
  readonly scopes: readonly FailedScope['scope'][];
  /** The reason; what names the scope in it stands as `…` where there are several. */
  readonly error: FailedScope['error'];
}

/** A scope that failed, and why. */
type Failure = Pick<FailedScope, 'scope' | 'error'>;

/** Failed scopes by their reasons, in the order of the first of each. */
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

/** A reason without what belongs to one scope: its name, as it is and in a URL, and ids. */
function general({ scope, error }: Failure): FailedScope['error'] {
  const { bare } = zoneName(scope);
  // Half of a surrogate pair, which only a plan file of others can hold, stands in no URL.
  const inUrl = encodeURIComponent(bare.replaceAll(/\p{Cs}/gu, ''));
  const message = [scope.name, bare, inUrl]
    .filter((name) => name !== '')
    .reduce((text, name) => text.replaceAll(name, '…'), error.message)
    .replaceAll(/\b[0-9a-f]{32}\b/g, '…');
  return { ...error, message };
}
