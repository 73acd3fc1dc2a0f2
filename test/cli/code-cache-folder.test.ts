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

describe('userCache', () => {
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
    // The XDG standard ignores empty and relative paths.
    ['linux', { HOME, XDG_CACHE_HOME: '' }, '/home/ada/.cache/rulewright'],
    ['linux', { HOME, XDG_CACHE_HOME: 'cache', NODE_COMPILE_CACHE: 'node' }, '/home/ada/.cache/rulewright'],
  ] as const)('on %s with %o is %s', (platform, env, place) => {
    expect(userCache(env, platform)).toBe(place);
  });

  it.each([
    ['linux', {}],
    ['linux', { HOME: '' }],
    ['linux', { HOME: 'ada', LOCALAPPDATA: '/home/ada' }],
    ['win32', { HOME }],
  ] as const)('on %s with %o is null', (platform, env) => {
    expect(userCache(env, platform)).toBeNull();
  });
});

describe('ownFolder', () => {
  let folder: string;
  let user: number;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'rulewright-place-')));
    user = statSync(folder).uid;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('makes a folder and its parents with mode 700, and finds it again', () => {
    const wanted = join(folder, 'cache', 'rulewright');
    expect(ownFolder(wanted, user)).toBe(wanted);
    expect([wanted, join(folder, 'cache')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700,
    ]);
    expect(ownFolder(wanted, user)).toBe(wanted);
    expect(ownFolder(wanted, null)).toBe(wanted);
  });

  it('returns the target of a symbolic link', () => {
    mkdirSync(join(folder, 'there'));
    symlinkSync('there', join(folder, 'link'));
    expect(ownFolder(join(folder, 'link', 'rulewright'), user)).toBe(join(folder, 'there', 'rulewright'));
  });

  it.each([0o755, 0o750, 0o770, 0o702])('refuses a folder of mode %o', (mode) => {
    const wanted = join(folder, 'rulewright');
    mkdirSync(wanted);
    chmodSync(wanted, mode);
    expect(ownFolder(wanted, user)).toBeNull();
  });

  it('refuses a folder below one that all can write to without a sticky bit, because others could replace it', () => {
    const shared = join(folder, 'shared');
    const wanted = join(shared, 'inner', 'rulewright');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    expect(ownFolder(wanted, user)).toBeNull();
    expect(existsSync(join(shared, 'inner'))).toBe(false);
    chmodSync(shared, 0o1777);
    expect(ownFolder(wanted, user)).toBe(wanted);
    // It also refuses a folder that exists already, and one behind a symbolic link.
    chmodSync(shared, 0o777);
    symlinkSync(shared, join(folder, 'link'));
    expect(ownFolder(wanted, user)).toBeNull();
    expect(ownFolder(join(folder, 'link', 'inner', 'rulewright'), user)).toBeNull();
  });

  // Only root may change the owner and the group of a folder.
  it.runIf(process.getuid?.() === 0)(
    'refuses a folder below one that a group other than the group of the user can write to',
    () => {
      const home = join(folder, 'home');
      mkdirSync(home);
      chmodSync(home, 0o775);
      const ada = 12_345;
      chownSync(home, ada, ada + 1);
      expect(ownFolder(join(home, 'rulewright'), ada)).toBeNull();
      expect(existsSync(join(home, 'rulewright'))).toBe(false);
      chownSync(home, ada, ada);
      // The folder belongs to root, who made it.
      expect(ownFolder(join(home, 'rulewright'), ada)).toBeNull();
      chownSync(join(home, 'rulewright'), ada, ada);
      expect(ownFolder(join(home, 'rulewright'), ada)).toBe(join(home, 'rulewright'));
    },
  );

  it('refuses a folder of another user', () => {
    const wanted = join(folder, 'rulewright');
    mkdirSync(wanted, { mode: 0o700 });
    expect(ownFolder(wanted, user + 1)).toBeNull();
  });

  it.each([
    ['a folder', (git: string) => mkdirSync(git)],
    ['a file', (git: string) => writeFileSync(git, 'gitdir: elsewhere\n')],
  ])(
    'refuses a folder in a Git working tree (.git is %s), because its content may come from a commit',
    (_, make) => {
      mkdirSync(join(folder, 'tree', '.cache'), { recursive: true });
      make(join(folder, 'tree', '.git'));
      expect(ownFolder(join(folder, 'tree', '.cache', 'rulewright'), user)).toBeNull();
      expect(existsSync(join(folder, 'tree', '.cache', 'rulewright'))).toBe(false);
    },
  );

  it('returns null when a file or a broken link is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('nowhere', join(folder, 'link'));
    expect(ownFolder(join(folder, 'file'), user)).toBeNull();
    expect(ownFolder(join(folder, 'file', 'rulewright'), user)).toBeNull();
    expect(ownFolder(join(folder, 'link'), user)).toBeNull();
  });

  it('is used by codeCacheFolder unless a folder is beside the code or NODE_DISABLE_COMPILE_CACHE is set', () => {
    const surroundings = { env: { XDG_CACHE_HOME: folder }, platform: process.platform, user };
    expect(codeCacheFolder(folder, surroundings)).toBe(join(folder, 'rulewright', 'compiled'));
    mkdirSync(join(folder, 'compiled'));
    expect(codeCacheFolder(folder, surroundings)).toBe(join(folder, 'compiled'));
    const off = { ...surroundings, env: { NODE_DISABLE_COMPILE_CACHE: '1' } };
    expect(codeCacheFolder(folder, off)).toBeNull();
  });
});
