import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { freePort } from '#tests/support/shop.ts'

const main = join(import.meta.dirname, '../../../dist/server/main.js')

/** A shop in a process of its own, open, with its listing made. */
async function running() {
  const database = await aDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'stopped-twice-'))
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      VITRINE_DEMO: '0',
      SHARE_PICTURES: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await vi.waitFor(async () => expect(await status('/readyz')).toBe(200), { timeout: 30_000, interval: 20 })
    expect(await status('/shop/')).toBe(200)
  } catch (error) {
    await close()
    throw error
  }
  /** Somebody who has begun to ask, and takes their time. */
  const slowVisitor = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`)
    await sleep(50)
    return socket
  }
  return { child, status, ended, slowVisitor, [Symbol.asyncDispose]: close }
}

it('SIGTERM once more, as npm passes it on under systemd, ends nothing sooner: visitors are still served', async () => {
  await using shop = await running()
  shop.child.kill('SIGTERM')
  await vi.waitFor(async () => expect(await shop.status('/readyz')).toBe(503), { timeout: 1_500, interval: 10 })
  shop.child.kill('SIGTERM')
  await sleep(100)
  expect(await shop.status('/shop/')).toBe(200)
  expect(await shop.ended).toEqual([0, null])
})

it('Ctrl-C is heard once, though the terminal and npm both tell of it', async () => {
  await using shop = await running()
  const visitor = await shop.slowVisitor()
  shop.child.kill('SIGINT')
  await sleep(50)
  shop.child.kill('SIGINT')
  await sleep(50)
  // Whoever was being answered still is.
  const answered = once(visitor, 'data')
  visitor.write('\r\n')
  expect(String(await answered)).toContain('200 OK')
  visitor.destroy()
  expect(await shop.ended).toEqual([0, null])
})
