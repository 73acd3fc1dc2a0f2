import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeCacheFolder, ownFolder, userCache } from '../../src/cli/start/code-cache-folder.ts';

const HOME = '/home/ada';

describe("the user's cache", () => {
  it.each([
    ['linux', { HOME }, '/home/ada/.cache/rulewright'],
    ['freebsd', { HOME }, '/home/ada/.cache/rulewright'],
    ['darwin', { HOME }, '/home/ada/Library/Caches/rulewright'],
    [
      'win32',
      { HOME, LOCALAPPDATA: String.raw`C:\Users\ada\AppData\Local` },
      String.raw`C:\Users\ada\AppData\Local\rulewright\Cache`,
    ],
    ['linux', { HOME, XDG_CACHE_HOME: '/var/cache/ada' }, '/var/cache/ada/rulewright'],
    ['darwin', { HOME, XDG_CACHE_HOME: '/var/cache/ada' }, '/var/cache/ada/rulewright'],
    [
      'linux',
      { HOME, XDG_CACHE_HOME: '/var/cache/ada', NODE_COMPILE_CACHE: '/var/node' },
      '/var/node/rulewright',
    ],
    // As the standard says.
    ['linux', { HOME, XDG_CACHE_HOME: '' }, '/home/ada/.cache/rulewright'],
    ['linux', { HOME, XDG_CACHE_HOME: 'cache', NODE_COMPILE_CACHE: 'node' }, '/home/ada/.cache/rulewright'],
  ] as const)('is on %s with %o %s', (platform, env, place) => {
    expect(userCache(env, platform)).toBe(place);
  });

  it.each([
    ['linux', {}],
    ['linux', { HOME: '' }],
    ['linux', { HOME: 'ada', LOCALAPPDATA: '/home/ada' }],
    ['win32', { HOME }],
  ] as const)('is nowhere on %s with %o', (platform, env) => {
    expect(userCache(env, platform)).toBeNull();
  });
});

describe('a folder of the user alone', () => {
  let folder: string;
  let user: number;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'rulewright-place-')));
    user = statSync(folder).uid;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made, closed to others like all that was made above it, and found again', () => {
    const wanted = join(folder, 'cache', 'rulewright');
    expect(ownFolder(wanted, user)).toBe(wanted);
    expect([wanted, join(folder, 'cache')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700,
    ]);
    expect(ownFolder(wanted, user)).toBe(wanted);
    expect(ownFolder(wanted, null)).toBe(wanted);
  });

  it('is where a link leads to', () => {
    mkdirSync(join(folder, 'there'));
    symlinkSync('there', join(folder, 'link'));
    expect(ownFolder(join(folder, 'link', 'rulewright'), user)).toBe(join(folder, 'there', 'rulewright'));
  });

  it.each([0o755, 0o750, 0o770, 0o702])('is not one of mode %o', (mode) => {
    const wanted = join(folder, 'rulewright');
    mkdirSync(wanted);
    chmodSync(wanted, mode);
    expect(ownFolder(wanted, user)).toBeNull();
  });

  it('is not made where others could exchange it: below what all can write to, without a sticky bit', () => {
    const shared = join(folder, 'shared');
    const wanted = join(shared, 'inner', 'rulewright');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    expect(ownFolder(wanted, user)).toBeNull();
    expect(existsSync(join(shared, 'inner'))).toBe(false);
    chmodSync(shared, 0o1777);
    expect(ownFolder(wanted, user)).toBe(wanted);
    // Also when it is there already, and when a link leads there.
    chmodSync(shared, 0o777);
    symlinkSync(shared, join(folder, 'link'));
    expect(ownFolder(wanted, user)).toBeNull();
    expect(ownFolder(join(folder, 'link', 'inner', 'rulewright'), user)).toBeNull();
  });

  // Only root may give a folder to a group or a user.
  it.runIf(process.getuid?.() === 0)(
    'is not made where a group can write, other than the own of the user',
    () => {
      const home = join(folder, 'home');
      mkdirSync(home);
      chmodSync(home, 0o775);
      const ada = 12_345;
      chownSync(home, ada, ada + 1);
      expect(ownFolder(join(home, 'rulewright'), ada)).toBeNull();
      expect(existsSync(join(home, 'rulewright'))).toBe(false);
      chownSync(home, ada, ada);
      // Root made what is below.
      expect(ownFolder(join(home, 'rulewright'), ada)).toBeNull();
      chownSync(join(home, 'rulewright'), ada, ada);
      expect(ownFolder(join(home, 'rulewright'), ada)).toBe(join(home, 'rulewright'));
    },
  );

  it('is not one of another user, whose home it is', () => {
    const wanted = join(folder, 'rulewright');
    mkdirSync(wanted, { mode: 0o700 });
    expect(ownFolder(wanted, user + 1)).toBeNull();
  });

  it.each([
    ['a folder', (git: string) => mkdirSync(git)],
    ['a file', (git: string) => writeFileSync(git, 'gitdir: elsewhere\n')],
  ])(
    'is not in a working tree of Git, whose .git is %s: what is there may have come with a commit',
    (_, make) => {
      mkdirSync(join(folder, 'tree', '.cache'), { recursive: true });
      make(join(folder, 'tree', '.git'));
      expect(ownFolder(join(folder, 'tree', '.cache', 'rulewright'), user)).toBeNull();
      expect(existsSync(join(folder, 'tree', '.cache', 'rulewright'))).toBe(false);
    },
  );

  it('is not where something else stands', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('nowhere', join(folder, 'link'));
    expect(ownFolder(join(folder, 'file'), user)).toBeNull();
    expect(ownFolder(join(folder, 'file', 'rulewright'), user)).toBeNull();
    expect(ownFolder(join(folder, 'link'), user)).toBeNull();
  });

  it('is beside the code where a build made one, and nowhere where nobody wants it', () => {
    const surroundings = { env: { XDG_CACHE_HOME: folder }, platform: process.platform, user };
    expect(codeCacheFolder(folder, surroundings)).toBe(join(folder, 'rulewright', 'compiled'));
    mkdirSync(join(folder, 'compiled'));
    expect(codeCacheFolder(folder, surroundings)).toBe(join(folder, 'compiled'));
    const off = { ...surroundings, env: { NODE_DISABLE_COMPILE_CACHE: '1' } };
    expect(codeCacheFolder(folder, off)).toBeNull();
  });
});
