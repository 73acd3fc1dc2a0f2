import { describe, expect, it } from 'vitest';
import { linesOn, wantsColour } from '../../src/cli/colour.ts';

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

it('linesOn wraps at the width of a terminal from 40 to 120, and does not wrap in a pipe unless COLUMNS has a width', () => {
  const wide = { ...TERMINAL, columns: 400 };
  const widths = [TERMINAL, { ...TERMINAL, columns: 10 }, wide].map((one) => linesOn(one, { env: {} }));
  expect(widths).toEqual([80, 40, 120].map((width) => ({ width, wrap: true })));
  expect(linesOn(wide, { env: { COLUMNS: '60' } })).toEqual({ width: 120, wrap: true });
  for (const COLUMNS of ['', '0', '-1', 'wide', '1e3']) {
    expect(linesOn(PIPE, { env: { COLUMNS } })).toEqual({ width: 80, wrap: false });
  }
  expect(['20', '132', '500'].map((COLUMNS) => linesOn(PIPE, { env: { COLUMNS } }).width)).toEqual([
    40, 132, 500,
  ]);
});
