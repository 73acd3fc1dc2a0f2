import { leftOutFoot, under, documentText } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import type { LeftOut, RulesetAddress, Scope, ScopeKind } from '../../model/index.ts';
import type { JsonObject } from '../../data/index.ts';
import type { ImportedLists } from './declare-lists.ts';
import type { ImportedSettings } from './declare-settings.ts';
import { phaseFacts } from '../../model/index.ts';
import { leftOutText } from '../../report/index.ts';

/** A live ruleset as a file declares it. */
export interface DeclaredLive {
  readonly address: RulesetAddress;
  readonly value: JsonObject;
  readonly notes: readonly FileNote[];
  /** All notes, including those left out of the file because too many rules would have them. */
  readonly allNotes: readonly FileNote[];
  /** Ids of the live rules, in the order of those in `value`. */
  readonly ids: readonly string[];
  /** Live rules that no file can declare and that `ownership` therefore leaves to others, each with the reason. */
  readonly unfit?: readonly { readonly rule: string; readonly why: string }[];
}

/** What a first file has besides rulesets. */
export interface FirstContent {
  readonly leftOut: readonly LeftOut[];
  readonly lists: ImportedLists;
  readonly settings: ImportedSettings;
}

/** Returns the text of a scope's first file. */
export function scopeFileText(
  kind: ScopeKind,
  {
    about,
    body,
    notes,
    leftOut,
    lists,
    settings,
  }: FirstContent & {
    /** Whose the file is, and its variables. */
    readonly about: JsonObject;
    /** Its settings and rulesets. */
    readonly body: JsonObject;
    /** The comments of both. */
    readonly notes: readonly FileNote[];
  },
): string {
  const value = { ...about, ...body, ...(lists.values.length === 0 ? {} : { lists: lists.values }) };
  return documentText(value, [...notes, ...lists.notes], {
    head: [`yaml-language-server: $schema=../.rulewright/schemas/${kind}.schema.json`],
    foot: leftOutFoot([...leftOut.map(leftOutText), ...lists.leftOut, ...settings.leftOut]),
  });
}

/** Returns what a file says of settings and rulesets. */
export function scopeBody(declared: readonly DeclaredLive[], { value }: ImportedSettings): JsonObject {
  return { ...(value === null ? {} : { settings: value }), ...rulesetsValue(declared) };
}

/** Returns the text of a file with only these rulesets, to check them before they are written. */
export function rulesetsText(scope: Scope, name: string, declared: readonly DeclaredLive[]): string {
  return documentText({ [scope.kind]: name, ...rulesetsValue(declared) }, placedNotes(declared));
}

/** Returns what a file says of rulesets: all but whose they are. */
function rulesetsValue(declared: readonly DeclaredLive[]): JsonObject {
  const entrypoints = declared.filter(({ address }) => address.kind === 'entrypoint');
  const customs = declared.filter(({ address }) => address.kind === 'custom');
  return {
    ...(entrypoints.length === 0
      ? {}
      : { entrypoints: Object.fromEntries(entrypoints.map(({ address, value }) => [address.phase, value])) }),
    ...(customs.length === 0 ? {} : { rulesets: customs.map(({ value }) => value) }),
  };
}

/** Returns the comments of rulesets in a file: the product of each phase, and their notes. */
export function rulesetsNotes(declared: readonly DeclaredLive[]): readonly FileNote[] {
  const products = declared.flatMap(({ address: { kind, phase } }): readonly FileNote[] => {
    const product = kind === 'entrypoint' ? phaseFacts(phase)?.product : undefined;
    return product === undefined ? [] : [{ path: ['entrypoints', phase], text: product, place: 'before' }];
  });
  return [...products, ...placedNotes(declared)];
}

/** Returns the notes of rulesets with their paths in the document of the scope. */
function placedNotes(declared: readonly DeclaredLive[]): readonly FileNote[] {
  const customs = declared.filter(({ address }) => address.kind === 'custom');
  return declared.flatMap((one) => {
    const { kind, phase } = one.address;
    return under(
      kind === 'entrypoint' ? ['entrypoints', phase] : ['rulesets', customs.indexOf(one)],
      one.notes,
    );
  });
}
