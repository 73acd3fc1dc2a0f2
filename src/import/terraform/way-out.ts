import { groupBy } from '../../data/index.ts';
import { compareText, shellWord } from '../../text/index.ts';
import type { StatedAddress } from './address.ts';
import type { TerraformState } from './read-state.ts';

/** How Terraform forgets what was imported, without destroying it. */
export interface WayOut {
  /** The text of `removed.tf`; null where no block can say it. */
  readonly removed: string | null;
  /** Resources of which every instance was imported. */
  readonly resources: readonly string[];
  /** Commands for single instances, which no block can name. */
  readonly commands: readonly string[];
  /** Which versions understand which form. */
  readonly versions: string;
}

/** The first line of `removed.tf`, by which a later import knows that the file is its own. */
export const REMOVED_HEAD = '# Written by rulewright import --from-terraform.';

/**
 * Terraform 1.7 brought `removed` blocks, which need `lifecycle`. OpenTofu 1.7 brought them without: they never destroyed, and `lifecycle` was an
 * error until 1.10 (opentofu/opentofu pull request 2628). No version takes the key of an instance in `from`.
 */
type BlockForm = 'with-lifecycle' | 'bare' | 'none';

function formOf({ tool, version }: Pick<TerraformState, 'tool' | 'version'>): BlockForm {
  const [, major, minor] = /^(\d+)\.(\d+)\./u.exec(version) ?? [];
  if (major === undefined || Number(major) > 1) {
    return 'with-lifecycle';
  }
  const number = Number(major) === 0 ? 0 : Number(minor);
  if (number < 7) {
    return 'none';
  }
  return tool === 'opentofu' && number < 10 ? 'bare' : 'with-lifecycle';
}

const VERSIONS: Readonly<Record<TerraformState['tool'], string>> = {
  terraform:
    'Terraform 1.7 and newer understand removed blocks; older ones need terraform state rm for each instance',
  opentofu:
    'OpenTofu 1.10 and newer understand this form; 1.7 to 1.9 want the blocks without lifecycle, which destroy nothing either; older ones need tofu state rm',
};

/** Returns how the tool of a state forgets the imported instances; `all` are those of the state that can be used. */
export function wayOut(
  { tool, version, unusable }: Pick<TerraformState, 'tool' | 'version' | 'unusable'>,
  { imported, all }: { readonly imported: readonly StatedAddress[]; readonly all: readonly StatedAddress[] },
): WayOut {
  const form = formOf({ tool, version });
  const mine = new Set(imported.map(({ instance }) => instance));
  const broken = new Set(unusable.map(({ resource }) => resource));
  const groups = groupBy(all, ({ resource }) => resource);
  const whole = [...groups].flatMap(([resource, some]) =>
    form !== 'none' && !broken.has(resource) && some.every(({ instance }) => mine.has(instance))
      ? [resource]
      : [],
  );
  const inBlocks = new Set(whole);
  const single = imported.filter(({ resource }) => !inBlocks.has(resource));
  const command = tool === 'opentofu' ? 'tofu' : 'terraform';
  const resources = whole.toSorted(compareText);
  return {
    removed: resources.length === 0 ? null : removedText(resources, form),
    resources,
    commands: single
      .map(({ instance }) => `${command} state rm ${shellWord(instance)}`)
      .toSorted(compareText),
    versions: VERSIONS[tool],
  };
}

function removedText(resources: readonly string[], form: BlockForm): string {
  const lifecycle = form === 'bare' ? '' : '\n  lifecycle {\n    destroy = false\n  }\n';
  const blocks = resources.map((resource) => `removed {\n  from = ${resource}\n${lifecycle}}\n`);
  const head = [
    REMOVED_HEAD,
    '# Put this file into the root module, take the resource blocks that it names out in the same commit, and expect',
    '# "0 to destroy" of the plan. When it is applied, this file has done its work.',
  ];
  return `${head.join('\n')}\n\n${blocks.join('\n')}`;
}
