import type { ItemEdit } from '../config/write/edit-rules.ts';
import type { DeclaredRuleset, ScopeFile } from '../config/project/scope-file.ts';
import { locateKey } from '../config/yaml/yaml-document.ts';
import type { WholeScope } from '../live/read-whole-scope.ts';
import type { LeftOut } from '../model/import-summary.ts';
import { isJsonArray, isJsonObject } from '../model/json.ts';
import type { DesiredRuleset, LiveRuleset } from '../model/ruleset.ts';
import type { DesiredScope } from '../model/state.ts';
import { followLive } from '../plan/follow-live.ts';
import type { Follow } from '../plan/follow-live.ts';
import { addressKey } from '../plan/plan-scope.ts';
import { entriesOf } from './import-entries.ts';
import { stepsLeft } from './import-scope.ts';
import type { DeclaredLive } from './import-scope.ts';

/** What is known when the files of a scope are brought up to date. */
export interface UpdateContext {
  /** The files of the scope, as they are written. */
  readonly scopeFiles: readonly ScopeFile[];
  readonly desired: DesiredScope;
  readonly declared: readonly DeclaredLive[];
  readonly leftOut: readonly LeftOut[];
  readonly nameRules: boolean;
}

/** What the declaration of a ruleset has to become. */
export type RulesetUpdate =
  | { readonly kind: 'same' }
  | { readonly kind: 'kept'; readonly reason: string }
  /** A custom ruleset that is not live any more. */
  | { readonly kind: 'remove'; readonly file: string }
  | {
      readonly kind: 'edit';
      readonly declared: DeclaredRuleset;
      readonly items: readonly ItemEdit[];
      readonly description?: string;
    };

/** Compares one declared ruleset with what is live, and says what to change in its file. */
export function updateRuleset(
  desired: DesiredRuleset,
  whole: WholeScope,
  context: UpdateContext,
): RulesetUpdate {
  const { scopeFiles, nameRules } = context;
  const entries = entriesOf(whole, [desired]);
  const scope = { ...context.desired, rulesets: [desired], rulesetOwnership: 'declared' } as const;
  if (!nameRules && stepsLeft(scope, entries, whole) === undefined) {
    return { kind: 'same' };
  }
  if (desired.presence === 'absent') {
    return { kind: 'kept', reason: 'the files ask for its deletion, and it is live' };
  }
  const declared = scopeFiles
    .flatMap(({ rulesets }) => rulesets)
    .find(({ address }) => addressKey(address) === addressKey(desired.address));
  if (declared === undefined) {
    return { kind: 'kept', reason: 'it is not declared in a file of the scope itself' };
  }
  const slot = entries[0]?.slot;
  const written = context.declared.find(({ address }) => addressKey(address) === addressKey(desired.address));
  if (slot?.kind !== 'present') {
    return desired.address.kind === 'custom'
      ? { kind: 'remove', file: declared.document.source.path }
      : { kind: 'edit', declared, items: [] };
  }
  if (written === undefined) {
    const out = context.leftOut.find(({ phase }) => phase === desired.address.phase);
    return { kind: 'kept', reason: out?.reason ?? 'it cannot be declared' };
  }
  const { ruleset } = slot;
  return itemsOf({ desired, declared, ruleset, written, whole });
}

/** The list of rules as it is to be, from what is live and what the file has. */
function itemsOf(about: {
  readonly desired: DesiredRuleset;
  readonly declared: DeclaredRuleset;
  readonly ruleset: LiveRuleset;
  readonly written: DeclaredLive;
  readonly whole: WholeScope;
}): RulesetUpdate {
  const { desired, declared, ruleset, written, whole } = about;
  const places = new Map(
    declared.rules.map(({ path }, index) => [placeOf(locateKey(declared.document, path).start), index]),
  );
  const indexOf = (at: number): number | undefined => {
    const cause = desired.rules[at]?.cause;
    return cause?.file === declared.document.source.path ? places.get(placeOf(cause)) : undefined;
  };
  const foreign = desired.rules.filter((_, at) => indexOf(at) === undefined);
  if (foreign.length > 0 || places.size !== declared.rules.length) {
    const from = [...new Set(foreign.map(({ cause }) => `${cause.file}:${cause.line}`))].join(', ');
    return { kind: 'kept', reason: `rules of it come from elsewhere (${from}): change them there` };
  }
  const items = followLive(desired, ruleset, whole.catalogue).map((follow) =>
    itemOf(follow, { declared, ruleset, written, indexOf }),
  );
  const described = desired.description !== undefined && desired.description !== ruleset.description;
  return { kind: 'edit', declared, items, ...(described ? { description: ruleset.description } : {}) };
}

function itemOf(
  follow: Follow,
  about: {
    readonly declared: DeclaredRuleset;
    readonly ruleset: LiveRuleset;
    readonly written: DeclaredLive;
    readonly indexOf: (at: number) => number | undefined;
  },
): ItemEdit {
  const { declared, written, indexOf } = about;
  const { value: wanted, notes, renamed } = writtenRule(written, follow.live.id);
  if (follow.kind === 'insert') {
    return { kind: 'insert', wanted, notes };
  }
  const index = indexOf(follow.desired) ?? 0;
  const value = declared.rules[index]?.value ?? {};
  const fields = new Set(follow.kind === 'edit' ? follow.fields : []);
  if (renamed && value['ref'] === follow.live.ref) {
    fields.add('ref').add('id').add('adopt');
  }
  return fields.size === 0
    ? { kind: 'keep', index }
    : { kind: 'edit', index, value, wanted, keys: fields, notes };
}

/** A live rule as the import would write it. */
function writtenRule(written: DeclaredLive, id: string) {
  const rules = isJsonArray(written.value['rules']) ? written.value['rules'] : [];
  const index = written.ids.indexOf(id);
  const rule = rules[index];
  const notes = written.notes.flatMap((one) =>
    one.path[0] === 'rules' && one.path[1] === index ? [{ ...one, path: one.path.slice(2) }] : [],
  );
  return {
    value: isJsonObject(rule) ? rule : {},
    notes,
    renamed: isJsonObject(rule) && rule['adopt'] === true,
  };
}

function placeOf({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}
