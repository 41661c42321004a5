// Before all that reads the shop's sources.
import './quick-passwords.ts'
import { plantedBugs } from './planted/bugs.ts'
import type { Orders, Told } from './run.ts'
import { readSources } from './source-loader.ts'

// The parent tells what to play; the sources come after that, since a bug may be planted in them.
process.once('message', async (orders: Orders) => {
  let stopped = false
  process.on('message', () => {
    stopped = true
  })
  process.once('disconnect', () => process.exit(1))
  const bug = orders.bug === null ? null : plantedBugs.find(({ name }) => name === orders.bug)
  if (bug === undefined) throw new Error(`there is no bug "${orders.bug}"`)
  await readSources(bug)
  const { playEpisodes } = await import('./worker.ts')
  await playEpisodes(orders.episodes, orders.untilStep, ({ number }, { steps, counts, violations, story }) => {
    const told: Told = { episode: number, steps, counts: Object.fromEntries(counts), violations, story }
    process.send?.(told)
    return !stopped && violations.length === 0
  })
  process.exit(0)
})
