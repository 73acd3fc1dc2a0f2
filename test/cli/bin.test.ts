import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The bundle that a user gets; `npm test` builds it first. */
const BUNDLE = join(import.meta.dirname, '../../dist/cli');
const PHRASE = 'Print the version and exit';
const OTHER = 'Print the edition and exit';

let folder: string;
let cli: string;

/** The bundle as a package holds it: without compiled code. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rulewright-bin-'));
  cli = join(folder, 'dist/cli');
  cpSync(BUNDLE, cli, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.includes('compiled'),
  });
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What the program says without a command: its help, laid out by its own code. */
function help(): string {
  return spawnSync(process.execPath, [join(cli, 'main.js')], { encoding: 'utf8' }).stderr;
}

/** The folder of what was compiled, and the file of it that holds texts of the help. */
function kept(): { readonly place: string; readonly file: string; readonly code: string } {
  const place = join(cli, 'compiled', ...readdirSync(join(cli, 'compiled')));
  const name = readdirSync(place).find((one) => one.startsWith('start-')) ?? '';
  return { place, file: join(place, name), code: join(cli, name) };
}

/** Changes a text to one of the same length, which V8 does not notice. */
function edit(file: string): void {
  writeFileSync(file, readFileSync(file, 'latin1').replace(PHRASE, OTHER), 'latin1');
}

describe('the compiled code of the command line', () => {
  it('imports nothing, which it could not when it was kept', () => {
    const importing = readdirSync(cli)
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => readFileSync(join(cli, name), 'utf8').split('\n'))
      // Comments name types by it.
      .filter((line) => /(?:await|=>|=|return|\() import\(/.test(` ${line}`));
    expect(importing).toEqual([]);
  });

  it('is neither kept nor looked for in a package, which has no folder for it', () => {
    const before = readdirSync(cli);
    expect(help()).toContain(PHRASE);
    expect(readdirSync(cli)).toEqual(before);
  });

  it('is kept where there is a folder for it, and used as long as the code was not changed', () => {
    mkdirSync(join(cli, 'compiled'));
    const output = help();
    const { place, code } = kept();
    expect(readdirSync(place)).toContain('program.js');
    expect(readdirSync(place).filter((name) => !name.endsWith('.js'))).toEqual([]);
    expect(help()).toBe(output);
    edit(code);
    expect(help()).toBe(output.replace(PHRASE, OTHER));
  });

  it('is made anew where V8 does not take it, and kept apart for other settings of V8', () => {
    mkdirSync(join(cli, 'compiled'));
    help();
    const { file } = kept();
    const foreign = 'of somebody else';
    writeFileSync(file, foreign);
    help();
    // How much V8 compiled differs by some bytes from run to run.
    expect(readFileSync(file, 'latin1')).not.toBe(foreign);
    const { mtimeMs } = statSync(file);
    help();
    execFileSync(process.execPath, ['--no-lazy-feedback-allocation', join(cli, 'main.js'), 'version']);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    expect(readdirSync(join(cli, 'compiled'))).toHaveLength(2);
  });

  it.each([
    ['empty', ''],
    ['of somebody else', 'what another version compiled'],
  ])('does no harm when it is %s', (_, text) => {
    mkdirSync(join(cli, 'compiled'));
    const output = help();
    writeFileSync(kept().file, text);
    expect(help()).toBe(output);
  });

  it('is not used when it was damaged, and made anew', () => {
    mkdirSync(join(cli, 'compiled'));
    const output = help();
    const { file } = kept();
    edit(file);
    expect(readFileSync(file, 'latin1')).toContain(OTHER);
    expect(help()).toBe(output);
    expect(readFileSync(file, 'latin1')).not.toContain(OTHER);
  });

  it('leaves nothing beside it where it cannot be put in its place', () => {
    mkdirSync(join(cli, 'compiled'));
    help();
    const { place, file } = kept();
    rmSync(file);
    mkdirSync(file);
    expect(help()).toContain(PHRASE);
    expect(readdirSync(place).filter((name) => !name.endsWith('.js'))).toEqual([]);
  });

  it('does no harm where it cannot be kept', () => {
    writeFileSync(join(cli, 'compiled'), 'a file');
    expect(help()).toContain(PHRASE);
  });

  it('leaves lines of the code their numbers', () => {
    mkdirSync(join(cli, 'compiled'));
    const program = join(cli, 'program.js');
    appendFileSync(program, '\nthrow new Error("here");\n');
    const line = readFileSync(program, 'utf8').split('\n').indexOf('throw new Error("here");') + 1;
    expect(() =>
      execFileSync(process.execPath, [join(cli, 'main.js'), 'version'], { stdio: 'pipe' }),
    ).toThrow(`${program}:${line}`);
  });
});
