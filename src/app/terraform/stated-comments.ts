import type { StatedAddress, StatedRuleset } from '../../import/index.ts';
import { commentsOfRules } from '../../import/index.ts';
import type { SourceComments } from '../../model/index.ts';
import { addressKey, addressOfRuleset } from '../../model/index.ts';
import type { RulesetComments } from '../import/declare-live.ts';
import type { Configuration } from './configuration-files.ts';
import type { StatedWhole } from './stated-scope.ts';

/** What the configuration says above resources, without secrets. */
export interface CommentsAbove {
  readonly configuration: Configuration | null;
  readonly secrets: readonly string[];
}

/** Returns the comments above the block of a resource; none where several modules use its name. */
export function commentsAbove(
  { type, name }: StatedAddress,
  { configuration, secrets }: CommentsAbove,
): readonly string[] {
  const [one, another] = configuration?.get(`${type}.${name}`) ?? [];
  return one === undefined || another !== undefined ? [] : withoutSecrets(one.above, secrets);
}

/** Returns the lines of a comment that hold no secret. */
export function withoutSecrets(lines: readonly string[], secrets: readonly string[]): readonly string[] {
  return lines.filter((line) => !secrets.some((secret) => line.includes(secret)));
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
      left.push(...found.left.map((why) => ({ address: one.address.instance, why })));
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
  const [one, ...others] = configuration.get(`${address.type}.${address.name}`) ?? [];
  if (one === undefined) {
    return { ...NOTHING, left: ['the configuration has no block of it'] };
  }
  if (others.length > 0) {
    return {
      ...NOTHING,
      left: [`several blocks have this name: ${[one, ...others].map(({ path }) => path).join(', ')}`],
    };
  }
  const { comments, lost } = commentsOfRules(
    one,
    rules.map(({ ref, wire }) => ({ ...wire, ref })),
  );
  return {
    above: one.above,
    rules: comments,
    left: [
      ...(lost === 0 ? [] : [`${lost} commented rules are not found again in the state`]),
      ...(one.isComputed ? ['some of its rules are computed, and stay as the values that came of it'] : []),
    ],
  };
}
