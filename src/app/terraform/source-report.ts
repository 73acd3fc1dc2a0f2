import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../files/index.ts';
import type { StatedAddress, StatedResources } from '../../import/index.ts';
import { IMPORTED_TYPES, REMOVED_HEAD, wayOut } from '../../import/index.ts';
import type { ImportSummary, SourceComments, SourceImport, TerraformImport } from '../../model/index.ts';
import type { NewText } from '../import/write-imported.ts';
import type { Extension } from '../run/extension.ts';
import { computedValues } from './computed-values.ts';
import type { SharedFiles } from './shared-files.ts';
import type { OpenedSource, TakenFromSource } from './stated-import.ts';
import { zoneNamesOf } from './stated-import.ts';
import type { TerraformSource } from './terraform-source.ts';

/** The name of the file by which Terraform forgets what was imported. */
const REMOVED_FILE = 'removed.tf';

interface ReportPlace {
  readonly root: string;
  readonly extension: Extension | undefined;
}

/** A report for the summary of an import, and the file by which Terraform forgets what was imported; null where there is none to write. */
interface SourceReport {
  readonly reports: Pick<ImportSummary, 'terraform' | 'octorules'>;
  readonly removed: NewText | null;
}

/** Reports what became of a source, by what was taken from it in each scope. */
export async function sourceReport(
  { source, resources, configuration, secrets, notAsked }: OpenedSource,
  {
    taken,
    shared: { files, packs },
    existing,
    ...place
  }: ReportPlace & {
    readonly taken: readonly TakenFromSource[];
    readonly shared: SharedFiles;
    readonly existing: Iterable<string>;
  },
): Promise<SourceReport> {
  const shared = [...files, ...packs];
  const imported = taken.flatMap((one) => one.imported);
  const left = [...resources.left, ...taken.flatMap((one) => one.left)];
  const common = {
    file: source.file,
    imported: imported.map(({ instance }) => instance),
    left: left.map(({ address, why }) => ({ address: address.instance, why })),
    notAsked,
    variables: resources.secrets.map(({ name, from, holder, addresses }) => ({
      name,
      from,
      holder,
      addresses: addresses.map(({ instance }) => instance),
    })),
    differences: taken.flatMap((one) => one.differences),
    folded: shared.map(({ folded }) => folded),
    computed: computedValues(
      imported,
      { configuration, secrets: secrets.known.map(({ value }) => value) },
      { variables: shared.flatMap(({ locals }) => locals), existing },
    ),
    comments: commentsTaken(taken, configuration !== null || source.kind === 'octorules'),
  };
  return source.kind === 'octorules'
    ? { reports: { octorules: { ...common, notes: source.notes } }, removed: null }
    : terraformReport(
        source,
        { imported, others: resources.others, zoneNames: zoneNamesOf(taken) },
        { common, ...place },
      );
}

/** Adds up what came of comments; null where there was nothing to take them from. */
function commentsTaken(taken: readonly TakenFromSource[], hasAny: boolean): SourceComments | null {
  return hasAny
    ? {
        taken: taken.reduce((sum, one) => sum + (one.comments?.taken ?? 0), 0),
        left: onceEach(taken.flatMap((one) => one.comments?.left ?? [])),
      }
    : null;
}

/** Every instance of a resource has the same to tell of its block. */
function onceEach(left: SourceComments['left']): SourceComments['left'] {
  return [...new Map(left.map((one) => [JSON.stringify(one), one])).values()];
}

async function terraformReport(
  { state }: TerraformSource,
  {
    imported,
    others,
    zoneNames,
  }: {
    readonly imported: readonly StatedAddress[];
    readonly others: StatedResources['others'];
    readonly zoneNames: ReadonlyMap<string, string>;
  },
  { common, root, extension }: ReportPlace & { readonly common: SourceImport },
): Promise<SourceReport> {
  const ours = state.instances.filter(({ address: { type } }) => IMPORTED_TYPES.includes(type));
  const { removed, resources, commands, versions } = wayOut(state, {
    imported,
    all: ours.map(({ address }) => address),
  });
  const there = await textOf(join(root, REMOVED_FILE));
  const isTaken = removed !== null && there !== null && !there.startsWith(REMOVED_HEAD);
  const commandOf = (type: string): string | null => extension?.terraformTypes.get(type) ?? null;
  const terraform: TerraformImport = {
    ...common,
    left: [...common.left, ...state.unusable.map(({ why }) => ({ address: '', why }))],
    tool: state.tool,
    version: state.version,
    elsewhere: [...others].map(([type, zones]) => ({
      type,
      instances: zones.length,
      zones: [...new Set(zones)].flatMap((id) => (id === '' ? [] : [zoneNames.get(id) ?? id])),
      command: commandOf(type),
    })),
    pending: state.pending,
    wayOut: {
      file: removed === null || isTaken ? null : REMOVED_FILE,
      isTaken,
      blocks: removed ?? '',
      resources,
      commands,
      versions,
    },
  };
  return {
    reports: { terraform },
    removed: removed === null || isTaken || removed === there ? null : { path: REMOVED_FILE, text: removed },
  };
}

/** Returns the text of a file; null where there is none. */
async function textOf(path: string): Promise<string | null> {
  return (await exists(path)) ? readFile(path, 'utf8') : null;
}
