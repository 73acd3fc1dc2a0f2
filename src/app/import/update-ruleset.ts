import type { ItemEdit, RulesetEdit } from '../../config/write/desired-file.ts';
import type { FileNote } from '../../config/write/scope-text.ts';
import type { DeclaredRuleset, ScopeFile } from '../../config/project/scope-file.ts';
import type { WholeScope } from '../../live/read-whole-scope.ts';
import type { LeftOut } from '../../model/import-summary.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../model/ruleset.ts';
import type { DesiredScope } from '../../model/state.ts';
import { followLive } from '../../plan/difference/follow-live.ts';
import type { Follow } from '../../plan/difference/follow-live.ts';
import { hasReferences } from '../../plan/hide/hide-text.ts';
import type { YamlDocument } from '../../config/yaml/yaml-document.ts';
import { addressKey } from '../../model/ruleset.ts';
import { someNames } from '../../model/some-names.ts';
import { causeText, formatPlace } from '../../model/source.ts';
import { entriesOf } from './live-entries.ts';
import { rulesLeft, stepsLeft } from './declare-live.ts';
import type { DeclaredLive } from './declare-live.ts';
import { onlyChanged } from './differing-values.ts';
import type { SensitiveNames } from './name-sensitive.ts';
import { composedItem, followTexts } from './follow-texts.ts';
import type { ComposedPlace } from './follow-texts.ts';
import { partedUses } from './parted-uses.ts';
import { originsOf, placeUses } from './place-uses.ts';
import type { PlacedItem } from './place-uses.ts';

/** Whether of a field of a rule only those values follow that differ, or all of it. */
export type Grain = 'values' | 'fields';

/** The context for updating the files of a scope. */
export interface UpdateContext {
  /** The files of the scope, as they are written. */
  readonly scopeFiles: readonly ScopeFile[];
  readonly desired: DesiredScope;
  readonly declared: readonly DeclaredLive[];
  readonly leftOut: readonly LeftOut[];
  readonly nameRules: boolean;
  readonly grain: Grain;
  readonly sensitive: SensitiveNames;
  /** A file of the scope with its packs and variables put in. */
  readonly composed: (file: ScopeFile) => YamlDocument;
  /** The first file of the scope's own, with what no file declares. */
  readonly newFile: (missing: readonly DeclaredLive[]) => readonly [path: string, text: string];
}

/** What the declaration of a ruleset has to become. */
export type RulesetUpdate =
  | { readonly kind: 'same' }
  | { readonly kind: 'kept'; readonly reason: string }
  | {
      readonly kind: 'edit';
      readonly edit: RulesetEdit;
      /** What differs and comes from packs. */
      readonly told: readonly string[];
    };

/** Rules named at most, where files and live differ. */
export const MAX_NAMED = 5;

/** Compares one declared ruleset with what is live, and says what to change in its file. */
export function updateRuleset(
  desired: DesiredRuleset,
  whole: WholeScope,
  context: UpdateContext,
): RulesetUpdate {
  const { scopeFiles, nameRules, grain } = context;
  const entries = entriesOf(whole, [desired]);
  const scope = { ...context.desired, rulesets: [desired], rulesetOwnership: 'declared' } as const;
  const written = context.declared.find(({ address }) => addressKey(address) === addressKey(desired.address));
  const isSame = stepsLeft(scope, entries, whole) === undefined;
  const slot = entries[0]?.slot;
  const rules = slot?.kind === 'present' ? slot.ruleset.rules : [];
  if (isSame && !(nameRules && rules.some((rule) => writtenRule(written, rule).renamed))) {
    return { kind: 'same' };
  }
  if (desired.presence === 'absent') {
    return { kind: 'kept', reason: 'the files say that it is deleted, but it is live' };
  }
  const place = formatPlace(desired.cause);
  // By the place: a name may be written with variables, or with what stands for `${`.
  const isDeclared = ({ where }: DeclaredRuleset): boolean => formatPlace(where) === place;
  const file = scopeFiles.find(({ rulesets }) => rulesets.some(isDeclared));
  const declared = file?.rulesets.find(isDeclared);
  if (file === undefined || declared === undefined) {
    const names = rulesLeft(scope, entries, whole);
    const differing = names.length === 0 ? '' : ` in ${someNames(names, MAX_NAMED)}`;
    const advice = isSame ? ': name its rules there' : `, and live differs${differing}: change it there`;
    return { kind: 'kept', reason: `${causeText(desired.cause)} declares it for several scopes${advice}` };
  }
  const about = {
    scope: context.desired,
    desired,
    declared,
    written,
    whole,
    grain,
    composed: () => context.composed(file),
  };
  if (slot?.kind !== 'present') {
    return desired.address.kind === 'custom'
      ? { kind: 'edit', edit: { kind: 'remove', ruleset: declared }, told: [] }
      : itemsOf({ ...about, live: undefined });
  }
  if (written === undefined) {
    const out = context.leftOut.find(({ phase }) => phase === desired.address.phase);
    return { kind: 'kept', reason: out?.reason ?? 'it cannot be declared' };
  }
  return itemsOf({ ...about, live: slot.ruleset });
}

/** The list of rules as it is to be, from what is live and what the file has. */
function itemsOf(about: {
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

/** A rule with a sensitive value that is not live, beside one that no file has: it may be the same, with the value of before. */
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

/** A live rule as the import would write it. */
function writtenRule(written: DeclaredLive | undefined, { id, ref }: LiveRule) {
  const index = written?.ids.indexOf(id) ?? -1;
  const value = objectOf(rulesOf(written)[index]);
  return {
    value,
    notes: notesAt(written?.notes ?? [], index),
    /** Whether its ref is only proposed. */
    renamed: value['ref'] !== undefined && value['ref'] !== ref,
  };
}

/** All that is to be said of a rule of a ruleset, however many have the same; undefined when none of its rules is called so. */
export function notesOf(written: DeclaredLive, ref: string): readonly FileNote[] | undefined {
  const index = rulesOf(written).findIndex((rule) => isJsonObject(rule) && rule['ref'] === ref);
  return index === -1 ? undefined : notesAt(written.allNotes, index);
}

function rulesOf(written: DeclaredLive | undefined): readonly JsonValue[] {
  return isJsonArray(written?.value['rules']) ? written.value['rules'] : [];
}

function notesAt(notes: readonly FileNote[], index: number): readonly FileNote[] {
  return notes.flatMap((one) =>
    one.path[0] === 'rules' && one.path[1] === index ? [{ ...one, path: one.path.slice(2) }] : [],
  );
}
