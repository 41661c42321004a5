import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { aDatabase } from '#tests/support/database.ts'
import { freePort } from '#tests/support/shop.ts'

const main = join(import.meta.dirname, '../../dist/server/main.js')

/** A shop in a process of its own, open. */
async function running() {
  const database = await aDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'stopped-twice-'))
  const port = await freePort()
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      VITRINE_DEMO: '0',
      SHARE_PICTURES: 'off',
    },
    stdio: 'ignore',
  })
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  await vi.waitFor(async () => expect(await status('/readyz')).toBe(200), { timeout: 30_000, interval: 20 })
  const ended = once(child, 'exit')
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { child, status, ended, [Symbol.asyncDispose]: close }
}

it('SIGTERM once more, as npm passes it on under systemd, ends nothing sooner: visitors are still served', async () => {
  await using shop = await running()
  shop.child.kill('SIGTERM')
  await vi.waitFor(async () => expect(await shop.status('/readyz')).toBe(503), { timeout: 1_500, interval: 10 })
  shop.child.kill('SIGTERM')
  await sleep(300)
  expect([await shop.status('/readyz'), await shop.status('/shop/')]).toEqual([503, 200])
  expect(await shop.ended).toEqual([0, null])
})

it('Ctrl-C is heard once, though the terminal and npm both tell of it', async () => {
  await using shop = await running()
  shop.child.kill('SIGINT')
  await sleep(20)
  shop.child.kill('SIGINT')
  expect(await shop.ended).toEqual([0, null])
})
