import { expect, it } from 'vitest'
import type { Database } from '#database/engine/connect.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import type { Tools } from '../../shared/tools.ts'
import type { SessionState } from './session-state.ts'
import { changeSession, freshSession, openSession } from './visit-session.ts'

const toolsOf = (db: Database) =>
  ({ ...systemEnvironment(systemLog('silent')), db, serialQueues: new Map(), checkpoint: () => {} }) as unknown as Tools

it('stores of a state what was touched, and reads it whole', async () => {
  await using db = await aDatabase({ max: 1 })
  const tools = toolsOf(db)
  const before = freshSession(tools)
  const change = (state: SessionState) => ({ state: { ...state, generation: 3 }, result: null })
  await changeSession(tools, before, change, 'S1')
  expect(await db.sql`select state from sessions`).toEqual([{ state: { generation: 3 } }])
  expect((await openSession(tools, before.token)).state).toEqual({ ...before.state, generation: 3 })
})
