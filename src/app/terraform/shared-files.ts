import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, loadTexts, settingsValue, sourceText } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import { isJsonArray, jsonEqual } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { StatedAddress } from '../../import/index.ts';
import type { WholeScope } from '../../live/index.ts';
import { addressKey, phaseFacts } from '../../model/index.ts';
import type { FoldedZones } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import type { UsableDestination } from '../import/destination.ts';
import { entriesOf } from '../import/live-entries.ts';
import { rulesetsNotes, rulesetsValue } from '../import/scope-file-text.ts';
import type { DeclaredLive } from '../import/scope-file-text.ts';
import type { ScopeFiles } from '../import/scope-files.ts';
import { stepsLeft } from '../import/steps-left.ts';
import { configuredNames } from './configured-names.ts';
import type { FoldableZone, SharedDocument } from './fold-zones.ts';
import { foldZones, freeName } from './fold-zones.ts';
import type { CommentsAbove } from './stated-comments.ts';
import { commentsAbove } from './stated-comments.ts';
import { takenNames } from './stated-import.ts';
import type { TakenFromSource } from './stated-import.ts';
import { zonePacks } from './zone-packs.ts';
import type { PackableZone, ZonePack } from './zone-packs.ts';

/** The files of a zone that are made for the first time, and what they have to declare. */
interface FreshZone {
  readonly files: ScopeFiles;
  readonly whole: WholeScope;
  readonly addresses: readonly StatedAddress[];
  /** The resources of its rulesets, by `addressKey`. */
  readonly resources: ReadonlyMap<string, StatedAddress>;
}

/** Returns the zones that have their first files from a source. */
export function freshZones(
  all: readonly {
    readonly made: ScopeFiles | { readonly kind: 'failed' };
    readonly taken?: TakenFromSource;
  }[],
): readonly FreshZone[] {
  return all.flatMap(({ made, taken }) =>
    made.kind === 'failed' || taken?.whole === undefined
      ? []
      : [
          {
            files: made,
            whole: taken.whole,
            addresses: taken.imported,
            resources: taken.resources ?? new Map(),
          },
        ],
  );
}

/** Zones with one file for all of them, or a zone whose file has variables, or packs, that a file of its own would not have. */
interface SharedFile {
  readonly folded: FoldedZones;
  readonly text: string;
  readonly members: readonly ScopeFiles[];
}

/** Files that zones share, and the packs that these files use. */
interface SharedFiles {
  readonly files: readonly SharedFile[];
  readonly packs: readonly SharedFile[];
}

interface FoldCandidate extends FoldableZone, PackableZone {
  readonly fresh: FreshZone;
}

interface FoldPlace extends CommentsAbove {
  readonly destination: UsableDestination;
  /** Whether zones that are alike share files and packs. */
  readonly alike: boolean;
}

/**
 * Returns files for zones that are `alike`, in place of one for each, and packs for resource blocks that zones of several files have; what differs is
 * a variable, and so are the locals of the configuration. Zones of which a file would not say exactly what files of their own say keep these.
 */
export function sharedFiles(zones: readonly FreshZone[], place: FoldPlace): SharedFiles {
  const candidates = zones.flatMap((fresh): readonly FoldCandidate[] => {
    const { kind, leftOut, declared } = fresh.files;
    const isWhole = declared.every(({ unfit }) => unfit === undefined);
    return kind === 'new' && fresh.whole.scope.kind === 'zone' && leftOut.length === 0 && isWhole
      ? [candidateOf(fresh, place)]
      : [];
  });
  const { exact } = foldedFiles(candidates, [], place);
  const fileOfZone = new Map(exact.flatMap((one) => one.members.map(({ name }) => [name, one] as const)));
  const isApart = (members: readonly FoldCandidate[]): boolean =>
    new Set(members.map(({ name }) => fileOfZone.get(name) ?? name)).size > 1;
  return place.alike
    ? withPacks(candidates, isApart, place)
    : { files: exact.map(({ file }) => file), packs: [] };
}

function candidateOf(fresh: FreshZone, above: CommentsAbove): FoldCandidate {
  const { declared, name } = fresh.files;
  return {
    name,
    body: bodyOf(fresh),
    fresh,
    names: configuredNames(fresh.addresses, above),
    rulesets: declared.flatMap(({ address, value }) => {
      const key = addressKey(address);
      const block = fresh.resources.get(key);
      return block === undefined ? [] : [{ resource: block.resource, resourceName: block.name, key, value }];
    }),
  };
}

