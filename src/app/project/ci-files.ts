import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { packageFolder } from './package-folder.ts';
import { folderInRepository } from './repository-folder.ts';

/** A CI system that the package has workflows for. */
export type CiSystem = 'github' | 'gitlab';

/** Files of `examples/` in the package, their place in a repository, and what the CI system needs to be given. */
const CI_FILES = {
  github: {
    from: 'examples/github',
    // heal.yml is left out because it writes by itself; users who want it take it from the examples.
    files: ['plan.yml', 'apply.yml', 'drift.yml'],
    to: '.github/workflows',
    project: "project: '.'",
    needs:
      'the secret CLOUDFLARE_READ_TOKEN, and a protected environment "production" with the secret CLOUDFLARE_WRITE_TOKEN',
  },
  gitlab: {
    from: 'examples/gitlab',
    files: ['.gitlab-ci.yml'],
    to: '',
    project: "RULEWRIGHT_PROJECT: '.'",
    needs:
      'the variables CLOUDFLARE_READ_TOKEN, GITLAB_TOKEN and, limited to a protected environment "production", CLOUDFLARE_WRITE_TOKEN',
  },
} as const satisfies Record<CiSystem, unknown>;

/** Whether there are workflows for a CI system of this name. */
export function isCiSystem(name: string): name is CiSystem {
  return Object.hasOwn(CI_FILES, name);
}

/** Returns what the workflows need before they can run, as a part of a sentence. */
export function ciNeeds(system: CiSystem): string {
  return CI_FILES[system].needs;
}

/**
 * Returns the workflows that plan, apply and look for drift, by path from the project folder, which has to exist. They belong in the
 * root folder of the repository and name the project folder.
 */
export async function ciFiles(
  system: CiSystem,
  projectFolder: string,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const { from, files, to, project } = CI_FILES[system];
  const folder = folderInRepository(projectFolder);
  const up = relative(join('/', folder), '/');
  const named = project.replace(/'.*'/u, () => `'${(folder === '' ? '.' : folder).replaceAll("'", "''")}'`);
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(packageFolder(), from, file), 'utf8');
      return [join(up, to, file), text.replaceAll(project, () => named)] as const;
    }),
  );
}
