import { readProjectFile, guardSettings, readSource, sourceText } from '../../config/index.ts';
import type { ReadSource, LargeProject } from '../../config/index.ts';
import { RulewrightError, hasErrors, DEFAULT_SAFETY } from '../../model/index.ts';
import type { GuardFinding, GuardSetting, GuardSettings, Safety } from '../../model/index.ts';
import { compareSettings } from '../../plan/index.ts';
import type { RevisionFiles } from './revision-project.ts';

/** The guards that apply to a run, and findings about the guards themselves. */
export interface GuardBase {
  readonly safety: Safety;
  readonly findings: readonly GuardFinding[];
}

/**
 * Returns the guards of a base revision, and a finding for each guard setting that differs now, so that a change cannot loosen the
 * guards that it has to pass. Throws when the revision cannot be read, or its project file is invalid.
 */
export async function guardsOfRevision(
  project: Pick<LargeProject, 'file' | 'all' | 'textOf'>,
  base: RevisionFiles,
): Promise<GuardBase> {
  const before = new Map<string, GuardSetting>();
  const now = new Map<string, GuardSetting>();
  let safety = DEFAULT_SAFETY;
  for (const path of project.all) {
    if (base.has(path)) {
      const read = await readSource(base.folder, path);
      safety = path === project.file ? safetyOf(read, base.revision) : safety;
      settingsOf(read).forEach((value, place) => before.set(place, value));
    }
    guardSettings(sourceText(path, await project.textOf(path))).forEach((value, place) =>
      now.set(place, value),
    );
  }
  return { safety, findings: compareSettings(before, now) };
}

/** Returns the guard settings of a file; none if it cannot be read, since an invalid revision is reported elsewhere. */
function settingsOf(read: ReadSource): GuardSettings {
  return read.kind === 'read' ? guardSettings(read.source) : new Map();
}

function safetyOf(read: ReadSource, revision: string): Safety {
  const { settings, diagnostics } = readProjectFile(read);
  if (hasErrors(diagnostics)) {
    throw new RulewrightError(
      `${read.kind === 'read' ? read.source.path : read.path} of ${revision} is not valid: ${diagnostics[0]?.message ?? 'it has errors'}`,
      {
        code: 'settings/invalid-revision',
        fault: 'user',
        hint: 'name a revision with a valid project file',
      },
    );
  }
  return settings.safety;
}
