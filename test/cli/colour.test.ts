import { describe, expect, it } from 'vitest';
import { wantsColour, widthOf } from '../../src/cli/colour.ts';

const TERMINAL = { isTTY: true, columns: 80 };
const PIPE = { isTTY: false, columns: null };

describe('colour', () => {
  it.each([
    ['a terminal has colour', TERMINAL, {}, {}, true],
    ['a pipe has none', PIPE, {}, {}, false],
    ['NO_COLOR forbids it', TERMINAL, { NO_COLOR: '1' }, {}, false],
    ['an empty NO_COLOR says nothing', TERMINAL, { NO_COLOR: '' }, {}, true],
    ['FORCE_COLOR wants it in a pipe', PIPE, { FORCE_COLOR: '1' }, {}, true],
    ['FORCE_COLOR=0 forbids it', TERMINAL, { FORCE_COLOR: '0' }, {}, false],
    ['FORCE_COLOR counts more than NO_COLOR', PIPE, { FORCE_COLOR: '1', NO_COLOR: '1' }, {}, true],
    ['a dumb terminal has none', TERMINAL, { TERM: 'dumb' }, {}, false],
    ['--no-color counts most', PIPE, { FORCE_COLOR: '1' }, { noColor: true }, false],
  ])('%s', (_title, stream, env, flags, wanted) => {
    expect(wantsColour(stream, { env }, flags)).toBe(wanted);
  });
});

it('width is that of the terminal, within reason, and 80 elsewhere', () => {
  expect([PIPE, TERMINAL, { ...TERMINAL, columns: 10 }, { ...TERMINAL, columns: 400 }].map(widthOf)).toEqual([
    80, 80, 40, 120,
  ]);
});
