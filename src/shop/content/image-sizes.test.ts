import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changesSince } from '#database/catalog/catalog-version.ts'
import { countImages, unfinishedImages } from '#database/catalog/image-rows.ts'
import { anImportBench, csv, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'
import { announceImages, completeImage, readOriginal } from './image-sizes.ts'
import { originalFile, resizeImage } from './resize-images.ts'

let bench: ImportBench
let mediaDir: string
beforeAll(async () => {
  bench = await anImportBench()
  mediaDir = join(bench.folder, 'media')
})
afterAll(() => bench.close())

const serialQueues = new Map()
const tools = () => ({ ...bench.toolsAt(today), serialQueues })
const encode = async (folder: string, hash: string) =>
  resizeImage(await readOriginal(folder, hash), folder, tools().chance)
const waiting = (task: string) => bench.db.sql<{ payload: { imageId?: number }; queue: string | null }[]>`
  select job.payload, queue.queue_name as queue from graphile_worker._private_jobs job
  join graphile_worker._private_tasks task on task.id = job.task_id
  left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
  where task.identifier = ${task} order by job.id`
const filesOf = async (hash: string) =>
  (await readdir(mediaDir)).filter((name) => name.startsWith(hash)).map((name) => name.slice(hash.length))

describe('a picture of an import', () => {
  it('has the sizes that pages ask for first as WebP, and a job for the others', async () => {
    for (const [name, width] of Object.entries({ 'large.png': 1000, 'small.png': 200 }))
      await sharp({ create: { width, height: 500, channels: 3, background: '#3366cc' } })
        .png()
        .toFile(join(bench.folder, name))
    await bench.importing(csv(['SKU', 'Name', 'Images'], ['A', 'Vase', 'large.png'], ['B', 'Bowl', 'small.png']))
    const rows = await bench.db.sql`select hash, width, height, widths, sizes from images order by width`
    expect(rows).toMatchObject([
      { width: 200, height: 500, widths: [200], sizes: 'first' },
      { width: 1000, height: 500, widths: [320, 640], sizes: 'first' },
    ])
    expect((await filesOf(rows[1]?.hash)).sort()).toEqual(['-320.webp', '-640.webp', '.upload'])
    expect((await filesOf(rows[0]?.hash)).sort()).toEqual(['-200.webp', '.upload'])
    const ids = await unfinishedImages(bench.db.kysely, 10)
    expect(await waiting('image-sizes')).toEqual(ids.map((imageId) => ({ payload: { imageId }, queue: 'image-sizes' })))
  })

  it('is not made twice while its job waits', async () => {
    const before = await readdir(mediaDir)
    await bench.importing(csv(['SKU', 'Name', 'Images'], ['A', 'Vase', 'large.png']))
    expect((await waiting('image-sizes')).length).toBe(2)
    expect(await readdir(mediaDir)).toEqual(before)
  })

  it('is completed by one step, which does nothing when it is repeated', async () => {
    const [id = 0] = await unfinishedImages(bench.db.kysely, 1)
    const before = await changesSince(bench.db.sql, 0)
    expect(await completeImage(tools(), mediaDir, id, encode)).toBe(true)
    const [row] = await bench.db.sql`select hash, widths, sizes from images where id = ${id}`
    expect(row).toMatchObject({ sizes: 'made' })
    const made = row?.widths.flatMap((width: number) => [`-${width}.avif`, `-${width}.webp`])
    expect((await filesOf(row?.hash)).sort()).toEqual(made.sort())
    expect(await completeImage(tools(), mediaDir, id, encode)).toBe(false)
    expect(await completeImage(tools(), mediaDir, 999_999, encode)).toBe(false)
    // Pages are not made again for each picture.
    expect((await changesSince(bench.db.sql, 0)).version).toBe(before.version)
    expect((await waiting('announce-images')).length).toBe(1)
  })

  it('has the pages of its products made again, once for all pictures completed meanwhile', async () => {
    const [id = 0] = await unfinishedImages(bench.db.kysely, 1)
    await completeImage(tools(), mediaDir, id, encode)
    expect((await waiting('announce-images')).length).toBe(1)
    const before = await changesSince(bench.db.sql, 0)
    expect(await announceImages(tools())).toEqual({ all: 2, unfinished: 0 })
    const products = await bench.db.sql`select id from products order by id`
    const after = await changesSince(bench.db.sql, before.version)
    expect(after.version).toBe(before.version + 1)
    expect(after.products?.toSorted()).toEqual(products.map((product) => product.id))
    expect(await announceImages(tools())).toBeNull()
    expect((await changesSince(bench.db.sql, 0)).version).toBe(after.version)
  })

  it('is made again when its files are lost, and keeps what a stopped step has made', async () => {
    await rm(mediaDir, { recursive: true })
    await bench.importing(csv(['SKU', 'Name', 'Images'], ['A', 'Vase', 'large.png']))
    expect(await countImages(bench.db.kysely)).toEqual({ all: 2, unfinished: 1 })
    const [id = 0] = await unfinishedImages(bench.db.kysely, 1)
    const [row] = await bench.db.sql`select hash from images where id = ${id}`
    // Stopped after its smallest file.
    await writeFile(join(mediaDir, `${row?.hash}-160.avif`), 'made before')
    await completeImage(tools(), mediaDir, id, encode)
    expect((await filesOf(row?.hash)).length).toBe(10)
    expect(await readdir(mediaDir)).not.toContain(`${row?.hash}.upload`)
  })

  it('stays in the queue when its original is gone', async () => {
    await rm(mediaDir, { recursive: true })
    await bench.importing(csv(['SKU', 'Name', 'Images'], ['A', 'Vase', 'large.png']))
    const [id = 0] = await unfinishedImages(bench.db.kysely, 1)
    const [row] = await bench.db.sql`select hash from images where id = ${id}`
    await rm(originalFile(mediaDir, row?.hash))
    await expect(completeImage(tools(), mediaDir, id, encode)).rejects.toThrow('ENOENT')
    expect(await unfinishedImages(bench.db.kysely, 1)).toEqual([id])
  })
})
