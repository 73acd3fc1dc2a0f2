import { documentText } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import { isJsonArray, listOf } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { StatedAddress } from '../../import/index.ts';
import type { WholeScope } from '../../live/index.ts';
import { addressKey, phaseFacts } from '../../model/index.ts';
import { NO_SETTINGS } from '../import/declare-settings.ts';
import { scopeBody } from '../import/scope-file-text.ts';
import type { DeclaredLive } from '../import/scope-file-text.ts';
import type { ScopeFiles } from '../import/scope-files.ts';
import type { CommentsAbove } from './configured-names.ts';
import type { FoldableZone } from './fold-zones.ts';
import { commentsAbove } from './stated-comments.ts';
import type { PackableZone, ZonePack } from './zone-packs.ts';

/** The files of a zone that are made for the first time, and what they have to declare. */
export interface FreshZone {
  readonly files: ScopeFiles;
  readonly whole: WholeScope;
  readonly addresses: readonly StatedAddress[];
  /** The resources of its rulesets, by `addressKey`. */
  readonly resources: ReadonlyMap<string, StatedAddress>;
}

/** A zone or account whose files may share with others, or have variables. */
export interface FoldCandidate extends FoldableZone, PackableZone {
  readonly fresh: FreshZone;
}

/** A pack with its file. */
export interface PackFile {
  readonly pack: ZonePack<FoldCandidate>;
  readonly path: string;
  readonly text: string;
}

/** Returns the text of a pack, with where it comes from and the comments of its rules. */
export function packText(
  { name, key, resource, rules, locals, members, places }: ZonePack<FoldCandidate>,
  above: CommentsAbove,
): string {
  const [first] = members;
  const one = first?.fresh.files.declared.find(({ address }) => addressKey(address) === key);
  const block = first?.fresh.resources.get(key);
  const phase = one?.address.phase ?? '';
  const own = [...locals].filter(([, { common }]) => common === undefined);
  const params = Object.fromEntries(
    own.map(([local, { value }]) => [local, { type: typeOf(value), default: value }]),
  );
  const value = {
    pack: name,
    ...(phaseFacts(phase) === undefined ? {} : { phases: [phase] }),
    ...(own.length === 0 ? {} : { params }),
    rules: [...rules],
  };
  const before = (path: FileNote['path'], text: string): FileNote => ({ path, text, place: 'before' });
  return documentText(
    value,
    [
      ...own.flatMap(([local, literal]) => literal.above.map((line) => before(['params', local], line))),
      before(['rules'], resource),
      ...(block === undefined ? [] : commentsAbove(block, above)).map((line) => before(['rules'], line)),
      ...notesWithin(one?.notes ?? [], { at: places[0] ?? 0, count: rules.length }),
    ],
    { head: ['yaml-language-server: $schema=../.rulewright/schemas/pack.schema.json'] },
  );
}

/** Rules of a zone that are in a pack: the place of the first one, and how many. */
interface PackedRun {
  readonly at: number;
  readonly count: number;
}

/** Returns the notes of the rules of a run, with their places in the pack. */
function notesWithin(notes: readonly FileNote[], { at, count }: PackedRun): readonly FileNote[] {
  return notes.flatMap((note): readonly FileNote[] => {
    const [rules, index, ...rest] = note.path;
    return rules === 'rules' && typeof index === 'number' && index >= at && index < at + count
      ? [{ ...note, path: [rules, index - at, ...rest] }]
      : [];
  });
}

/** Returns the notes of the other rules, with their places around the use. */
function notesAround(notes: readonly FileNote[], { at, count }: PackedRun): readonly FileNote[] {
  return notes.flatMap((note): readonly FileNote[] => {
    const [rules, index, ...rest] = note.path;
    if (rules !== 'rules' || typeof index !== 'number' || index < at) {
      return [note];
    }
    return index < at + count ? [] : [{ ...note, path: [rules, index - count + 1, ...rest] }];
  });
}

function typeOf(value: JsonValue): string {
  return isJsonArray(value)
    ? 'list'
    : typeof value === 'number' && Number.isInteger(value)
      ? 'integer'
      : typeof value;
}

/** Returns a zone whose rulesets use the packs that are made of them. */
export function usingPacks(zone: FoldCandidate, packs: readonly PackFile[]): FoldCandidate {
  const used = packs.filter(({ pack }) => pack.members.includes(zone));
  if (used.length === 0) {
    return zone;
  }
  const { fresh } = zone;
  const declared = fresh.files.declared.map((one): DeclaredLive => {
    const key = addressKey(one.address);
    const found = used.find(({ pack }) => pack.key === key);
    if (found === undefined) {
      return one;
    }
    const { pack } = found;
    const run = { at: pack.places[pack.members.indexOf(zone)] ?? 0, count: pack.rules.length };
    const rules = listOf(one.value['rules']);
    // What stands above the rules and their block goes along with the rules; where this ruleset comes from stays.
    const note = fresh.resources.get(key)?.note;
    return {
      ...one,
      value: {
        ...one.value,
        rules: [...rules.slice(0, run.at), { use: pack.name }, ...rules.slice(run.at + run.count)],
      },
      notes: notesAround(one.notes, run).filter(({ path, text }) => path.length > 0 || text === note),
    };
  });
  const vars = used.flatMap(({ pack }) =>
    [...pack.vars].map(([name, values]) => [name, values[pack.members.indexOf(zone)] ?? null] as const),
  );
  const using = { ...fresh, files: { ...fresh.files, declared } };
  return {
    ...zone,
    fresh: using,
    body: scopeBody(declared, fresh.files.first?.settings ?? NO_SETTINGS),
    vars: new Map(vars),
  };
}
