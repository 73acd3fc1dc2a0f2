// Loaded before the program: writes down each connection, process, write and look at the environment that is none of Node's own.
const { appendFileSync } = require('node:fs');
const fs = require('node:fs');

const log = process.env.EFFECTS_LOG;
const note = (what) => appendFileSync(log, `${what}\n`);
note('watching');
const real = { ...process.env };
process.env = new Proxy(real, {
  get: (target, name) => {
    if (typeof name === 'string' && /TOKEN|KEY|SECRET|EMAIL|CLOUDFLARE|PROXY/iu.test(name)) {
      note(`environment ${name}`);
    }
    return target[name];
  },
  ownKeys: (target) => {
    note('environment, all of it');
    return Reflect.ownKeys(target);
  },
});
for (const [module, names] of [
  ['node:child_process', ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']],
  ['node:net', ['connect', 'createConnection', 'createServer']],
  ['node:http', ['request', 'get', 'createServer']],
  ['node:https', ['request', 'get']],
  ['node:dns', ['lookup', 'resolve']],
]) {
  const loaded = require(module);
  for (const name of names) {
    loaded[name] = () => {
      note([module, name].join(' '));
      throw new Error('not here');
    };
  }
}
require('node:net').Socket.prototype.connect = () => note('socket');
globalThis.fetch = () => note('fetch');
for (const name of ['readFile', 'open', 'writeFile', 'mkdir', 'rename', 'rm']) {
  const before = fs.promises[name];
  fs.promises[name] = (path, ...rest) => {
    if (!/^(readFile|open)$/u.test(name)) {
      note(`write ${String(path)}`);
    } else if (/secret|outside/u.test(String(path))) {
      note(`read ${String(path)}`);
    }
    return before.call(fs.promises, path, ...rest);
  };
}
