import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'

let db: TestDatabase
let dataDir: string
beforeAll(async () => {
  db = await aDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'vitrine-commands-'))
})
afterAll(async () => {
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** A command as an operator gives it: a process of its own, over what the build has made. */
async function shop(...args: string[]) {
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { PATH: process.env.PATH, DATABASE_URL: db.url, DATA_DIR: dataDir, PUBLIC_BASE_URL: 'http://127.0.0.1:9' },
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code }
}

describe('a command that needs the messages, which the build has made', () => {
  it('looks the machine through', async () => {
    const { out, err } = await shop('doctor', '--machine')
    expect(err).toEqual(expect.stringMatching(/^Error: 1 of \d+ checks failed\. See the lines marked MISSING\.\n$/))
    expect(out).toContain('emails are written to the outbox folder')
    expect(out).toContain('nothing answers at http://127.0.0.1:9')
  })

  it('sends a message to try the way', async () => {
    const { err, code } = await shop('mail', 'send-test', 'customer_new_account', '--to', 'ops@shop.example')
    expect([err, code]).toEqual([expect.stringMatching(/Sent "\[test\] .* to ops@shop.example, by .*outbox/), 0])
  })
})
