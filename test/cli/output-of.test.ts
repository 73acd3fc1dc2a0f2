import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { outputOf } from '../../src/start/output-of.ts';

/** A pipe that holds a hundred characters. */
const pipe = (): PassThrough & { readonly fd: number } =>
  Object.assign(new PassThrough({ highWaterMark: 100 }), { fd: -1 });

let made = 0;

/** Yields pieces of text, and counts in `made` how many were taken. */
function* pieces(count: number): Iterable<string> {
  for (made = 0; made < count; made += 1) {
    yield `${String(made).padStart(9)}\n`;
  }
}

beforeEach(() => {
  made = 0;
});

describe('writeAll with a text in pieces', () => {
  it('takes pieces no faster than they are read, and writes all of them', async () => {
    const stream = pipe();
    const written = outputOf(stream).writeAll(pieces(1000));
    expect(made).toBeLessThan(50);
    const read = buffer(stream);
    await written;
    stream.end();
    expect([made, String(await read)]).toEqual([1000, [...pieces(1000)].join('')]);
  });

  it.each(['is', 'was before'])('takes no more pieces when its reader %s gone', async (when) => {
    const stream = pipe();
    stream.on('error', () => undefined);
    const leave = (): unknown => stream.destroy(new Error('EPIPE'));
    const write = (): Promise<void> => outputOf(stream).writeAll(pieces(1000));
    await (when === 'is' ? Promise.all([write(), leave()]) : Promise.all([leave(), write()]));
    expect(made).toBeLessThan(50);
  });
});
