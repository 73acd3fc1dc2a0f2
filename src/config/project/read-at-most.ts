/** Reads all bytes of a stream; undefined as soon as there are more than `most`. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > most) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
