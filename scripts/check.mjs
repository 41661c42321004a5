import { ensureInstalled, node, run, say } from './install.mjs'

/** What every commit should pass, in the order that fails fastest; some unit tests read what is built. */
const steps = [
  ['Style and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--log-level=warn']],
  // What has not changed since the last check is not checked again.
  [
    'Types',
    'node_modules/typescript/bin/tsc',
    ['-p', '.', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/check.tsbuildinfo'],
  ],
  ['Build', 'scripts/build.mjs', []],
  ['Unit tests', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'unit', '--reporter=dot']],
]

ensureInstalled()
for (const [name, program, args] of steps) {
  const began = Date.now()
  run(node, [program, ...args])
  say(`${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`)
}
