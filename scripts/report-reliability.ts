import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJUnit } from './reliability/junit.ts'
import { reliability } from './reliability/reliability.ts'
import { reliabilityPage } from './reliability/reliability-page.ts'
import { reliabilityText } from './reliability/reliability-text.ts'
import { readRetried } from './reliability/retried-tests.ts'
import { readSimulator } from './reliability/simulator.ts'

/** Writes `reports/reliability.html` and `.txt` out of what the last run of the tests, and of the simulator, has left. */
const root = join(import.meta.dirname, '..')

const xml = kept('junit.xml')
if (xml === null) {
  console.error('There is no reports/junit.xml yet: run "npm test" first.')
  process.exit(1)
}
// Of the same run: `vitest run` alone writes the first and leaves the second as it was.
const json = writtenMs('vitest.json') + 60_000 > writtenMs('junit.xml') ? kept('vitest.json') : null
const simulator = kept('simulator.json')
const report = reliability({
  results: readJUnit(xml),
  retried: json === null ? new Set() : readRetried(json, root),
  simulator: simulator === null ? null : readSimulator(simulator),
  commit: commit(),
})
writeFileSync(join(root, 'reports/reliability.html'), reliabilityPage(report))
writeFileSync(join(root, 'reports/reliability.txt'), reliabilityText(report))
console.log('Written to reports/reliability.html and reports/reliability.txt.')

function kept(name: string): string | null {
  try {
    return readFileSync(join(root, 'reports', name), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function writtenMs(name: string): number {
  return statSync(join(root, 'reports', name), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** With a plus where files differ from it; a copy without its history has none. */
function commit(): string {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
  const head = git('rev-parse', '--short=10', 'HEAD')
  return head === '' ? 'unknown' : head + (git('status', '--porcelain') === '' ? '' : '+')
}
