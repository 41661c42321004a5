import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Database } from '#database/engine/connect.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { systemEnvironment, systemLog } from '../startup/environment.ts'
import { followConfiguration } from './live-configuration.ts'

const environment = systemEnvironment(systemLog('silent'))

it('a slow reading of what was set before never replaces what was set after', async () => {
  await using database = await aDatabase({ max: 4 })
  // The first reading after the start is delayed once the database has answered it.
  let readings = 0
  let held = false
  const slow: Database = {
    ...database,
    kysely: database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // One reading makes five queries.
        if (Math.floor(readings++ / 5) === 1) {
          held = true
          await sleep(150)
        }
        return result
      },
    }),
  }
  const live = await followConfiguration(slow, environment, () => {})
  await writeSettings(database, { name: 'Before' })
  while (!held) await sleep(5)
  await writeSettings(database, { name: 'After' })
  await expect.poll(() => live.current.settings.name).toBe('After')
  await sleep(250)
  expect(live.current.settings.name).toBe('After')
  await live.stop()
})

it('what could not be read when it changed is read as soon as it can be', async () => {
  await using database = await aDatabase({ max: 4 })
  let isAway = false
  const often: Database = {
    ...database,
    kysely: database.kysely.withPlugin({
      transformQuery({ node }) {
        if (isAway) throw new Error('the pooler has no server')
        return node
      },
      transformResult: async ({ result }) => result,
    }),
  }
  const changes: string[] = []
  const live = await followConfiguration(often, environment, (what) => changes.push(what))
  await expect.poll(() => changes).toHaveLength(1)
  isAway = true
  await writeSettings(database, { name: 'Told of once' })
  await sleep(200)
  expect(changes).toHaveLength(1)
  isAway = false
  await expect.poll(() => live.current.settings.name, { timeout: 5_000 }).toBe('Told of once')
  expect(changes).toHaveLength(2)
  await live.stop()
})
