import { isUnnamed } from '../../../app/project/project-files.ts';
import type { CliContext } from '../../context.ts';
import type { AnyFlags } from '../../flags.ts';
import { tell } from '../../result.ts';

/** Says of a zone file that was written where no pattern of the project finds it, that it counts for nothing there. */
export async function tellUnnamed(
  context: CliContext,
  flags: Pick<AnyFlags, 'config' | 'quiet'>,
  path: string,
): Promise<void> {
  if (await isUnnamed(path, { cwd: context.cwd, config: flags.config })) {
    tell(
      context,
      flags,
      `${path} is not a file of the project: name it in \`files\` of rulewright.yaml, or plan and apply do not see it`,
    );
  }
}
