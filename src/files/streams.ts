/** Files that stand for a stream of the process, or for nothing: writing to them replaces nothing. */
const STREAMS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

/** Whether an absolute path names a stream. */
export function isStream(file: string): boolean {
  return STREAMS.has(file);
}
