import { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import type { Database } from '#database/engine/connect.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import type { Tools } from '../../shared/tools.ts'
import type { SessionState } from './session-state.ts'
import { changeSessionOptimistically, freshSession, openSession } from './visit-session.ts'

const toolsOf = (db: Database) =>
  ({ ...systemEnvironment(systemLog('silent')), db, checkpoint: () => {} }) as unknown as Tools

const send = Socket.prototype.write

describe('a session that is written on what is remembered', () => {
  it('is with the database before what follows from it is made', async () => {
    await using db = await aDatabase({ max: 1 })
    const tools = toolsOf(db)
    const steps: string[] = []
    const mark = 'rings before the answer is drawn'
    const write = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...sent) {
      if (String(sent[0]).includes(mark)) steps.push('sent')
      return send.apply(this, sent)
    })
    const change = (state: SessionState) => ({ state: { ...state, customerNote: mark }, result: null })
    const save = () =>
      changeSessionOptimistically(tools, freshSession(tools), { isUnchanged: db.sql`true` }, change, 'S1', async () => {
        steps.push('made')
      })
    try {
      // On first use the database describes the statement's parameters.
      await save()
      steps.length = 0
      await save()
    } finally {
      write.mockRestore()
    }
    expect(steps).toEqual(['sent', 'made'])
  })
})

describe('a state that is stored', () => {
  it('has what was touched, and is whole when it is read', async () => {
    await using db = await aDatabase({ max: 1 })
    const tools = toolsOf(db)
    const before = freshSession(tools)
    const change = (state: SessionState) => ({ state: { ...state, generation: 3 }, result: null })
    await changeSessionOptimistically(tools, before, { isUnchanged: db.sql`true` }, change, 'S1', async () => null)
    expect(await db.sql`select state from sessions`).toEqual([{ state: { generation: 3 } }])
    expect((await openSession(tools, before.token)).state).toEqual({ ...before.state, generation: 3 })
  })
})
