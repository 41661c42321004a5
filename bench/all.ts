import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every bench, one after the other; all figures in `reports/bench.json`. Needs a build. */
const names = [
  'cached-page',
  'uncached-listing',
  'next-listing',
  'translated-listing',
  'currency-listing',
  'growth',
  'order-growth',
  'partitions',
  'backup',
  'statistics',
  'add-to-cart',
  'orders',
  'load',
  'overload',
  'restarts',
  'page-weight',
  'lighthouse',
  'interaction',
  'start',
]
const reports = join(import.meta.dirname, '../reports')
const wanted = process.argv.slice(2)

const figures: Record<string, unknown> = {}
for (const name of names.filter((it) => wanted.length === 0 || wanted.includes(it))) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
  else figures[name] = JSON.parse(readFileSync(join(reports, 'bench', `${name}.json`), 'utf8'))
}
writeFileSync(join(reports, 'bench.json'), `${JSON.stringify(figures, null, 2)}\n`)
