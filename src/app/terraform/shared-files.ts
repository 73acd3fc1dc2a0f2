import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, loadTexts, settingsValue, sourceText } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import { jsonEqual } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import type { StatedAddress } from '../../import/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type { FoldedZones } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import type { UsableDestination } from '../import/destination.ts';
import { entriesOf } from '../import/live-entries.ts';
import { rulesetsNotes, rulesetsValue } from '../import/scope-file-text.ts';
import type { ScopeFiles } from '../import/scope-files.ts';
import { stepsLeft } from '../import/steps-left.ts';
import { configuredNames } from './configured-names.ts';
import type { FoldableZone, SharedDocument } from './fold-zones.ts';
import { foldZones } from './fold-zones.ts';
import type { CommentsAbove } from './stated-comments.ts';
import { takenNames } from './stated-import.ts';
import type { TakenFromSource } from './stated-import.ts';

/** The files of a zone that are made for the first time, and what they have to declare. */
interface FreshZone {
  readonly files: ScopeFiles;
  readonly whole: WholeScope;
  readonly addresses: readonly StatedAddress[];
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
      : [{ files: made, whole: taken.whole, addresses: taken.imported }],
  );
}

/** Zones with one file for all of them, or a zone whose file has variables for the locals of its configuration. */
interface SharedFile {
  readonly folded: FoldedZones;
  readonly text: string;
  readonly members: readonly ScopeFiles[];
}

interface FoldCandidate extends FoldableZone {
  readonly fresh: FreshZone;
}

/**
 * Returns files for zones that are `alike`, in place of one for each; what differs is a variable, and so are the locals of the configuration. A group
 * of which the file would not say exactly what those of its zones say keeps one for each.
 */
export function sharedFiles(
  zones: readonly FreshZone[],
  destination: UsableDestination,
  { alike, ...above }: { readonly alike: boolean } & CommentsAbove,
): readonly SharedFile[] {
  const candidates = zones.flatMap((fresh): readonly FoldCandidate[] => {
    const { kind, leftOut, declared, name } = fresh.files;
    const isWhole = declared.every(({ unfit }) => unfit === undefined);
    return kind === 'new' && fresh.whole.scope.kind === 'zone' && leftOut.length === 0 && isWhole
      ? [{ name, body: bodyOf(fresh), fresh, names: configuredNames(fresh.addresses, above) }]
      : [];
  });
  return foldZones(candidates, { taken: takenNames(destination), alike }).flatMap((shared) => {
    const text = textOf(shared);
    const { scopes, diagnostics } = loadTexts(
      [sourceText('', text)],
      destination.settings,
      destination.around,
    );
    const isExact = shared.members.every(
      ({
        name,
        fresh: {
          whole,
          files: { settingsValue: settings },
        },
      }) => {
        const desired = scopes.find(({ scope }) => scope.name === name);
        return (
          desired !== undefined &&
          jsonEqual(settingsValue(desired.settings ?? []), settings ?? {}) &&
          stepsLeft(desired, entriesOf(whole, desired.rulesets), whole) === undefined
        );
      },
    );
    return isExact && diagnostics.every(({ severity }) => severity !== 'error')
      ? [fileOf(shared, text, destination.root)]
      : [];
  });
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
  const named = { zones, variables, locals: [...locals.keys()] };
  if (members.length === 1 && lone !== undefined) {
    return { ...shared, folded: { ...named, file: lone } };
  }
  const names = new Set(members.flatMap(({ fresh }) => fresh.addresses.map(({ name }) => name)));
  const called = names.size > MOST_NAMES ? '' : slug([...names].join('-'));
  const stem = called === '' ? `${zones[0] ?? ''}-and-${zones.length - 1}-more` : called;
  const own = new Set(members.flatMap(({ fresh }) => [...fresh.files.texts.keys()]));
  const file = freePath(root, stem, own);
  return { ...shared, folded: { ...named, file } };
}

function freePath(root: string, stem: string, own: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const path = `zones/${count === 1 ? stem : `${stem}-${count}`}.yaml`;
    if (!existsSync(join(root, path)) && !own.has(path)) {
      return path;
    }
  }
}

/** Returns the files of scopes with shared ones in their places. */
export function withShared<Files extends ScopeFiles>(files: Files, shared: readonly SharedFile[]): Files {
  const one = shared.find(({ members }) => members.some(({ label }) => label === files.label));
  return one === undefined ? files : { ...files, texts: new Map([[one.folded.file, one.text]]) };
}
