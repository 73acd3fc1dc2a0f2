import { intervalsOf } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import { LAST_CODE_POINT } from './utf8.ts';

// Properties that depend on which code points are assigned, which differs between versions of Unicode.
const VERSION_BOUND = /^(?:C|Cn|Other|Unassigned|Assigned)$/iu;
const SCRIPT_KEYS = /^(?:sc|script)$/iu;
const EXTENSION_KEYS = /^(?:scx|script_extensions)$/iu;
const CATEGORY_KEYS = /^(?:gc|general_category)$/iu;

const known = new Map<string, Intervals>();

/**
 * Returns the code points of `\p{name}`, from the Unicode data of the JavaScript engine; undefined when the engine does not know the name
 * as written, or when its meaning depends on the version of Unicode. Code points assigned after the engine's version are missing.
 */
export function propertyCodePoints(name: string): Intervals | undefined {
  const written = /^(?:([A-Za-z_]+)\s*(?:=|:)\s*)?([A-Za-z0-9_]+)$/u.exec(name);
  const value = written?.[2];
  if (value === undefined || VERSION_BOUND.test(value)) {
    return undefined;
  }
  for (const property of candidates(written?.[1], value)) {
    const found = known.get(property) ?? scan(property);
    if (found !== undefined) {
      known.set(property, found);
      return found;
    }
  }
  return undefined;
}

/** Returns the code points of `\d`, `\s` or `\w` where Unicode is on (Annex C of Unicode's report on regular expressions). */
export function perlCodePoints(name: 'd' | 's' | 'w'): Intervals {
  const properties = {
    d: ['Nd'],
    s: ['White_Space'],
    w: ['Alphabetic', 'M', 'Nd', 'Pc', 'Join_Control'],
  }[name];
  return intervalsOf(properties.flatMap((property) => propertyCodePoints(property) ?? []));
}

function candidates(key: string | undefined, value: string): readonly string[] {
  if (key === undefined) {
    return [value, `Script=${value}`];
  }
  if (SCRIPT_KEYS.test(key)) {
    return [`Script=${value}`];
  }
  if (EXTENSION_KEYS.test(key)) {
    return [`Script_Extensions=${value}`];
  }
  return CATEGORY_KEYS.test(key) ? [`General_Category=${value}`] : [];
}

const BLOCK = 0x10_00;

/** Finds the runs of a property in all code points except surrogates, block by block. */
function scan(property: string): Intervals | undefined {
  let runs: RegExp;
  try {
    runs = new RegExp(`\\p{${property}}+`, 'gu');
  } catch {
    return undefined;
  }
  const ranges: [number, number][] = [];
  for (let block = 0; block <= LAST_CODE_POINT; block += BLOCK) {
    const unitsEach = block > 0xff_ff ? 2 : 1;
    for (const { index, 0: run } of textOfBlock(block).matchAll(runs)) {
      const first = block + index / unitsEach;
      ranges.push([first, first + run.length / unitsEach - 1]);
    }
  }
  return intervalsOf(ranges);
}

function textOfBlock(block: number): string {
  const codePoints = Array.from({ length: BLOCK }, (_, index) => block + index);
  // The second half of this block are surrogates, which would join with one another.
  return block === 0xd0_00
    ? String.fromCodePoint(...codePoints.filter((codePoint) => codePoint < 0xd8_00))
    : String.fromCodePoint(...codePoints);
}
