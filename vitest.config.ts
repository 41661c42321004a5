import { defineConfig } from 'vitest/config'

/** `journeys` drive a browser or kill processes and run one at a time; everything else is `unit`. */
const slow = ['tests/journeys/**', 'tests/recovery/**', 'src/database/embedded.test.ts', '**/*.browser.test.{ts,tsx}']

export default defineConfig({
  test: {
    globalSetup: ['tests/setup/postgres.ts'],
    reporters: ['default', ['junit', { outputFile: 'reports/junit.xml' }]],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,emulator,tests,scripts,demo,bench}/**/*.test.{ts,tsx}'],
          exclude: [...slow, 'node_modules/**', 'dist/**'],
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'journeys',
          include: slow.map((pattern) => (pattern.endsWith('**') ? `${pattern}/*.test.{ts,tsx}` : pattern)),
          exclude: ['node_modules/**', 'dist/**'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          // A browser that shares two cores with everything else misses a deadline now and then; a fault fails three times.
          retry: 2,
        },
      },
    ],
  },
})
