import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unfinishedImages } from '#database/catalog/image-rows.ts'
import { systemLog } from '#server/operations/startup/environment.ts'
import { readOriginal } from '#shop/content/image-sizes.ts'
import { resizeImage } from '#shop/content/resize-images.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { anImportBench, csv, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'
import { announceImagesJob, imageSizesJob } from './image-sizes.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await anImportBench()
})
afterAll(() => bench.close())

it('each job completes its picture, and the progress is reported once', async () => {
  for (const [name, width] of Object.entries({ 'one.png': 500, 'two.png': 400 }))
    await sharp({ create: { width, height: 300, channels: 3, background: '#3366cc' } })
      .png()
      .toFile(join(bench.folder, name))
  await bench.importing(csv(['SKU', 'Name', 'Images'], ['A', 'Vase', 'one.png'], ['B', 'Bowl', 'two.png']))
  // Proof of the cast: the jobs use database, clock, chance and log alone.
  const tools = { ...bench.toolsAt(today), log: systemLog('silent'), serialQueues: new Map() } as unknown as Tools
  const mediaDir = join(bench.folder, 'media')
  const reports: unknown[] = []
  const complete = imageSizesJob(tools, mediaDir, async (folder, hash) =>
    resizeImage(await readOriginal(folder, hash), folder, tools.chance),
  )
  const announce = announceImagesJob(tools, (progress) => reports.push(progress))
  await announce()
  const [first, second] = await unfinishedImages(bench.db.kysely, 2)
  await complete({ imageId: first })
  expect(await unfinishedImages(bench.db.kysely, 2)).toEqual([second])
  await announce()
  await complete({ imageId: second })
  await announce()
  await announce()
  expect(reports).toEqual([
    { all: 2, unfinished: 1 },
    { all: 2, unfinished: 0 },
  ])
  // Sizes of 500 and 400 pixels: 160, 320 and the own one, in two formats.
  expect((await readdir(mediaDir)).length).toBe(12)
  await expect(complete({})).rejects.toThrow(/imageId/)
})
