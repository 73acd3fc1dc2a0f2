import { defineConfig } from 'vitest/config';

const ALL = 'test/**/*.test.ts';
const SLOW = 'test/**/*.slow.test.ts';

export default defineConfig({
  test: {
    // The slow ones start browsers, pipelines and other processes, or disturb every request of a run: `npm run test:slow`.
    projects: [
      { extends: true, test: { name: 'quick', include: [ALL], exclude: [SLOW] } },
      { extends: true, test: { name: 'slow', include: [SLOW] } },
    ],
    setupFiles: ['test/property-seed.ts'],
    // Far more than anything takes: they end what hangs, and not what a busy machine does slowly.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'threads',
    // Tests share no state, so that a worker loads each module once, and not once for each file.
    isolate: false,
    // By default one core is left idle, which on a machine of two halves the speed.
    maxWorkers: '100%',
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
