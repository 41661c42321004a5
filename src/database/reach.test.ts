import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database.ts'
import { connect } from './connect.ts'
import { DatabaseNotReachedError, reach } from './reach.ts'

async function faultAt(url: string): Promise<unknown> {
  const db = connect(url, { max: 1 })
  try {
    return await reach(db.sql, 'DATABASE_URL', url).catch((error: unknown) => error)
  } finally {
    await db.close()
  }
}

const elsewhere = (db: TestDatabase, change: (url: URL) => void) => {
  const url = new URL(db.url)
  change(url)
  return url.href
}

describe('the first word with a database', () => {
  it('is said to one that answers, and changes nothing', async () => {
    await using db = await aDatabase()
    expect(await faultAt(db.url)).toBeUndefined()
  })

  it('where nobody listens, tells the setting and the server, and not the password', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    await new Promise((closed) => server.close(closed))
    const fault = await faultAt(`postgres://shop:hidden@127.0.0.1:${port}/shop`)
    expect(fault).toBeInstanceOf(DatabaseNotReachedError)
    expect(String(fault)).toBe(
      `DatabaseNotReachedError: DATABASE_URL: the database at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED 127.0.0.1:${port}`,
    )
  })

  it('where the server knows no such database or user, says so in its words', async () => {
    await using db = await aDatabase()
    const noSuch = await faultAt(elsewhere(db, (url) => (url.pathname = '/no-such')))
    expect(String(noSuch)).toContain('cannot be used: database "no-such" does not exist')
    const stranger = await faultAt(
      elsewhere(db, (url) => {
        url.username = 'stranger'
        url.password = 'hidden'
      }),
    )
    expect(String(stranger)).toContain('does not let stranger in: ')
    expect(String(stranger)).not.toContain('hidden')
  })
})
