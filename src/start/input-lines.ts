/**
 * Yields lines of UTF-8 text as they arrive. Only LF ends a line, since JSON may contain every other separator. Text after the last LF is a line as
 * well.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let open: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    open.push(first);
    for (const next of rest) {
      yield open.join('');
      open = [next];
    }
  }
  const last = open.join('') + decoder.decode();
  if (last !== '') {
    yield last;
  }
}
