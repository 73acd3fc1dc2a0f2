import module, { createRequire } from 'node:module';

// The entry point of `rulewright`: loads the bundle beside this file, with Node's own cache of compiled code where it has one (from Node 22.1 on).

if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') {
  module.enableCompileCache();
}
createRequire(import.meta.url)('./program.js');
