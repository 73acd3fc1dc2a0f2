import { cachedDataVersionTag } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { compileParserOnce } from '../../src/cli/start/http-parser.ts';

describe('settings of V8 while the parser of the HTTP library is compiled', () => {
  test('are others, and those of before when it is', () => {
    const before = cachedDataVersionTag();
    const putBack = compileParserOnce(process.versions.node);
    // It is V8's own sum of all settings, by which it refuses compiled code.
    expect(cachedDataVersionTag()).not.toBe(before);
    putBack();
    expect(cachedDataVersionTag()).toBe(before);
  });

  test.each(['18.20.0', '99.0.0'])('stay in Node %s, which may not have them', (version) => {
    const before = cachedDataVersionTag();
    const putBack = compileParserOnce(version);
    expect(cachedDataVersionTag()).toBe(before);
    putBack();
    expect(cachedDataVersionTag()).toBe(before);
  });
});
