import { test, expect } from 'vitest';
import { rulewright } from './in-process.ts';
import { mkdirSync, cpSync, mkdtempSync, readFileSync, existsSync } from 'node:fs';
test('x', async () => {
  const cwd = mkdtempSync('/tmp/rw-');
  cpSync('examples/shop', cwd, { recursive: true }); mkdirSync(cwd + '/.rulewright');
  for (const c of ['validate', 'plan --emulator', 'apply --emulator --yes', 'plan --emulator --exit-code', 'drift --emulator', 'schema', 'plan --emulator --format json']) {
    const r = await rulewright(c.split(' '), { cwd });
    console.log(c, '=>', r.code, '\n' + r.stdout.slice(0, 12000) + '|' + r.stderr);
  }
  expect(1).toBe(1);
});
