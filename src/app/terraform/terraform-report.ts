import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../files/index.ts';
import type { LeftInTerraform, TerraformAddress } from '../../import/index.ts';
import { IMPORTED_TYPES, REMOVED_HEAD, wayOut } from '../../import/index.ts';
import type { FoldedZones, TerraformComments, TerraformImport } from '../../model/index.ts';
import type { NewText } from '../import/write-imported.ts';
import type { Extension } from '../run/extension.ts';
import type { DeclaredSecret } from './declare-secrets.ts';
import type { StatedDifference } from './stated-scope.ts';
import type { TerraformSource } from './terraform-source.ts';

/** What became of the resources of a state. */
export interface TerraformOutcome {
  readonly imported: readonly TerraformAddress[];
  readonly left: readonly LeftInTerraform[];
  readonly differences: readonly StatedDifference[];
  readonly secrets: readonly DeclaredSecret[];
  readonly folded: readonly FoldedZones[];
  readonly comments: TerraformComments | null;
}

/** The name of the file by which Terraform forgets what was imported. */
const REMOVED_FILE = 'removed.tf';

/** Reports what became of a state, and makes the file that takes it out of Terraform; null where there is none to write. */
export async function terraformReport(
  { file, state, resources: { others } }: TerraformSource,
  outcome: TerraformOutcome,
  { root, extension }: { readonly root: string; readonly extension: Extension | undefined },
): Promise<{ readonly report: TerraformImport; readonly removed: NewText | null }> {
  const { imported, left, differences, secrets, folded, comments } = outcome;
  const ours = state.instances.filter(({ address: { type } }) => IMPORTED_TYPES.includes(type));
  const { removed, resources, commands, versions } = wayOut(state, {
    imported,
    all: ours.map(({ address }) => address),
  });
  const there = await textOf(join(root, REMOVED_FILE));
  const isTaken = removed !== null && there !== null && !there.startsWith(REMOVED_HEAD);
  const commandOf = (type: string): string | null => extension?.terraformTypes.get(type) ?? null;
  return {
    removed: removed === null || isTaken || removed === there ? null : { path: REMOVED_FILE, text: removed },
    report: {
      file,
      tool: state.tool,
      version: state.version,
      imported: imported.map(({ instance }) => instance),
      left: [
        ...left.map(({ address, why }) => ({ address: address.instance, why })),
        ...state.unusable.map((why) => ({ address: '', why })),
      ],
      elsewhere: [...others].map(([type, instances]) => ({ type, instances, command: commandOf(type) })),
      pending: state.pending,
      variables: secrets.map(({ name, from, holder, addresses }) => ({
        name,
        from,
        holder,
        addresses: addresses.map(({ instance }) => instance),
      })),
      differences,
      folded,
      comments,
      wayOut: {
        file: removed === null || isTaken ? null : REMOVED_FILE,
        isTaken,
        blocks: removed ?? '',
        resources,
        commands,
        versions,
      },
    },
  };
}

/** Returns the text of a file; null where there is none. */
async function textOf(path: string): Promise<string | null> {
  return (await exists(path)) ? readFile(path, 'utf8') : null;
}
