import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    // By default one core is left idle, which on a machine of two halves the speed.
    maxWorkers: '100%',
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
