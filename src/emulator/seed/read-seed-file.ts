import { readFile } from 'node:fs/promises';
import { whyUnread } from '../../files/unread.ts';

/** Reads a seed from a JSON file. Throws an error that names the file when it cannot be read or is not JSON. */
export async function readSeedFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(async (error: unknown) => {
    const { reason, didYouMean } = await whyUnread(error, path, path);
    const question = didYouMean === undefined ? '' : `; ${didYouMean}`;
    throw new Error(`the seed file ${path} ${reason}${question}`, { cause: error });
  });
  try {
    const seed: unknown = JSON.parse(text);
    return seed;
  } catch (error) {
    throw new Error(`the seed file ${path} is not JSON`, { cause: error });
  }
}
