import { cachedDataVersionTag } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { compileParserOnce } from '../../src/cli/start/http-parser.ts';

describe('the V8 settings', () => {
  test('differ while the HTTP parser compiles, and are restored afterwards', () => {
    const before = cachedDataVersionTag();
    const putBack = compileParserOnce(process.versions.node);
    // The tag sums up all settings of V8, which refuses compiled code of another tag.
    expect(cachedDataVersionTag()).not.toBe(before);
    putBack();
    expect(cachedDataVersionTag()).toBe(before);
  });

  test.each(['18.20.0', '99.0.0'])('stay unchanged in Node %s, which may not know them', (version) => {
    const before = cachedDataVersionTag();
    const putBack = compileParserOnce(version);
    expect(cachedDataVersionTag()).toBe(before);
    putBack();
    expect(cachedDataVersionTag()).toBe(before);
  });
});
