import { readText, unreadText } from '../../files/read-text.ts';
import type { Fault } from './fault.ts';
import { readFaults } from './read-faults.ts';

/** Reads a fault file (YAML or JSON). Throws an error that names the file and everything that is wrong with it. */
export async function readFaultFile(path: string): Promise<readonly Fault[]> {
  const read = await readText(path, path);
  if (read.kind === 'unread') {
    throw new Error(`the fault file ${path} ${unreadText(read)}`, { cause: read.cause });
  }
  return checkedFaults(await parse(read.text, path), `the fault file ${path}`);
}

/** Checks faults given as a value. Throws an error that lists everything that is wrong with them. */
export function checkedFaults(input: unknown, what = 'the faults'): readonly Fault[] {
  const read = readFaults(input);
  if (read.kind === 'problems') {
    throw new Error(`${what} cannot be used:\n${read.problems.map((line) => `  ${line}`).join('\n')}`);
  }
  return read.faults;
}

async function parse(text: string, path: string): Promise<unknown> {
  // Loaded on demand, because most emulators start without a fault file.
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new Error(`the fault file ${path} is not YAML: ${problem.message}`);
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return value;
}
