import type { ItemEdit, RulesetEdit, DeclaredRuleset, YamlDocument } from '../../config/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { DesiredRuleset, LiveRuleset, DesiredScope } from '../../model/index.ts';
import { followLive, hasReferences } from '../../plan/index.ts';
import type { Follow } from '../../plan/index.ts';
import { causeText } from '../../model/index.ts';
import type { DeclaredLive } from './scope-file-text.ts';
import { onlyChanged } from './differing-values.ts';
import { composedItem, followTexts } from './follow-texts.ts';
import type { ComposedPlace } from './follow-texts.ts';
import { partedUses } from './parted-uses.ts';
import { placeTold } from './place-told.ts';
import { originsOf, placeUses } from './place-uses.ts';
import type { PlacedItem } from './place-uses.ts';
import { writtenRule } from './written-rule.ts';

/** How a field of a rule follows live: only its differing values, or all of the field. */
export type Grain = 'values' | 'fields';

/** How the declaration of a ruleset has to change. */
export type RulesetUpdate =
  | { readonly kind: 'same' }
  | { readonly kind: 'kept'; readonly reason: string }
  | {
      readonly kind: 'edit';
      readonly edit: RulesetEdit;
      /** Differences that the edit does not take over: from packs or sensitive values, or a place that live does not keep. */
      readonly told: readonly string[];
    };

/** Computes the new rules of a ruleset in a file, from what is live and what the file has. */
export function itemsOf(about: {
  readonly scope: DesiredScope;
  readonly desired: DesiredRuleset;
  readonly declared: DeclaredRuleset;
  readonly live: LiveRuleset | undefined;
  readonly written: DeclaredLive | undefined;
  readonly whole: WholeScope;
  readonly grain: Grain;
  readonly composed: () => YamlDocument;
}): RulesetUpdate {
  const { desired, declared, live, written, whole, grain } = about;
  const { uses, items, isWhole } = originsOf(desired, declared);
  const stray = desired.rules.filter((_, at) => items[at] === undefined);
  if (stray.length > 0 || !isWhole) {
    const from = [...new Set(stray.map(({ cause }) => causeText(cause)))].join(', ');
    return { kind: 'kept', reason: `rules of it come from elsewhere (${from}): change them there` };
  }
  const follows = live === undefined ? [] : followLive(desired, live, whole.catalogue);
  const lost = lostSecret(desired, follows);
  if (lost !== undefined) {
    return { kind: 'kept', reason: lost };
  }
  const placed = placeUses({ uses, items, follows });
  const { order, astray } = placed;
  const edits = order.map((one) =>
    one.kind === 'use'
      ? ({ kind: 'keep', index: one.item } as const)
      : itemOf(one.follow, { ...about, index: one.item }),
  );
  const description = followedTexts(
    declared.value['description'],
    written?.value['description'] ?? '',
    grain === 'values' ? { composed: about.composed(), path: [...declared.path, 'description'] } : undefined,
  );
  const described =
    live !== undefined && desired.description !== undefined && desired.description !== live.description;
  const secretDescription = described && hasReferences(desired.description);
  return {
    kind: 'edit',
    edit: {
      kind: 'edit',
      ruleset: declared,
      items: edits,
      ...(described && !secretDescription && typeof description === 'string' ? { description } : {}),
    },
    told: [
      ...(secretDescription ? [`its description ${SECRET}`] : []),
      ...order.flatMap((one) => secretsTold(one, desired)),
      ...placeTold(desired, follows, live?.rules ?? []),
      ...partedUses(placed, { scope: about.scope, desired, declared, items, whole }),
      ...astray.map((at) => {
        const cause = desired.rules[at]?.cause;
        return `${desired.rules[at]?.ref ?? 'a rule'} comes from a pack (${cause === undefined ? '' : causeText(cause)}): change it there`;
      }),
    ],
  };
}

const SECRET =
  'holds a sensitive value and differs: what is live may be the value of before, and is not written';

function secretsTold(one: PlacedItem, desired: DesiredRuleset): readonly string[] {
  if (one.kind === 'use' || one.follow.kind !== 'edit') {
    return [];
  }
  const { desired: at, live, secret } = one.follow;
  const name = desired.rules[at]?.ref ?? live.ref;
  return [...secret]
    .filter((field) => field !== 'extra_parameters')
    .map((field) => `${field} of ${name} ${SECRET}`);
}

/**
 * Returns the reason to keep a ruleset if a rule with a sensitive value is not live while a live rule is in no file: the latter may
 * be the same rule with the former value.
 */
function lostSecret(desired: DesiredRuleset, follows: readonly Follow[]): string | undefined {
  const found = new Set(follows.flatMap((one) => (one.kind === 'insert' ? [] : [one.desired])));
  const lost = desired.rules.find((rule, at) => !found.has(at) && hasReferences(rule.content));
  return lost !== undefined && follows.some(({ kind }) => kind === 'insert')
    ? `${lost.ref ?? 'a rule'} holds a sensitive value and is not live, and a live rule is new: it may hold the value of before`
    : undefined;
}

function itemOf(
  follow: Follow,
  about: {
    readonly declared: DeclaredRuleset;
    readonly written: DeclaredLive | undefined;
    readonly index: number;
    readonly grain: Grain;
    readonly composed: () => YamlDocument;
  },
): ItemEdit {
  const { declared, written, index, grain } = about;
  const { value: wanted, notes, renamed } = writtenRule(written, follow.live);
  if (follow.kind === 'insert') {
    return { kind: 'insert', wanted, notes };
  }
  const value = declared.rules[index]?.value ?? {};
  const { fields: changed, paths, secret } = follow.kind === 'edit' ? follow : UNCHANGED;
  const fields = new Set([...changed].filter((field) => !secret.has(field)));
  if (renamed && value['ref'] === follow.live.ref) {
    fields.add('ref').add('id').add('adopt');
  }
  const next = onlyChanged({ value, wanted, fields, ...(grain === 'values' ? { paths } : {}) });
  if (fields.size === 0) {
    return { kind: 'keep', index };
  }
  const list = { composed: about.composed(), path: [...declared.path, 'rules'] };
  const place = grain === 'values' ? composedItem(list, declared.document, index) : undefined;
  return { kind: 'edit', index, wanted: followedTexts(value, next, place), notes };
}

function followedTexts(
  written: JsonValue | undefined,
  wanted: JsonValue,
  place: ComposedPlace | undefined,
): JsonValue {
  return written === undefined || place === undefined ? wanted : followTexts(written, wanted, place);
}

const UNCHANGED = { fields: new Set<string>(), paths: [], secret: new Set<string>() };
