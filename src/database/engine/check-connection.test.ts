import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { DatabaseNotReachedError, reach } from './check-connection.ts'
import { connect } from './connect.ts'

async function faultAt(url: string): Promise<unknown> {
  const db = connect(url, { max: 1 })
  try {
    return await reach(db.sql, 'DATABASE_URL', url).then(
      () => undefined,
      (error: unknown) => error,
    )
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

  it('to one in which no shop can be made says what is wrong with it, and the command that mends it', async () => {
    await using db = await aDatabase({ max: 1 })
    const word = `reach_${new URL(db.url).pathname.slice(1)}`.slice(0, 50)
    await db.sql.unsafe(`create role ${word} login password 'hidden'`)
    const databases = { latin: "template template0 encoding 'LATIN1' locale_provider libc locale 'C'", plain: '' }
    for (const [name, how] of Object.entries(databases)) await db.sql.unsafe(`create database ${word}_${name} ${how}`)
    try {
      const faultOf = (name: string, user?: string) =>
        faultAt(
          elsewhere(db, (url) => {
            url.pathname = `/${word}_${name}`
            if (user) Object.assign(url, { username: user, password: 'hidden' })
          }),
        )
      expect(String(await faultOf('latin'))).toMatch(/ is encoded in LATIN1, .*create database .* encoding 'UTF8'/)
      expect(await faultOf('plain')).toBeUndefined()
      expect(String(await faultOf('plain', word))).toContain(
        `, and ${word} may make no tables in it: alter database "${word}_plain" owner to "${word}"`,
      )
      await db.sql.unsafe(`alter database ${word}_plain owner to ${word}`)
      expect(await faultOf('plain', word)).toBeUndefined()
    } finally {
      for (const name of Object.keys(databases)) await db.sql.unsafe(`drop database ${word}_${name} with (force)`)
      await db.sql.unsafe(`drop role ${word}`)
    }
  })

  it('by an address with more behind its question mark than the server knows says what to leave out', async () => {
    await using db = await aDatabase()
    const behind = async (name: string, value: string) =>
      String(await faultAt(elsewhere(db, (url) => url.searchParams.set(name, value))))
    expect(await behind('channel_binding', 'require')).toMatch(
      /"channel_binding"\. Leave channel_binding out of the address$/,
    )
    expect(await behind('sslrootcert', '/ca.pem')).toMatch(
      /Leave sslrootcert out of the address; NODE_EXTRA_CA_CERTS names/,
    )
  })

  it('by TLS to a server that speaks none says that it may be so', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end('N'))).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const fault = await faultAt(`postgres://shop:hidden@127.0.0.1:${port}/shop?sslmode=verify-full`)
    server.close()
    expect(String(fault)).toMatch(/\. It may speak no TLS, which \?sslmode asks for$/)
  })

  it('tells by whichever address whether it is the same one', async () => {
    await using db = await aDatabase()
    await using other = await aDatabase()
    const identity = async ({ sql, url }: TestDatabase) => (await reach(sql, 'DATABASE_URL', url)).identity
    const first = await identity(db)
    expect(await identity(db)).toBe(first)
    expect(await identity(other)).not.toBe(first)
  })
})
