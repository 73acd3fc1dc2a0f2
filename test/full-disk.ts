import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';

/** Makes appending certain texts to files fail as on a full disk. Returns a function that ends this, as the end of the test does too. */
export async function fillDisk(isTooMuch: (text: string) => boolean): Promise<() => void> {
  const file = await open(import.meta.filename, 'r');
  const handle = Object.getPrototypeOf(file) as Pick<FileHandle, 'appendFile'>;
  await file.close();
  const append = handle.appendFile;
  const full = vi.spyOn(handle, 'appendFile').mockImplementation(function (this: FileHandle, text, options) {
    return isTooMuch(String(text))
      ? Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
      : append.call(this, text, options);
  });
  const makeRoom = (): void => full.mockRestore();
  onTestFinished(makeRoom);
  return makeRoom;
}
