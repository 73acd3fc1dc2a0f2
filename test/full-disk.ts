import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';

/** A disk that has no room for some texts that are appended to files; gives what makes room again, as the end of the test does. */
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
