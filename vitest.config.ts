import { defineConfig } from 'vitest/config'

/**
 * `journeys` drive a browser or kill processes and run one at a time; `shops` start a whole shop or read a big file;
 * everything else is `unit`, which is quick enough for every commit.
 */
const slow = [
  'tests/journeys/**',
  'tests/recovery/*.test.ts',
  'tests/recovery/!(matrix)/**',
  'src/database/embedded.test.ts',
  '**/*.browser.test.{ts,tsx}',
]
const whole = ['tests/security/**', 'tests/calls/**', 'src/cli/import.test.ts']
const filesOf = (patterns: readonly string[]) =>
  patterns.map((pattern) => (pattern.endsWith('**') ? `${pattern}/*.test.{ts,tsx}` : pattern))

export default defineConfig({
  test: {
    globalSetup: ['tests/setup/postgres.ts'],
    reporters: ['default', ['junit', { outputFile: 'reports/junit.xml' }]],
    // A database that is killed while a connection opens; `isDriversOwn` in src/database/connect.ts says why.
    onUnhandledError: (error) => !String('query' in error ? error.query : '').includes('pg_catalog.pg_type'),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,emulator,tests,scripts,demo,bench}/**/*.test.{ts,tsx}'],
          exclude: [...slow, ...whole, 'node_modules/**', 'dist/**'],
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'shops',
          include: filesOf(whole),
          exclude: [...slow, 'node_modules/**', 'dist/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Times are compared here, on two cores that others use as well. The page of proofs names what needed it.
          retry: 1,
        },
      },
      {
        test: {
          name: 'journeys',
          include: filesOf(slow),
          exclude: ['node_modules/**', 'dist/**'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          // A browser that shares two cores with everything else misses a deadline now and then; a fault fails three times.
          retry: 2,
          // Pages take their time on a busy machine; what is so at once costs no more for it.
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
})
