import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromiumPath, isQuickest } from '../tests/support/browser/chromium.ts'

/** Everything: lint, types, build, every test. Goes on after a failure, so that one run shows all, and counts at the end. */
const root = join(import.meta.dirname, '..')
const results = join(root, 'reports/vitest.json')

const checks = [
  { name: 'Style and lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  { name: 'Types', args: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'Build', args: ['scripts/build.mjs'] },
]

process.chdir(root)
provideChromium()
const asked = process.argv.slice(2)
// What is tried at random, or by a corpus, is then tried as often as a night allows, by a seed of its own: tests/support/size.ts.
if (asked.includes('--nightly')) {
  process.env.NIGHTLY = '1'
  process.env.SEED ??= String(randomInt(2 ** 31))
  console.log(`Seed: ${process.env.SEED}. Repeat this run with: SEED=${process.env.SEED} npm run test:nightly`)
} else process.env.SAMPLE = '1'
const failedChecks = checks.filter(({ name, args }) => !passes(name, args)).map(({ name }) => name)

rmSync(results, { force: true })
const reporters = [
  '--reporter=default',
  '--reporter=junit',
  '--outputFile.junit=reports/junit.xml',
  '--reporter=json',
  `--outputFile.json=${results}`,
]
const testsPass = passes('Tests', [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...reporters,
  ...asked.filter((word) => word !== '--nightly'),
])
const count = await counted()
// A file that does not load, or an error outside every test, fails the run without failing a test.
const strays = testsPass ? 0 : Math.max(count.brokenFiles, count.failed === 0 ? 1 : 0)

for (const name of failedChecks) console.log(`Failed: ${name}`)
const failed = count.failed + strays + failedChecks.length
console.log(`${count.passed} passed, ${failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`)
process.exitCode = failed > 0 ? 1 : 0

function passes(name: string, args: readonly string[]): boolean {
  console.log(`\n── ${name}`)
  const began = Date.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  console.log(`── ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return status === 0
}

async function counted() {
  const text = await readFile(results, 'utf8').catch(() => null)
  if (text === null) return { passed: 0, failed: 0, skipped: 0, brokenFiles: 0 }
  const report: {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numTodoTests: number
    testResults: { status: string; assertionResults: unknown[] }[]
  } = JSON.parse(text)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    brokenFiles: report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
      .length,
  }
}

/** The journeys need a browser: takes what is there, and installs the system's quickest where we may. */
function provideChromium(): void {
  if (isQuickest(chromiumPath())) return
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
  if (mayInstall) {
    console.log('── Installing Chromium (once)…')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
    const install = (name: string) =>
      spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'], {
        stdio: 'inherit',
        env,
      })
    if (install('chromium-headless-shell').status !== 0 && chromiumPath() === null) install('chromium')
  }
  if (chromiumPath() !== null) return
  console.error(
    'No Chromium found: install one (Debian: "apt-get install chromium"), or set CHROMIUM_PATH to its program.',
  )
  process.exit(1)
}
