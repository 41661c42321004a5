import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * `alone` measures how quick something is, or takes the whole machine, and runs one file at a time; `journeys` drive a browser;
 * `recovery` kills processes and breaks what a shop depends on; `shops` start a whole shop or read a big file; `parts` may ask a
 * database or start a program; everything else is `unit`, which is quick enough for every commit.
 */
const alone = [
  'tests/bench/budgets.browser.test.ts',
  'tests/journeys/runtime/interaction.test.ts',
  'tests/journeys/theme/layout-shift.test.ts',
  'tests/security/customers/enumeration.test.ts',
  'tests/load/{overload,shedding}.test.ts',
  'tests/rehearsal/**',
]
/** They stand in for a module of Node's, or count what a whole process does in a minute. */
const apart = [
  'src/shop/customers/credentials/password-load.test.ts',
  'tests/calls/customers/accounts.test.ts',
  'tests/calls/http/refusal-log.test.ts',
]
const browsers = ['tests/journeys/**', '**/*.browser.test.{ts,tsx}']
const recovery = [
  'tests/recovery/!(matrix)/**',
  'tests/load/!(overload|shedding).test.ts',
  'src/database/engine/embedded/embedded.test.ts',
]
const slow = [...browsers, ...recovery]
const whole = [
  'tests/security/**',
  'tests/calls/**',
  'tests/deploy/{varnish,observability}.test.ts',
  'src/cli/import/import.test.ts',
]
const parts = [
  'src/{shop,database,server,cli}/**',
  'tests/{contract,deploy,docs,support,setup,bench,simulator,recovery,translation,calls,visual}/**',
  '{bench,demo,emulator,scripts}/**',
]
const filesOf = (patterns: readonly string[]) =>
  patterns.map((pattern) => (pattern.endsWith('**') ? `${pattern}/*.test.{ts,tsx}` : pattern))
const never = ['**/node_modules/**', 'dist/**', '.stryker/**']

/**
 * Whoever starts a whole shop imports all of it, and would be related to every file. So `vitest related src/domain/coupons/…` runs what is
 * quick and imports the file, and of whole shops and browsers the tests that have its area in their name.
 */
const notRelated = process.argv[2] === 'related' ? [`**/!(${namesOfAreas(process.argv.slice(3))}).test.{ts,tsx}`] : []
function namesOfAreas(words: readonly string[]): string {
  const areas = words.flatMap((word) => /\bsrc\/[\w-]+\/(?:[\w-]+\/)*?([\w-]+?)s?\/[\w.-]+$/.exec(word)?.[1] ?? [])
  return areas.map((area) => `*${area}*`).join('|') || 'of no area'
}

/**
 * Files of one worker share what they import: reading it anew for each took nearly half of the units' time. So a test must
 * not count on being the first to use a module, unless it is one of those `apart`.
 */
const shared = { isolate: false } as const

const setupFiles = ['tests/setup/seed.ts']
/** Projects with a matrix of faults, states or methods, of which each change runs a sample. */
const withSample = [...setupFiles, 'tests/setup/sample.ts']

/** One more than cores: some always wait for a page, a lock or a provider. */
const maxWorkers = availableParallelism() + 1

/** Limits of time are there for what hangs: two cores that others use as well are slow. */
const patient = {
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // Pages take their time on a busy machine; what is so at once costs no more for it.
  expect: { poll: { timeout: 20_000 } },
}

export default defineConfig({
  test: {
    globalSetup: ['tests/setup/postgres.ts'],
    reporters: ['default', ['junit', { outputFile: 'reports/junit.xml' }]],
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles,
          include: ['{src,emulator,tests,scripts,demo,bench}/**/*.test.{ts,tsx}'],
          exclude: [...alone, ...apart, ...slow, ...whole, ...parts, ...never],
          maxWorkers,
          ...shared,
          ...patient,
          testTimeout: 60_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'parts',
          setupFiles,
          include: filesOf(parts),
          exclude: [...alone, ...apart, ...slow, ...whole, ...never],
          maxWorkers,
          ...shared,
          ...patient,
          testTimeout: 60_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'shops',
          setupFiles,
          include: filesOf(whole),
          exclude: [...alone, ...apart, ...slow, ...never, ...notRelated],
          maxWorkers,
          ...shared,
          ...patient,
        },
      },
      {
        test: {
          name: 'apart',
          include: apart,
          exclude: [...never, ...notRelated],
          maxWorkers,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'recovery',
          setupFiles: withSample,
          include: filesOf(recovery),
          exclude: [...alone, ...never, ...notRelated],
          maxWorkers,
          ...shared,
          ...patient,
        },
      },
      {
        test: {
          name: 'journeys',
          setupFiles: withSample,
          include: filesOf(browsers),
          exclude: [...alone, ...never, ...notRelated],
          maxWorkers,
          ...shared,
          ...patient,
        },
      },
      {
        test: {
          name: 'alone',
          setupFiles: withSample,
          include: filesOf(alone),
          exclude: [...never, ...notRelated],
          fileParallelism: false,
          ...patient,
        },
      },
    ],
  },
})
