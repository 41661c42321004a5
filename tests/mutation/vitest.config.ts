import { defineConfig } from 'vitest/config'

/** The unit tests of the pure rules alone: no database, no browser, so that thousands of mutants can be tried. */
export default defineConfig({
  test: {
    include: ['src/domain/**/*.test.ts'],
    setupFiles: ['tests/setup/seed.ts'],
    testTimeout: 15_000,
    env: { MONEY_CARTS: '600', MUTATION: '1' },
  },
})
