import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { expect, it } from 'vitest'
import { countPendingPromises } from '#tests/support/process/promise-count.ts'
import { waitForDrain } from './wait-for-drain.ts'

it('waits for a stream that is full, keeps nothing of it, and says what has broken what is behind it', async () => {
  let room = 16_000_000
  const disk = new Writable({
    highWaterMark: 1_000,
    write(piece: Buffer, _, done) {
      room -= piece.length
      setImmediate(done, room < 0 ? Object.assign(new Error('no space is left'), { code: 'ENOSPC' }) : null)
    },
  })
  const compress = createZstdCompress({ chunkSize: 4_096 })
  const written = pipeline(compress, disk)
  written.catch(() => {})
  const piece = () => randomBytes(80_000)
  let waits = 0
  const put = async () => {
    if (compress.write(piece())) return
    waits += 1
    await waitForDrain(compress)
  }
  for (let nr = 0; nr < 20; nr += 1) await put()
  const before = countPendingPromises()
  for (let nr = 0; nr < 150; nr += 1) await put()
  expect(waits).toBeGreaterThan(140)
  expect(countPendingPromises() - before).toBeLessThan(30)

  const toTheEnd = async () => {
    for (let nr = 0; nr < 100; nr += 1) await put()
  }
  await expect(toTheEnd()).rejects.toThrow('no space is left')
  await expect(written).rejects.toThrow('no space is left')
  // Its buffer would never drain.
  await expect(put()).rejects.toThrow('no space is left')
})