/** Makes packs, and the files that use them, without the zones of which these would not say exactly what they should. */
function withPacks(
  candidates: readonly FoldCandidate[],
  isApart: (members: readonly FoldCandidate[]) => boolean,
  place: FoldPlace,
): SharedFiles {
  const { destination } = place;
  const unfit = new Set<FoldCandidate>();
  for (;;) {
    const packs = zonePacks(
      candidates.filter((one) => !unfit.has(one)),
      {
        apart: isApart,
        taken: new Set(takenNames(destination)),
        packs: new Set(destination.around.packs.flatMap(({ text }) => PACK_NAME.exec(text)?.slice(1) ?? [])),
      },
    ).map((pack) => packFile(pack, place));
    const using = candidates.map((zone) => usingPacks(zone, packs));
    const { exact, inexact } = foldedFiles(using, packs, place);
    const lost = inexact.filter(({ vars }) => vars !== undefined);
    if (lost.length === 0) {
      return { files: exact.map(({ file }) => file), packs: packs.map(({ file }) => file) };
    }
    const names = new Set(lost.map(({ name }) => name));
    for (const one of candidates) {
      if (names.has(one.name)) {
        unfit.add(one);
      }
    }
  }
}

const PACK_NAME = /^pack:\s*["']?([\w-]+)/mu;

/** A file of some zones that says exactly what files of their own would. */
interface ExactFile {
  readonly file: SharedFile;
  readonly members: readonly FoldCandidate[];
}

/** Folds zones; those of a group whose file would not be exact stay alone. */
function foldedFiles(
  candidates: readonly FoldCandidate[],
  packs: readonly PackFile[],
  { destination, alike }: FoldPlace,
): { readonly exact: readonly ExactFile[]; readonly inexact: readonly FoldCandidate[] } {
  const exact: ExactFile[] = [];
  const inexact: FoldCandidate[] = [];
  const taken = takenNames(destination);
  const isWanted = ({ vars }: FoldCandidate): boolean => vars !== undefined;
  const take = (documents: readonly SharedDocument<FoldCandidate>[]): void => {
    for (const shared of documents) {
      const text = textOf(shared);
      if (isExact(shared.members, text, { destination, packs })) {
        exact.push({ file: fileOf(shared, text, destination.root), members: shared.members });
      } else if (shared.members.length > 1) {
        take(foldZones(shared.members, { taken, alike: false, isWanted }));
      } else {
        inexact.push(...shared.members);
      }
    }
  };
  take(foldZones(candidates, { taken, alike, isWanted }));
  return { exact, inexact };
}

/** Whether a file says of each of its zones what their own files would say. */
function isExact(
  members: readonly FoldCandidate[],
  text: string,
  {
    destination: { settings, around },
    packs,
  }: { readonly destination: UsableDestination; readonly packs: readonly PackFile[] },
): boolean {
  const { scopes, diagnostics } = loadTexts([sourceText('', text)], settings, {
    ...around,
    packs: [...around.packs, ...packs.map(({ file }) => sourceText(file.folded.file, file.text))],
  });
  return (
    diagnostics.every(({ severity }) => severity !== 'error') &&
    members.every(({ name, fresh: { whole, files } }) => {
      const desired = scopes.find(({ scope }) => scope.name === name);
      return (
        desired !== undefined &&
        jsonEqual(settingsValue(desired.settings ?? []), files.settingsValue ?? {}) &&
        stepsLeft(desired, entriesOf(whole, desired.rulesets), whole) === undefined
      );
    })
  );
}

/** A pack with its file. */
interface PackFile {
  readonly pack: ZonePack<FoldCandidate>;
  readonly file: SharedFile;
}

function packFile(pack: ZonePack<FoldCandidate>, { destination, ...above }: FoldPlace): PackFile {
  const { name, key, resource, rules, locals, vars, members } = pack;
  const [first] = members;
  const one = first?.fresh.files.declared.find(({ address }) => addressKey(address) === key);
  const block = first?.fresh.resources.get(key);
  const phase = one?.address.phase ?? '';
  const params = Object.fromEntries(
    [...locals].map(([local, { value }]) => [local, { type: typeOf(value), default: value }]),
  );
  const value = {
    pack: name,
    ...(phaseFacts(phase) === undefined ? {} : { phases: [phase] }),
    ...(locals.size === 0 ? {} : { params }),
    rules: [...rules],
  };
  const before = (path: FileNote['path'], text: string): FileNote => ({ path, text, place: 'before' });
  const text = documentText(
    value,
    [
      ...[...locals].flatMap(([local, literal]) =>
        literal.above.map((line) => before(['params', local], line)),
      ),
      before(['rules'], resource),
      ...(block === undefined ? [] : commentsAbove(block, above)).map((line) => before(['rules'], line)),
      ...(one?.notes ?? []).filter(({ path }) => path[0] === 'rules'),
    ],
    { head: ['yaml-language-server: $schema=../.rulewright/schemas/pack.schema.json'] },
  );
  return {
    pack,
    file: {
      text,
      members: members.map(({ fresh }) => fresh.files),
      folded: {
        file: freePath(destination.root, 'packs', name),
        pack: name,
        zones: members.map(({ name: zone }) => zone),
        variables: [...vars.keys()],
        locals: [...locals.keys()],
      },
    },
  };
}

function typeOf(value: JsonValue): string {
  return isJsonArray(value)
    ? 'list'
    : typeof value === 'number' && Number.isInteger(value)
      ? 'integer'
      : typeof value;
}

/** Returns a zone whose rulesets use the packs that are made of them. */
function usingPacks(zone: FoldCandidate, packs: readonly PackFile[]): FoldCandidate {
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
    // What stands above the rules and their block goes along with the rules; where this ruleset comes from stays.
    const note = fresh.resources.get(key)?.note;
    return {
      ...one,
      value: { ...one.value, rules: [{ use: found.pack.name }] },
      notes: one.notes.filter(({ path, text }) => path[0] !== 'rules' && (path.length > 0 || text === note)),
    };
  });
  const vars = used.flatMap(({ pack }) =>
    [...pack.vars].map(([name, values]) => [name, values[pack.members.indexOf(zone)] ?? null] as const),
  );
  const using = { ...fresh, files: { ...fresh.files, declared } };
  return { ...zone, fresh: using, body: bodyOf(using), vars: new Map(vars) };
}

