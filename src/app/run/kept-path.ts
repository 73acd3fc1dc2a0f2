import { join } from 'node:path';

/** Files that runs keep for later ones in the folder of a project, unless flags name others. */
const NAMES = {
  journal: 'journal.jsonl',
  retirements: 'retired.jsonl',
  emulator: 'emulator.json',
} as const;

/** Returns the path of a file that runs keep in the folder of a project. */
export function keptPath(folder: string, file: keyof typeof NAMES): string {
  return join(folder, '.rulewright', NAMES[file]);
}
