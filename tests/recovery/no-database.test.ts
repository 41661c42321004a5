import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { freePort } from '#tests/support/shop.ts'

const root = join(import.meta.dirname, '../..')

/** Runs one of the project's programs until it ends by itself. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'no-database-'))
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: folder, VITRINE_DEMO: '0', ...env },
  })
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  await rm(folder, { recursive: true, force: true })
  return { err, code }
}

describe('a start without its database', () => {
  const programs = [
    ['the shop', 'dist/server/main.js'],
    ['a command', 'src/cli/main.ts', 'doctor'],
    ['a backup', 'src/cli/main.ts', 'backup', '/dev/null'],
  ]
  it.for(programs)('%s says in one line which setting leads nowhere, and not the password', async ([, ...args]) => {
    const port = await freePort()
    const url = `postgres://shop:hidden@127.0.0.1:${port}/shop`
    expect(await run(args, { DATABASE_URL: url, PORT: String(await freePort()) })).toEqual({
      err: `DATABASE_URL: the database at 127.0.0.1:${port} is not reached: connect ECONNREFUSED 127.0.0.1:${port}\n`,
      code: 1,
    })
  })
})
