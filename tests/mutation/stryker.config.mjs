/**
 * Mutation testing of the rules that decide about money: `npm run mutation`. A mutant that no test notices is listed in
 * reports/mutation.html. A mutant that runs for ever counts as noticed.
 */
const areas = ['money', 'pricing', 'coupons', 'tax', 'shipping', 'cart', 'payments']

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tests/mutation/vitest.config.ts', related: true },
  mutate: areas.flatMap((area) => [
    `src/domain/${area}/**/*.ts`,
    `!src/domain/${area}/**/*.test.ts`,
    `!src/domain/${area}/**/*fixtures.ts`,
  ]),
  // What words of a message say is held by the tests of pages; here figures and codes are.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/data', '/dist', '/reports', '/docs', '/demo', '/deploy', '/tests/visual', '/emulator', '/bench'],
  // TypeScript 7 has no interface for programs that rewrite its settings; nothing here needs it.
  tsconfigFile: 'no-tsconfig.json',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  tempDirName: '.stryker',
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, skipFull: true },
  htmlReporter: { fileName: 'reports/mutation.html' },
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 95, low: 90, break: 85 },
}
