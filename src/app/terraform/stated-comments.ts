import { assertNever } from '../../data/index.ts';
import type { StatedAddress, StatedRuleset } from '../../import/index.ts';
import { commentsOfRules } from '../../import/index.ts';
import type { SourceComments } from '../../model/index.ts';
import { addressKey, addressOfRuleset } from '../../model/index.ts';
import type { RulesetComments } from '../import/declare-live.ts';
import type { Configuration } from './configuration-files.ts';
import { blockOf, withoutSecrets } from './configured-names.ts';
import type { CommentsAbove } from './configured-names.ts';
import type { StatedWhole } from './stated-scope.ts';

/** Returns the comments above the block of a resource; none where it cannot be told from others. */
export function commentsAbove(
  address: StatedAddress,
  { configuration, secrets }: CommentsAbove,
): readonly string[] {
  const found = configuration === null ? undefined : blockOf(address, configuration);
  return found?.kind === 'found' ? withoutSecrets(found.block.above, secrets) : [];
}

/** Returns where rulesets come from, and what the configuration says about them and their rules, by `addressKey`. */
export function statedComments(
  { stated, whole }: StatedWhole,
  { configuration, secrets }: CommentsAbove,
): { readonly comments: ReadonlyMap<string, RulesetComments>; readonly told: SourceComments } {
  const comments = new Map<string, RulesetComments>();
  const left: SourceComments['left'][number][] = [];
  let taken = 0;
  for (const ruleset of whole.rulesets) {
    const key = addressKey(addressOfRuleset(ruleset));
    const one = stated.get(key);
    if (one !== undefined) {
      const found = foundComments(one, configuration);
      const shown = (lines: readonly string[]): readonly string[] => withoutSecrets(lines, secrets);
      const rules = new Map(
        ruleset.rules.flatMap(({ id }, index): readonly (readonly [string, readonly string[]])[] => {
          const lines = shown(found.rules.get(index) ?? []);
          return lines.length === 0 ? [] : [[id, lines]];
        }),
      );
      taken += rules.size + (found.above.length === 0 ? 0 : 1);
      left.push(...found.left.map((why) => ({ address: one.address.resource, why })));
      comments.set(key, { above: [...noteOf(one.address), ...shown(found.above)], rules });
    }
  }
  return { comments, told: { taken, left } };
}

/** Comments for a ruleset of a state; those of its rules by index. */
interface FoundComments {
  readonly above: readonly string[];
  readonly rules: ReadonlyMap<number, readonly string[]>;
  readonly left: readonly string[];
}

const NOTHING: FoundComments = { above: [], rules: new Map(), left: [] };

function foundComments(one: StatedRuleset, configuration: Configuration | null): FoundComments {
  return one.comments === undefined
    ? configuration === null
      ? NOTHING
      : commentsOf(one, configuration)
    : { ...one.comments, left: [] };
}

function noteOf({ note }: StatedAddress): readonly string[] {
  return note === '' ? [] : [note];
}

function commentsOf({ address, rules }: StatedRuleset, configuration: Configuration): FoundComments {
  const found = blockOf(address, configuration);
  switch (found.kind) {
    case 'none':
      return { ...NOTHING, left: ['the configuration has no block of it'] };
    case 'several':
      return {
        ...NOTHING,
        left: [`several blocks have this name: ${found.blocks.map(({ path }) => path).join(', ')}`],
      };
    case 'found': {
      const stated = rules.map(({ ref, wire }) => ({ ...wire, ref }));
      const { comments, lost } = commentsOfRules(found.block, stated);
      return {
        above: found.block.above,
        rules: comments,
        left: lost === 0 ? [] : [`${lost} commented rules are not found again in the state`],
      };
    }
    default:
      return assertNever(found);
  }
}
