import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { freePort } from '#tests/support/shop.ts'

const main = join(import.meta.dirname, '../../../dist/server/main.js')

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a shop that is still being stocked, and leaves nothing to tidy up',
  async (signal) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'stopped-at-start-'))
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: String(await freePort()),
        DATA_DIR: dataDir,
        VITRINE_DEMO: '1',
        SHARE_PICTURES: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (bytes) => {
      out += bytes
    })
    child.stderr.on('data', (bytes) => {
      err += bytes
    })
    const ended = once(child, 'close')
    try {
      await vi.waitFor(() => expect(out).toContain('Stocking the demo shop'), { timeout: 60_000, interval: 20 })
      child.kill(signal)
      expect(await ended).toEqual([0, null])
      expect(err).toBe('')
      expect(existsSync(join(dataDir, 'postgres/cluster/PG_VERSION'))).toBe(true)
      expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
      expect(existsSync(join(dataDir, 'postgres/lock'))).toBe(false)
    } finally {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
