import { readProjectFile } from '../config/project/project-file.ts';
import { guardSettings } from '../config/project/guard-settings.ts';
import type { Project } from '../config/load-project.ts';
import { sourceText } from '../config/source-text.ts';
import { RulewrightError } from '../model/error.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { GuardFinding } from '../model/plan.ts';
import type { Safety } from '../model/settings.ts';
import { DEFAULT_SAFETY } from '../model/settings.ts';
import { compareSettings } from '../plan/guard/settings.ts';
import { openRevision } from './git-revision.ts';

/** The guards that hold for a run, and what was found about themselves. */
export interface GuardBase {
  readonly safety: Safety;
  readonly findings: readonly GuardFinding[];
}

/** A project whose files were read: their texts by path relative to its folder. */
export interface LoadedProject {
  readonly project: Project;
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * The guards of a base revision, and a finding for each setting of guards that differs from it now. So a
 * change cannot loosen the guards that it has to pass. Throws when the revision cannot be read, or has a
 * project file that is not valid.
 */
export async function guardsOfRevision(
  { project, sources }: LoadedProject,
  revision: string,
): Promise<GuardBase> {
  const base = await openRevision(project.root, revision);
  const now = [...sources].map(([path, text]) => sourceText(path, text));
  const before = await Promise.all(
    now.map(async ({ path }) => {
      const text = await base.read(path);
      return text === null ? null : sourceText(path, text);
    }),
  );
  const known = before.filter((source) => source !== null);
  const projectFile = known.find(({ path }) => path === project.file);
  return {
    safety: projectFile === undefined ? DEFAULT_SAFETY : safetyOf(projectFile, revision),
    findings: compareSettings(guardSettings(known), guardSettings(now)),
  };
}

function safetyOf(source: ReturnType<typeof sourceText>, revision: string): Safety {
  const { settings, diagnostics } = readProjectFile({ kind: 'read', source });
  if (hasErrors(diagnostics)) {
    throw new RulewrightError(
      `${source.path} of ${revision} is not valid: ${diagnostics[0]?.message ?? 'it has errors'}`,
      {
        code: 'settings/invalid-revision',
        fault: 'user',
        hint: 'name a revision with a valid project file',
      },
    );
  }
  return settings.safety;
}
