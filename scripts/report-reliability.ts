import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJUnit } from './reliability/junit.ts'
import { reliability } from './reliability/reliability.ts'
import { reliabilityPage } from './reliability/reliability-page.ts'
import { reliabilityText } from './reliability/reliability-text.ts'
import { readSimulator } from './reliability/simulator.ts'

/** Writes `reports/reliability.html` and `.txt` out of what the last run of the tests, and of the simulator, has left. */
const root = join(import.meta.dirname, '..')

const xml = kept('junit.xml')
if (xml === null) {
  console.error('There is no reports/junit.xml yet: run "npm test" first.')
  process.exit(1)
}
const simulator = kept('simulator.json')
const report = reliability({
  results: readJUnit(xml),
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

/** With a plus where files differ from it; a copy without its history has none. */
function commit(): string {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
  const head = git('rev-parse', '--short=10', 'HEAD')
  return head === '' ? 'unknown' : head + (git('status', '--porcelain') === '' ? '' : '+')
}
