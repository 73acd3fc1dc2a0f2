import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The bundle as it is shipped; `npm test` builds it first. */
const BUNDLE = join(import.meta.dirname, '../../dist/cli');
const PHRASE = 'Print the version and exit';
const OTHER = 'Print the edition and exit';

let folder: string;
let cli: string;
/** The folder of compiled code in the user's cache. */
let cache: string;
/** The whole environment of the program, so that it never uses the home of whoever runs the tests. */
let env: Readonly<Record<string, string>>;

/** The files that printing the help needs. */
const NEEDED = /(?:cli|main\.js|package\.json|program\.js|rolldown-runtime-[^/\\]+|start-[^/\\]+)$/;

/** Copies the bundle as a package has it, without compiled code. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rulewright-bin-'));
  cli = join(folder, 'dist/cli');
  cpSync(BUNDLE, cli, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => NEEDED.test(path),
  });
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
  const home = join(folder, 'home');
  mkdirSync(home);
  env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  cache = join(home, 'cache/rulewright/compiled');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The output without a command: the help, laid out by the code of the program. */
function help(more: Readonly<Record<string, string>> = {}): string {
  return run([join(cli, 'main.js')], more);
}

function run(argv: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  return spawnSync(process.execPath, [...argv], { encoding: 'utf8', env: { ...env, ...more } }).stderr;
}

/** Makes the folder that lets a build keep compiled code beside its code. */
function inBuild(): string {
  const place = join(cli, 'compiled');
  mkdirSync(place);
  return place;
}

/** The folder of one version of compiled code, its file with texts of the help, and the source of that file. */
function kept(compiled: string): { readonly place: string; readonly file: string; readonly code: string } {
  const place = join(compiled, ...readdirSync(compiled));
  const name = readdirSync(place).find((one) => one.startsWith('start-')) ?? '';
  return { place, file: join(place, name), code: join(cli, name) };
}

/** Replaces a text by one of the same length, which V8 does not notice. */
function edit(file: string): void {
  writeFileSync(file, readFileSync(file, 'latin1').replace(PHRASE, OTHER), 'latin1');
}

describe('the compiled code of the command line', () => {
  it('has no dynamic import, which code from the cache could not run', () => {
    const importing = readdirSync(BUNDLE)
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => readFileSync(join(BUNDLE, name), 'utf8').split('\n'))
      // The pattern leaves out comments, which name types by import(…).
      .filter((line) => /(?:await|=>|=|return|\() import\(/.test(` ${line}`));
    expect(importing).toEqual([]);
  });

  it.each([
    ['a build, beside the code', inBuild],
    ['a package, in the cache of the user', () => cache],
  ])('is kept in %s, and used until the code changes', (_, placeOf) => {
    const compiled = placeOf();
    const before = readdirSync(cli);
    const output = help();
    expect(output).toContain(PHRASE);
    const { place, file, code } = kept(compiled);
    expect(readdirSync(place)).toContain('program.js');
    expect(readdirSync(place).filter((name) => !name.endsWith('.js'))).toEqual([]);
    expect(readdirSync(cli)).toEqual(before);
    const { mtimeMs } = statSync(file);
    expect(help()).toBe(output);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    edit(code);
    expect(help()).toBe(output.replace(PHRASE, OTHER));
  });

  it('is replaced when V8 refuses it, and kept separately for other V8 settings', () => {
    const output = help();
    const { file } = kept(cache);
    for (const foreign of ['', 'of somebody else']) {
      writeFileSync(file, foreign);
      expect(help()).toBe(output);
      // Compares with the foreign text only, because the size of compiled code differs between runs.
      expect(readFileSync(file, 'latin1')).not.toBe(foreign);
    }
    const { mtimeMs } = statSync(file);
    help();
    run(['--no-opt', join(cli, 'main.js')]);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    expect(readdirSync(cache)).toHaveLength(2);
  });

  it('is not used when it is damaged, and is replaced', () => {
    const output = help();
    const { file } = kept(cache);
    edit(file);
    expect(readFileSync(file, 'latin1')).toContain(OTHER);
    expect(help()).toBe(output);
    expect(readFileSync(file, 'latin1')).not.toContain(OTHER);
  });

  it('leaves no temporary file when it cannot be moved to its place', () => {
    help();
    const { place, file } = kept(cache);
    rmSync(file);
    mkdirSync(file);
    expect(help()).toContain(PHRASE);
    expect(readdirSync(place).filter((name) => !name.endsWith('.js'))).toEqual([]);
  });

  it('is not kept, and the program still runs, when the folder beside the code is a file', () => {
    writeFileSync(join(cli, 'compiled'), 'a file');
    expect(help()).toContain(PHRASE);
    expect(existsSync(cache)).toBe(false);
  });

  it('is complete after concurrent runs', async () => {
    const runs = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [join(cli, 'main.js')], { env, stdio: 'ignore' }),
    );
    await Promise.all(runs.map((child) => once(child, 'close')));
    const { place, file } = kept(cache);
    expect(readdirSync(place).filter((name) => !name.endsWith('.js'))).toEqual([]);
    const { mtimeMs } = statSync(file);
    expect(help()).toContain(PHRASE);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  it('is kept for the four versions that were kept last', () => {
    const versions = ['a', 'b', 'c', 'd', 'e'];
    for (const [index, name] of versions.entries()) {
      mkdirSync(join(cache, name), { recursive: true, mode: 0o700 });
      utimesSync(join(cache, name), index, index);
    }
    help();
    expect(readdirSync(cache).filter((name) => name.length === 1)).toEqual(['c', 'd', 'e']);
    expect(readdirSync(cache)).toHaveLength(4);
  });

  it('is kept separately for each path of the package, because errors show the path', () => {
    help();
    const other = join(folder, 'other');
    cpSync(cli, other, { recursive: true, preserveTimestamps: true });
    run([join(other, 'main.js')]);
    expect(readdirSync(cache)).toHaveLength(2);
  });

  it.each([
    ['nobody wants it', { NODE_DISABLE_COMPILE_CACHE: '1' }],
    ['the user has no folder', { HOME: '', XDG_CACHE_HOME: '' }],
  ])('is not kept when %s', (_, more) => {
    const output = help(more);
    expect(output).toContain(PHRASE);
    expect(readdirSync(join(folder, 'home'))).toEqual([]);
  });

  it('is neither kept nor used in a folder that others can write to', () => {
    const output = help();
    const { file } = kept(cache);
    writeFileSync(file, 'of somebody else');
    chmodSync(cache, 0o770);
    expect(help()).toBe(output);
    expect(readFileSync(file, 'utf8')).toBe('of somebody else');
  });

  it('keeps the line numbers of errors', () => {
    const program = join(cli, 'program.js');
    appendFileSync(program, '\nthrow new Error("here");\n');
    const line = readFileSync(program, 'utf8').split('\n').indexOf('throw new Error("here");') + 1;
    const once = run([join(cli, 'main.js'), 'version']);
    expect(once).toContain(`${program}:${line}`);
    expect(run([join(cli, 'main.js'), 'version'])).toBe(once);
  });
});
