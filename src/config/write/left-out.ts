import { commentLine } from './scope-text.ts';

const HEADING = 'Left out, and so not touched:';

/** A line of the list, which begins with a phase; this tells it from a comment that somebody wrote behind the list. */
const ENTRY = /^# {3}[a-z0-9]+_[a-z0-9_]+(?:, custom ruleset ".*")?: /u;

/** Returns the lines that end a file from which something live was left out; none where nothing was. */
export function leftOutFoot(reasons: readonly string[]): readonly string[] {
  return reasons.length === 0 ? [] : ['', HEADING, ...reasons.map(entry)];
}

/** Returns a file with an up-to-date list of what was left out; a file that has no such list gets none. */
export function withLeftOut(text: string, reasons: readonly string[]): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.trimEnd() === commentLine(HEADING));
  if (at === -1) {
    return text;
  }
  const length = lines.slice(at + 1).findIndex((line) => !ENTRY.test(line));
  const end = length === -1 ? lines.length : at + 1 + length;
  const wanted = reasons.map((reason) => commentLine(entry(reason)));
  const now = lines.slice(at + 1, end).map((line) => line.trimEnd());
  if (now.length === wanted.length && now.every((line, index) => line === wanted[index])) {
    return text;
  }
  const heading = wanted.length === 0 ? [] : lines.slice(at, at + 1);
  const from = wanted.length === 0 && lines[at - 1]?.trim() === '' ? at - 1 : at;
  return [...lines.slice(0, from), ...heading, ...wanted, ...lines.slice(end)].join('\n');
}

function entry(reason: string): string {
  return `  ${reason}`;
}
