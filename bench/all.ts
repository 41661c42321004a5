import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Judged } from './support/report.ts'

/**
 * Every bench, one after the other; all figures in `reports/bench.json`. Needs a build. At the end it says which budgets were missed,
 * and fails if it is not written down why one is.
 */
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
  'store-api',
  'changes',
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

const figures: Record<string, readonly Judged[]> = {}
for (const name of names.filter((it) => wanted.length === 0 || wanted.includes(it))) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
  else figures[name] = JSON.parse(readFileSync(join(reports, 'bench', `${name}.json`), 'utf8'))
}
writeFileSync(join(reports, 'bench.json'), `${JSON.stringify(figures, null, 2)}\n`)

const missed = Object.entries(figures).flatMap(([name, all]) =>
  all.filter(({ ok }) => !ok).map((it) => ({ name, ...it })),
)
for (const { name, what, value, unit, knownMiss } of missed) {
  console.log(`Missed by ${name}: ${what}: ${value} ${unit}${knownMiss ? ` (see ${knownMiss})` : ''}`)
}
if (missed.some(({ knownMiss }) => knownMiss === undefined)) process.exitCode = 1
