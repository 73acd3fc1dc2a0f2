/** Paths of the process's streams and of the null device: writing to them replaces no file. */
const STREAMS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

/** Whether an absolute path names a stream. */
export function isStream(file: string): boolean {
  return STREAMS.has(file);
}
