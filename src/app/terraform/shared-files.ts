import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadTexts, settingsValue, sourceText } from '../../config/index.ts';
import type { FileNote, ProjectVariable } from '../../config/index.ts';
import { canonicalJson, groupBy, jsonEqual } from '../../data/index.ts';
import { addressKey } from '../../model/index.ts';
import type { FoldedZones } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import { NO_LISTS } from '../import/declare-lists.ts';
import { NO_SETTINGS } from '../import/declare-settings.ts';
import { withVariables } from '../import/destination.ts';
import type { UsableDestination } from '../import/destination.ts';
import { entriesOf } from '../import/live-entries.ts';
import { rulesetsNotes, scopeBody, scopeFileText } from '../import/scope-file-text.ts';
import type { ScopeFiles } from '../import/scope-files.ts';
import { stepsLeft } from '../import/steps-left.ts';
import { configuredNames } from './configured-names.ts';
import type { CommentsAbove, ConfiguredLocal } from './configured-names.ts';
import { variableName } from './declare-secrets.ts';
import type { SharedDocument } from './fold-zones.ts';
import { foldZones, freeName } from './fold-zones.ts';
import { packText, usingPacks } from './pack-files.ts';
import type { FoldCandidate, FreshZone, PackFile } from './pack-files.ts';
import { takenNames } from './stated-import.ts';
import type { TakenFromSource } from './stated-import.ts';
import { zonePacks } from './zone-packs.ts';

/** Returns the zones and accounts that have their first files from a source. */
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

/** Zones with one file for all of them, or a scope whose file has variables, or packs, that a file of its own would not have. */
interface SharedFile {
  readonly folded: FoldedZones;
  readonly text: string;
  readonly members: readonly ScopeFiles[];
  readonly locals: readonly ConfiguredLocal[];
}

