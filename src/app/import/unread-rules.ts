import { unreadExpressions } from '../../config/index.ts';
import { describedName, addressKey } from '../../model/index.ts';
import { objectsIn } from '../../data/index.ts';
import type { ScopeKind } from '../../model/index.ts';
import type { DeclaredLive } from './scope-file-text.ts';

/** Names the rules of a ruleset that the files keep as they are without understanding them, each with the reason and with what became of it. */
export function unreadRules(
  { address, value, allNotes, unfit = [] }: DeclaredLive,
  kind: ScopeKind,
): readonly string[] {
  const place = addressKey(address);
  // Only expressions with a comment can be unread, and checking all once more would take long.
  const noted = new Set(allNotes.flatMap(({ path: [list, index] }) => (list === 'rules' ? [index] : [])));
  const kept = objectsIn(value['rules']).flatMap((rule, at) => {
    const { ref, description } = rule;
    const name = describedName(text(ref), text(description));
    return (noted.has(at) ? unreadExpressions(rule, { kind, address }) : []).map(
      ({ path, errors: [first] }) =>
        `${name} in ${place}: this version does not accept \`${path.join('.')}\` (${first?.message}); the file keeps its text`,
    );
  });
  return [
    ...kept,
    ...unfit.map(({ rule, why }) => `${rule} in ${place}: ${why}; \`ownership\` leaves it to others`),
  ];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
