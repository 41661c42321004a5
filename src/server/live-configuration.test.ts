import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { writeSettings } from '#database/configuration.ts'
import type { Database } from '#database/connect.ts'
import { aDatabase } from '#tests/support/database.ts'
import { systemLog } from './environment.ts'
import { followConfiguration } from './live-configuration.ts'

it('a slow reading of what was set before never replaces what was set after', async () => {
  await using database = await aDatabase({ max: 4 })
  // The first reading after the start is held back once the database has answered it.
  let readings = 0
  let held = false
  const slow: Database = {
    ...database,
    kysely: database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // Five questions to a reading.
        if (Math.floor(readings++ / 5) === 1) {
          held = true
          await sleep(150)
        }
        return result
      },
    }),
  }
  const live = await followConfiguration(slow, systemLog('silent'), () => {})
  await writeSettings(database, { name: 'Before' })
  while (!held) await sleep(5)
  await writeSettings(database, { name: 'After' })
  await expect.poll(() => live.current.settings.name).toBe('After')
  await sleep(250)
  expect(live.current.settings.name).toBe('After')
  await live.stop()
})