/** Files that zones share, and the packs that these files use. */
export interface SharedFiles {
  /** With the variables that several files use. */
  readonly destination: UsableDestination;
  readonly files: readonly SharedFile[];
  readonly packs: readonly SharedFile[];
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
export function sharedFiles(fresh: readonly FreshZone[], place: FoldPlace): SharedFiles {
  const { destination } = place;
  const apart = filesOf(fresh, place, new Map());
  const common = place.alike
    ? commonLocals([...apart.files, ...apart.packs], new Set(takenNames(destination)))
    : [];
  if (common.length === 0) {
    return { ...apart, destination };
  }
  const names = new Map(common.flatMap(({ name, keys }) => keys.map((key) => [key, name] as const)));
  const around = withVariables(destination, common);
  return { ...filesOf(fresh, { ...place, destination: around }, names), destination: around };
}

/** A local that several files use, and what it goes by. */
interface CommonLocal extends ProjectVariable {
  /** Those of modules that are given it. */
  readonly keys: readonly string[];
}

/** Returns the locals that several files have as variables: the project is to have them once. */
function commonLocals(files: readonly SharedFile[], taken: ReadonlySet<string>): readonly CommonLocal[] {
  const all = files.flatMap(({ locals, folded }) => locals.map((local) => ({ local, file: folded.file })));
  const groups = groupBy(all, ({ local: { name, value } }) => canonicalJson([name, value]));
  const names = new Set(taken);
  return [...groups.values()].flatMap((some): readonly CommonLocal[] => {
    const [first] = some;
    if (first === undefined || new Set(some.map(({ file }) => file)).size < 2) {
      return [];
    }
    const { value } = first.local;
    const above = some.map(({ local }) => local.above).find((lines) => lines.length > 0) ?? [];
    const name = freeName(variableName(first.local.name), (one) => !names.has(one));
    names.add(name);
    return [{ name, value, above, keys: [...new Set(some.map(({ local: { key } }) => key))] }];
  });
}

function filesOf(
  fresh: readonly FreshZone[],
  place: FoldPlace,
  common: ReadonlyMap<string, string>,
): Omit<SharedFiles, 'destination'> {
  const candidates = fresh.flatMap((one): readonly FoldCandidate[] => {
    const { kind, leftOut, declared } = one.files;
    const isWhole = declared.every(({ unfit }) => unfit === undefined);
    return kind === 'new' && leftOut.length === 0 && isWhole ? [candidateOf(one, place, common)] : [];
  });
  const zones = candidates.filter((one) => one.fresh.whole.scope.kind === 'zone');
  const accounts = candidates.filter((one) => !zones.includes(one));
  const { exact } = foldedFiles(zones, [], place);
  const fileOfZone = new Map(exact.flatMap((one) => one.members.map(({ name }) => [name, one] as const)));
  const isApart = (members: readonly FoldCandidate[]): boolean =>
    new Set(members.map(({ name }) => fileOfZone.get(name) ?? name)).size > 1;
  const shared = place.alike
    ? withPacks(zones, isApart, place)
    : { files: exact.map(({ file }) => file), packs: [] };
  const ofAccounts = foldedFiles(accounts, [], { ...place, alike: false });
  return { ...shared, files: [...ofAccounts.exact.map(({ file }) => file), ...shared.files] };
}

function candidateOf(
  fresh: FreshZone,
  above: CommentsAbove,
  common: ReadonlyMap<string, string>,
): FoldCandidate {
  const { declared, name, first } = fresh.files;
  const { items, locals } = configuredNames(fresh.addresses, above);
  return {
    name,
    body: scopeBody(declared, first?.settings ?? NO_SETTINGS),
    fresh,
    names: {
      items,
      locals: new Map([...locals].map(([key, local]) => [key, { ...local, common: common.get(key) }])),
    },
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
): Omit<SharedFiles, 'destination'> {
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
    ).map((pack) => ({
      pack,
      path: freePath(destination.root, 'packs', pack.name),
      text: packText(pack, place),
    }));
    const using = candidates.map((zone) => usingPacks(zone, packs));
    const { exact, inexact } = foldedFiles(using, packs, place);
    const lost = inexact.filter(({ vars }) => vars !== undefined);
    if (lost.length === 0) {
      return { files: exact.map(({ file }) => file), packs: packs.map(packOf) };
    }
    const names = new Set(lost.map(({ name }) => name));
    for (const one of candidates) {
      if (names.has(one.name)) {
        unfit.add(one);
      }
    }
  }
}

