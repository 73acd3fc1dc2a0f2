import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../files/index.ts';
import type { LeftInSource, StatedAddress } from '../../import/index.ts';
import { IMPORTED_TYPES, REMOVED_HEAD, wayOut } from '../../import/index.ts';
import type {
  FoldedZones,
  ImportSummary,
  SourceComments,
  SourceImport,
  TerraformImport,
} from '../../model/index.ts';
import type { OctorulesSource } from '../octorules/read-octorules.ts';
import type { NewText } from '../import/write-imported.ts';
import type { Extension } from '../run/extension.ts';
import type { DeclaredSecret } from './declare-secrets.ts';
import type { StatedDifference } from './stated-scope.ts';
import type { TerraformSource } from './terraform-source.ts';

/** What became of the resources of a source. */
interface SourceOutcome {
  readonly imported: readonly StatedAddress[];
  readonly left: readonly LeftInSource[];
  readonly differences: readonly StatedDifference[];
  readonly secrets: readonly DeclaredSecret[];
  readonly folded: readonly FoldedZones[];
  readonly comments: SourceComments | null;
  /** Names of zones by their ids. */
  readonly zoneNames: ReadonlyMap<string, string>;
}

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

/** Reports what became of a source. */
export async function sourceReport(
  source: TerraformSource | OctorulesSource,
  outcome: SourceOutcome,
  place: ReportPlace,
): Promise<SourceReport> {
  const { imported, left, differences, secrets, folded, comments, zoneNames } = outcome;
  const common = {
    file: source.file,
    imported: imported.map(({ instance }) => instance),
    left: left.map(({ address, why }) => ({ address: address.instance, why })),
    variables: secrets.map(({ name, from, holder, addresses }) => ({
      name,
      from,
      holder,
      addresses: addresses.map(({ instance }) => instance),
    })),
    differences,
    folded,
    comments,
  };
  return source.kind === 'octorules'
    ? { reports: { octorules: { ...common, notes: source.notes } }, removed: null }
    : terraformReport(source, { imported, zoneNames }, { common, ...place });
}

async function terraformReport(
  { state, resources: { others } }: TerraformSource,
  { imported, zoneNames }: Pick<SourceOutcome, 'imported' | 'zoneNames'>,
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
    left: [...common.left, ...state.unusable.map((why) => ({ address: '', why }))],
    tool: state.tool,
    version: state.version,
    elsewhere: [...others].map(([type, { instances, zones }]) => ({
      type,
      instances,
      zones: zones.map((id) => zoneNames.get(id) ?? id),
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
