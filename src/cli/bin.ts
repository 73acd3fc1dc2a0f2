import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

// What `rulewright` begins with: it loads the bundle beside it. Where that has a folder `compiled`, which the build makes and a package has
// not, the code that V8 compiled in earlier runs is kept there and used again: compiling is half of what most commands take to start.
// It lies beside the code, so that who could alter it could alter the code as well.

type Body = (exports: unknown, load: (name: string) => unknown, ...rest: readonly unknown[]) => void;

/** How much later than its code the compiled form may seem to be, as copies of both have the times of copying. */
const TOLERANCE_MS = 60_000;

const folder = import.meta.dirname;
const compiled = join(folder, 'compiled');
const tag = cachedDataVersionTag();
const plain = createRequire(import.meta.url);
const modules = new Map<string, { readonly exports: unknown }>();
const uncompiled = new Map<string, Script>();

/** The exports of a file beside this one, or of a module of Node's. */
function load(name: string): unknown {
  if (!name.startsWith('./')) {
    return plain(name);
  }
  const known = modules.get(name);
  if (known !== undefined) {
    return known.exports;
  }
  const module = { exports: {} };
  modules.set(name, module);
  const file = join(folder, name);
  const kept = keptFor(file);
  const script = new Script(wrap(readFileSync(file, 'utf8')), {
    filename: file,
    ...(kept === null ? {} : { cachedData: kept }),
  });
  if (kept === null || script.cachedDataRejected === true) {
    uncompiled.set(file, script);
  }
  const body: Body = script.runInThisContext();
  body(module.exports, load, module, file, folder);
  return module.exports;
}

/** V8 refuses what another version, other settings or another processor made: each has a folder of its own. */
function placeFor(file: string): string {
  return join(compiled, String(tag), basename(file));
}

/** What was compiled of a file, unless the file was changed since: of the code V8 compares no more than the length. */
function keptFor(file: string): Buffer | null {
  const kept = placeFor(file);
  try {
    return statSync(file).mtimeMs < statSync(kept).mtimeMs + TOLERANCE_MS ? readFileSync(kept) : null;
  } catch {
    return null;
  }
}

/** At the end, when all that a command needs is compiled. A run that cannot keep it is none the worse. */
function keep(): void {
  try {
    for (const [file, script] of uncompiled) {
      const kept = placeFor(file);
      mkdirSync(dirname(kept), { recursive: true });
      // Whole or not at all, also when the machine stops: V8 does not check the content.
      writeFileSync(`${kept}.${process.pid}`, script.createCachedData(), { flush: true });
      renameSync(`${kept}.${process.pid}`, kept);
    }
  } catch {
    // The folder is often somebody else's.
  }
}

if (existsSync(compiled)) {
  process.once('exit', keep);
  load('./program.js');
} else {
  plain('./program.js');
}