function bodyOf({ files: { declared, settingsValue: settings = null } }: FreshZone): JsonObject {
  return {
    ...(settings === null ? {} : { settings }),
    ...rulesetsValue(declared),
  };
}

function textOf({ members, body, vars, zones, locals }: SharedDocument<FoldCandidate>): string {
  const [first, second] = members;
  const declared = first?.fresh.files.declared ?? [];
  const value = {
    ...(second === undefined ? { zone: zones[0] ?? null } : { zones }),
    ...(Object.keys(vars).length === 0 ? {} : { vars }),
    ...body,
  };
  const head = { head: ['yaml-language-server: $schema=../.rulewright/schemas/zone.schema.json'] };
  const above = [...locals].flatMap(([name, local]) =>
    local.above.map((text): FileNote => ({ path: ['vars', name], text, place: 'before' })),
  );
  if (second === undefined) {
    const settings = first?.fresh.files.settingsNotes ?? [];
    return documentText(value, [...above, ...settings, ...rulesetsNotes(declared)], head);
  }
  const sources = members.flatMap(({ fresh: { addresses } }, index): readonly FileNote[] => {
    const text = addresses.flatMap(({ note }) => (note === '' ? [] : [note])).join(', ');
    return text === '' ? [] : [{ path: ['zones', index], text, place: 'before' }];
  });
  const own = new Set(first?.fresh.addresses.map(({ note }) => note));
  // Where the rulesets of the first zone come from says nothing of the others.
  const notes = rulesetsNotes(declared).filter(({ text }) => !own.has(text));
  return documentText(value, [...sources, ...above, ...notes], head);
}

/** A file is called after the resources that it is from, where these are few. */
const MOST_NAMES = 2;

function fileOf(
  { members, variables, locals }: SharedDocument<FoldCandidate>,
  text: string,
  root: string,
): SharedFile {
  const zones = members.map(({ name }) => name);
  const [lone] = members.flatMap(({ fresh }) => [...fresh.files.texts.keys()]);
  const shared = { text, members: members.map(({ fresh }) => fresh.files) };
  const named = { pack: null, zones, variables, locals: [...locals.keys()] };
  if (members.length === 1 && lone !== undefined) {
    return { ...shared, folded: { ...named, file: lone } };
  }
  const names = new Set(members.flatMap(({ fresh }) => fresh.addresses.map(({ name }) => name)));
  const called = names.size > MOST_NAMES ? '' : slug([...names].join('-'));
  const stem = called === '' ? `${zones[0] ?? ''}-and-${zones.length - 1}-more` : called;
  const own = new Set(members.flatMap(({ fresh }) => [...fresh.files.texts.keys()]));
  return { ...shared, folded: { ...named, file: freePath(root, 'zones', stem, own) } };
}

function freePath(root: string, folder: string, stem: string, own: ReadonlySet<string> = new Set()): string {
  const isFree = (name: string): boolean => {
    const path = `${folder}/${name}.yaml`;
    return !existsSync(join(root, path)) && !own.has(path);
  };
  return `${folder}/${freeName(stem, isFree, '-')}.yaml`;
}

/** Returns the files of scopes with shared ones in their places, and the packs that these use. */
export function withShared<Files extends ScopeFiles>(
  files: Files,
  { files: shared, packs }: SharedFiles,
): Files {
  const isMember = ({ members }: SharedFile): boolean => members.some(({ label }) => label === files.label);
  const one = shared.find(isMember);
  const used = packs.filter(isMember);
  return {
    ...files,
    ...(one === undefined ? {} : { texts: new Map([[one.folded.file, one.text]]) }),
    ...(used.length === 0 ? {} : { packs: new Map(used.map(({ folded, text }) => [folded.file, text])) }),
  };
}
