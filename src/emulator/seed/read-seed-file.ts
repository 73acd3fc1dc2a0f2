import { readText, unreadText } from '../../files/index.ts';

/** Reads a seed from a JSON file. Throws an error that names the file when it cannot be read or is not JSON. */
export async function readSeedFile(path: string): Promise<unknown> {
  const read = await readText(path, path);
  if (read.kind === 'unread') {
    throw new Error(`the seed file ${path} ${unreadText(read)}`, { cause: read.cause });
  }
  try {
    const seed: unknown = JSON.parse(read.text);
    return seed;
  } catch (error) {
    throw new Error(`the seed file ${path} is not JSON`, { cause: error });
  }
}
