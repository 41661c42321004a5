import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { freePort } from '#tests/support/shop.ts'

const root = join(import.meta.dirname, '../../..')

/** Runs one of the project's programs until it ends by itself. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'no-database-'))
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: folder, VITRINE_DEMO: '0', ...env },
    // One that opens after all is none of ours to wait for.
    timeout: 20_000,
  })
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  const left = await readdir(folder)
  await rm(folder, { recursive: true, force: true })
  return { err: err.replaceAll(folder, 'the folder'), code, left }
}

describe('a start without its database', () => {
  const programs = [
    ['the shop', 'dist/server/main.js'],
    ['a command', 'src/cli/main.ts', 'doctor'],
    ['a backup', 'src/cli/main.ts', 'backup', '/dev/null'],
  ]
  it.for(programs)('%s says in one line which setting leads nowhere, and not the password', async ([name, ...args]) => {
    const port = await freePort()
    const url = `postgres://shop:hidden@127.0.0.1:${port}/shop`
    expect(await run(args, { DATABASE_URL: url, PORT: String(await freePort()) })).toMatchObject({
      err: `${name === 'the shop' ? '' : 'Error: '}DATABASE_URL: the database at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED 127.0.0.1:${port}\n`,
      code: 1,
    })
  })
})

it('a shop whose two addresses lead to two databases does not start: messages would be put down in one alone', async () => {
  await using db = await aDatabase()
  await using other = await aDatabase()
  const env = { DATABASE_URL: db.url, DATABASE_DIRECT_URL: other.url, PORT: String(await freePort()) }
  const { err, code } = await run(['dist/server/main.js'], env)
  expect([err, code]).toEqual(['DATABASE_DIRECT_URL and DATABASE_URL lead to different databases\n', 1])
})

it.for([
  ['the shop', 'dist/server/main.js'],
  ['a command', 'src/cli/main.ts', 'settings', 'name', 'Fogline'],
])('%s says which setting leads to a database that can only be read, as after a failover', async ([, ...args]) => {
  await using db = await aDatabase()
  const name = new URL(db.url).pathname.slice(1)
  await db.sql.unsafe(`alter database "${name}" set default_transaction_read_only = on`)
  const { err, code } = await run(args, { DATABASE_URL: db.url, PORT: String(await freePort()) })
  expect([err, code]).toEqual([
    expect.stringMatching(
      /^(?:Error: )?DATABASE_URL: the database \S+ at \S+ can only be read, as a replica can: name the primary\n$/,
    ),
    1,
  ])
})

it('a command ends where its user may have no more connections, each time: one was left open after the end', async () => {
  await using db = await aDatabase()
  const name = new URL(db.url).pathname.slice(1)
  await db.sql.unsafe(`create role "${name}" login password 'limited' connection limit 2`)
  await db.sql.unsafe(`create database "${name}-limited" owner "${name}"`)
  const url = new URL(db.url)
  Object.assign(url, { username: name, password: 'limited', pathname: `/${name}-limited` })
  try {
    // Which connection is refused first is a matter of luck, and whether one is.
    const said: string[] = []
    for (let time = 1; time <= 6; time += 1) {
      const { err, code } = await run(['src/cli/main.ts', 'doctor'], { DATABASE_URL: String(url) })
      said.push(err)
      // Null: it stood for twenty seconds, and was ended.
      expect(code).not.toBeNull()
    }
    expect(said).toContainEqual(expect.stringContaining(`too many connections for role "${name}"\n`))
  } finally {
    await db.sql.unsafe(`drop database "${name}-limited" with (force)`)
    await db.sql.unsafe(`drop role "${name}"`)
  }
}, 150_000)

describe('a command that is given no database', () => {
  const commands = [['doctor'], ['backup', '/dev/null/backup'], ['settings', 'name', '"Fogline"'], ['orders', 'list']]
  it.for(commands)('makes none and says so, where there is no shop: %s', async (args) => {
    const { err, code, left } = await run(['src/cli/main.ts', ...args], {})
    expect([err, code, left]).toEqual([
      expect.stringMatching(
        /^Error: no shop in the folder\/postgres that \S+ may read\. Set DATABASE_URL or DATA_DIR as the shop has them/,
      ),
      1,
      [],
    ])
  })
})

describe('a command that is given settings with which no shop would start', () => {
  it.for([
    [{ PAYPAL_ENVIRONMENT: 'Live' }, 'Error: PAYPAL_ENVIRONMENT must be sandbox or live, not "Live"'],
    [
      { PUBLIC_BASE_URL: 'shop.example' },
      'Error: PUBLIC_BASE_URL must be an address like https://shop.example, not "shop.example"',
    ],
    [{ DATABASE_URL: 'shop' }, expect.stringMatching(/^Error: DATABASE_URL must be an address like /)],
  ] as const)('says which, and does nothing: %j', async ([env, said]) => {
    const { err, code, left } = await run(['src/cli/main.ts', 'orders', 'list'], env)
    expect([err.trim(), code, left]).toEqual([said, 1, []])
  })
})

describe('a shop that is given a place which it cannot have', () => {
  const url = 'postgres://shop@127.0.0.1:1/shop'
  it.for([
    [{ HOST: '192.0.2.1' }, /^HOST: this machine has no address 192\.0\.2\.1: listen EADDRNOTAVAIL.*\n$/],
    [{ HOST: 'shop.invalid' }, /^HOST: this machine has no address shop\.invalid: getaddrinfo .*\n$/],
    [{ DATA_DIR: '/dev/null/shop' }, /^DATA_DIR: the shop cannot write to \/dev\/null\/shop: ENOTDIR.*\n$/],
  ] as const)('says by which setting, in one line, and may be tried again: %j', async ([env, said]) => {
    const { err, code } = await run(['dist/server/main.js'], { DATABASE_URL: url, PORT: `${await freePort()}`, ...env })
    expect([err, code]).toEqual([expect.stringMatching(said), 1])
  })
})

it('a shop goes to no other port than the one that it was given: whoever is sent there would meet another program', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  try {
    const url = 'postgres://shop@127.0.0.1:1/shop'
    const { err, code } = await run(['dist/server/main.js'], {
      DATABASE_URL: url,
      HOST: '127.0.0.1',
      PORT: String(port),
    })
    expect([err, code]).toEqual([`PORT: ${port} is taken by another program\n`, 1])
  } finally {
    other.close()
  }
})

it('nor to another one when its own was taken while it started, as by a second copy that was quicker', async () => {
  await using database = await aDatabase()
  const port = await freePort()
  const other = createServer()
  const folder = new URL(database.url).searchParams.get('host')
  // The start has looked at its port by the time it asks for the database.
  const between = createServer((socket) => {
    const onward = () => {
      const real = connect(`${folder}/.s.PGSQL.5432`)
      socket.on('error', () => real.destroy())
      real.on('error', () => socket.destroy())
      socket.pipe(real).pipe(socket)
    }
    if (other.listening) onward()
    else other.listen(port, '127.0.0.1', onward)
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  try {
    const url = new URL(database.url)
    url.searchParams.delete('host')
    url.port = String((between.address() as AddressInfo).port)
    url.hostname = '127.0.0.1'
    const env = { DATABASE_URL: url.href, HOST: '127.0.0.1', PORT: String(port) }
    const { err, code } = await run(['dist/server/main.js'], env)
    expect([err, code]).toEqual([`PORT: ${port} is taken by another program\n`, 1])
  } finally {
    other.close()
    between.close()
  }
})
