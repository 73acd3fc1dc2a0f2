import { readProjectFile } from '../../config/project/project-file.ts';
import { guardSettings } from '../../config/project/guard-settings.ts';
import type { OutlinedProject } from '../../config/load-project.ts';
import { sourceText } from '../../config/source-text.ts';
import { RulewrightError } from '../../model/error.ts';
import type { JsonValue } from '../../model/json.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { GuardFinding } from '../../model/plan.ts';
import type { Safety } from '../../model/settings.ts';
import { DEFAULT_SAFETY } from '../../model/settings.ts';
import { compareSettings } from '../../plan/guard/settings.ts';
import { openRevision } from './git-revision.ts';

/** The guards that hold for a run, and what was found about themselves. */
export interface GuardBase {
  readonly safety: Safety;
  readonly findings: readonly GuardFinding[];
}

/**
 * The guards of a base revision, and a finding for each setting of guards that differs from it now. So a
 * change cannot loosen the guards that it has to pass. Throws when the revision cannot be read, or has a
 * project file that is not valid.
 */
export async function guardsOfRevision(
  project: Pick<OutlinedProject, 'root' | 'file' | 'all' | 'textOf'>,
  revision: string,
): Promise<GuardBase> {
  const base = await openRevision(project.root, revision);
  const ids = new Map((await base.list()).map(({ path, id }) => [path, id]));
  const before = new Map<string, JsonValue>();
  const now = new Map<string, JsonValue>();
  let safety = DEFAULT_SAFETY;
  for (let from = 0; from < project.all.length; from += AT_ONCE) {
    const paths = project.all.slice(from, from + AT_ONCE);
    const contents = await base.contents(paths.flatMap((path) => ids.get(path) ?? []));
    for (const path of paths) {
      const content = contents.get(ids.get(path) ?? '');
      if (content !== undefined) {
        const source = sourceText(path, content.toString('utf8'));
        guardSettings(source).forEach((value, place) => before.set(place, value));
        safety = path === project.file ? safetyOf(source, revision) : safety;
      }
      guardSettings(sourceText(path, await project.textOf(path))).forEach((value, place) =>
        now.set(place, value),
      );
    }
  }
  return { safety, findings: compareSettings(before, now) };
}

/** Files of the revision that are in memory at a time. */
const AT_ONCE = 100;

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
