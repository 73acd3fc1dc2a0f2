import { isOutsideProject } from '../../../app/index.ts';
import type { CliContext } from '../../context.ts';
import type { AnyFlags } from '../../flags.ts';
import { tell } from '../../result.ts';

/** Reports that a zone file was written where no pattern of the project finds it, so that plan and apply do not see it. */
export async function tellOutsideProject(
  context: CliContext,
  flags: Pick<AnyFlags, 'config' | 'quiet'>,
  path: string,
): Promise<void> {
  if (await isOutsideProject(path, { cwd: context.cwd, config: flags.config })) {
    tell(
      context,
      flags,
      `${path} is not a file of the project: name it in \`files\` of rulewright.yaml, or plan and apply do not see it`,
    );
  }
}