function packOf({ pack: { name, members, vars, locals }, path, text }: PackFile): SharedFile {
  return {
    text,
    members: members.map(({ fresh }) => fresh.files),
    locals: [...locals.values()],
    folded: {
      file: path,
      pack: name,
      zones: members.map(({ name: zone }) => zone),
      variables: [...vars.keys()],
      locals: [...locals.keys()],
    },
  };
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
  const paths = new Set(candidates.flatMap(({ fresh }) => [...fresh.files.texts.keys()]));
  const isWanted = ({ vars }: FoldCandidate): boolean => vars !== undefined;
  const take = (documents: readonly SharedDocument<FoldCandidate>[]): void => {
    for (const shared of documents) {
      const [first] = shared.members;
      const text = first === undefined ? '' : textOf(shared, first.fresh);
      if (isExact(shared.members, text, { destination, packs })) {
        const file = fileOf(shared, text, { root: destination.root, taken: paths });
        paths.add(file.folded.file);
        exact.push({ file, members: shared.members });
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
    packs: [...around.packs, ...packs.map(({ path, text: pack }) => sourceText(path, pack))],
  });
  return (
    diagnostics.every(({ severity }) => severity !== 'error') &&
    members.every(({ name, fresh: { whole, files } }) => {
      const desired = scopes.find(({ scope }) => scope.name === name);
      return (
        desired !== undefined &&
        jsonEqual(settingsValue(desired.settings ?? []), files.first?.settings.value ?? {}) &&
        stepsLeft(desired, entriesOf(whole, desired.rulesets), whole) === undefined
      );
    })
  );
}

function textOf(
  { members, body, vars, zones, locals }: SharedDocument<FoldCandidate>,
  { files, whole }: FreshZone,
): string {
  const about = {
    ...(members.length === 1 ? { [whole.scope.kind]: zones[0] ?? null } : { zones }),
    ...(Object.keys(vars).length === 0 ? {} : { vars }),
  };
  const above = [...locals].flatMap(([name, local]) =>
    local.above.map((text): FileNote => ({ path: ['vars', name], text, place: 'before' })),
  );
  const { lists = NO_LISTS, settings = NO_SETTINGS } = files.first ?? {};
  const content = { about, body, leftOut: files.leftOut, lists };
  if (members.length === 1) {
    const notes = [...above, ...settings.notes, ...rulesetsNotes(files.declared)];
    return scopeFileText(whole.scope.kind, { ...content, settings, notes });
  }
  const sources = members.flatMap(({ fresh: { addresses } }, index): readonly FileNote[] => {
    const text = addresses.flatMap(({ note }) => (note === '' ? [] : [note])).join(', ');
    return text === '' ? [] : [{ path: ['zones', index], text, place: 'before' }];
  });
  const own = new Set(members[0]?.fresh.addresses.map(({ note }) => note));
  // Where the rulesets of the first zone come from says nothing of the others.
  const notes = [...sources, ...above, ...rulesetsNotes(files.declared).filter(({ text }) => !own.has(text))];
  return scopeFileText('zone', { ...content, settings, notes });
}

/** A file is called after the resources that it is from, where these are few. */
const MOST_NAMES = 2;

function fileOf(
  { members, variables, locals }: SharedDocument<FoldCandidate>,
  text: string,
  { root, taken }: { readonly root: string; readonly taken: ReadonlySet<string> },
): SharedFile {
  const zones = members.flatMap(({ name, fresh }) => (fresh.whole.scope.kind === 'zone' ? [name] : []));
  const [lone] = members.flatMap(({ fresh }) => [...fresh.files.texts.keys()]);
  const shared = { text, members: members.map(({ fresh }) => fresh.files), locals: [...locals.values()] };
  const named = { pack: null, zones, variables, locals: [...locals.keys()] };
  if (members.length === 1 && lone !== undefined) {
    return { ...shared, folded: { file: lone, ...named } };
  }
  const names = new Set(members.flatMap(({ fresh }) => fresh.addresses.map(({ name }) => name)));
  const called = names.size > MOST_NAMES ? '' : slug([...names].join('-'));
  const stem = called === '' ? `${zones[0] ?? ''}-and-${zones.length - 1}-more` : called;
  return { ...shared, folded: { file: freePath(root, 'zones', stem, taken), ...named } };
}

function freePath(
  root: string,
  folder: string,
  stem: string,
  taken: ReadonlySet<string> = new Set(),
): string {
  const isFree = (name: string): boolean => {
    const path = `${folder}/${name}.yaml`;
    return !existsSync(join(root, path)) && !taken.has(path);
  };
  return `${folder}/${freeName(stem, isFree, '-')}.yaml`;
}

/** Returns the files of scopes with shared ones in their places, and the packs that these use. */
export function withShared<Files extends ScopeFiles>(
  files: Files,
  { files: shared, packs }: Omit<SharedFiles, 'destination'>,
): Files {
  const isMember = ({ members }: SharedFile): boolean => members.some(({ label }) => label === files.label);
  const one = shared.find(isMember);
  const used = packs.filter(isMember);
  return {
    ...files,
    ...(one === undefined
      ? {}
      : { texts: new Map([[one.folded.file, one.text], ...(files.first?.lists.files ?? [])]) }),
    ...(used.length === 0 ? {} : { packs: new Map(used.map(({ folded, text }) => [folded.file, text])) }),
  };
}
