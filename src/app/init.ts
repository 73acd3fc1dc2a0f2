import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode, makeFolder, namingFile } from '../files/index.ts';
import { documentText } from '../config/index.ts';
import { RulewrightError, phaseAfter } from '../model/index.ts';
import { ciFiles } from './project/ci-files.ts';
import type { CiSystem } from './project/ci-files.ts';
import { writeEditorSchemas } from './project/editor-schemas.ts';
import { NEW_PROJECT_FILE, projectText } from './import/destination.ts';

/** A project to create. */
export interface InitRequest {
  readonly cwd: string;
  /** The project folder; created if missing. */
  readonly out?: string | undefined;
  /** The zone of the first file. */
  readonly zone: string;
  /** The CI system to write workflows for; null for none. */
  readonly ci: CiSystem | null;
}

/** Files that were created (`made`), and existing ones that were left alone (`there`), by path from the project folder. */
export interface InitResult {
  readonly made: readonly string[];
  readonly there: readonly string[];
}

/** The folder of an existing or future project, relative to `cwd`. */
export type ProjectPlace = Pick<InitRequest, 'cwd' | 'out'>;

/** Whether the folder has a project already. */
export function hasProject({ cwd, out = '.' }: ProjectPlace): boolean {
  return existsSync(join(resolve(cwd, out), NEW_PROJECT_FILE));
}

/** Throws `init/project-exists` where the folder has a project already. */
export function checkNoProject(place: ProjectPlace): void {
  if (hasProject(place)) {
    throw new RulewrightError(`${join(place.out ?? '.', NEW_PROJECT_FILE)} already exists.`, {
      code: 'init/project-exists',
      fault: 'user',
      hint: 'To add what is live to it: rulewright import --zone NAME. To add workflows to it: rulewright init --ci github, or --ci gitlab.',
    });
  }
}

/** Writes a project that passes `validate`, with one zone that owns one phase with an example rule. Nothing is overwritten. */
export async function initProject(request: InitRequest): Promise<InitResult> {
  checkNoProject(request);
  const { zone } = request;
  const file = `zones/${/^(?!\.)[a-z0-9.-]{1,200}$/u.test(zone.toLowerCase()) ? zone.toLowerCase() : 'zone'}.yaml`;
  return addAround(request, [
    [NEW_PROJECT_FILE, projectText(['zones/*.yaml'])],
    [file, firstZone(zone)],
  ]);
}

/** Writes those of the given files and the CI workflows that do not exist yet, and the schemas for editors. */
export async function addAround(
  { cwd, out = '.', ci }: ProjectPlace & Pick<InitRequest, 'ci'>,
  files: readonly (readonly [path: string, text: string])[] = [],
): Promise<InitResult> {
  const root = resolve(cwd, out);
  await makeFolder(root);
  const workflows = ci === null ? [] : await ciFiles(ci, root);
  const made: string[] = [];
  const there: string[] = [];
  for (const [path, text] of [...files, ...workflows]) {
    const list = (await writeNew(join(root, path), text)) ? made : there;
    list.push(path);
  }
  await writeEditorSchemas(root);
  return { made, there };
}

async function writeNew(path: string, text: string): Promise<boolean> {
  await makeFolder(dirname(path));
  try {
    await namingFile(path, () => writeFile(path, text, { flag: 'wx' }));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function firstZone(zone: string): string {
  const phase = phaseAfter('firewall-rules');
  const path = ['entrypoints', phase, 'rules'];
  const rule = {
    ref: 'challenge-scanners',
    description: 'Challenge scanners for pages that we do not have',
    expression: 'http.request.uri.path in {"/wp-login.php" "/.env"}',
    action: 'managed_challenge',
  };
  return documentText(
    { zone, entrypoints: { [phase]: { rules: [rule] } } },
    [
      {
        path: path.slice(0, 2),
        text: 'WAF custom rules: this phase of the zone will equal what is written here.',
        place: 'before',
      },
      { path: [...path, 0], text: 'A first rule, to change or to remove.', place: 'before' },
    ],
    { head: ['yaml-language-server: $schema=../.rulewright/schemas/zone.schema.json'] },
  );
}
