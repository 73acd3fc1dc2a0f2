import { expect, it } from 'vitest';
import { appending } from '../../src/cli/screen.ts';
import { createFakeClock } from '../fake-clock.ts';

/** Returns the lines about ten things, of which the fourth fails, with a second before each. */
function lines(each: boolean): readonly string[] {
  const clock = createFakeClock();
  const written: string[] = [];
  const stderr = {
    write: (text: string) => void written.push(text.trimEnd()),
    writeAll: () => Promise.resolve(),
    isTTY: false,
    columns: null,
  };
  const screen = appending({ stderr, clock }, each);
  for (let done = 1; done <= 10; done += 1) {
    clock.advance(1000);
    screen.did(`zone ${done}`, { done, total: 10, failed: done === 4 });
  }
  return written;
}

it('writes a line every five seconds, for a failure and for the last thing', () => {
  expect(lines(false)).toEqual(['zone 4 (4 of 10)', 'zone 9 (9 of 10)', 'zone 10 (10 of 10)']);
});

it('writes a line for each thing where all are wanted', () => {
  expect(lines(true)).toHaveLength(10);
});
