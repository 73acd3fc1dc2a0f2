import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { packageFolder } from './package-folder.ts';
import { folderInRepository } from './repository-folder.ts';

/** Where the workflows of a project run. */
export type CiSystem = 'github' | 'gitlab';

/** Files of `examples/` in the package, where they go in a repository, and what the system has to be told. */
const CI_FILES = {
  github: {
    from: 'examples/github',
    // Healing writes by itself: who wants it takes heal.yml from the examples.
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

/** Whether workflows are there for a system of this name. */
export function isCiSystem(name: string): name is CiSystem {
  return Object.hasOwn(CI_FILES, name);
}

/** What the workflows need to be given before they can run, as a part of a sentence. */
export function ciNeeds(system: CiSystem): string {
  return CI_FILES[system].needs;
}

/**
 * Workflows that plan, apply and look for drift, with their paths from the project folder, which has to be
 * there. They belong into the repository's own folder and name that of the project.
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
