import { readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { anImportBench, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'
import { sharePicturesDue } from './due-share-pictures.ts'
import { makeSharePictures } from './make-share-pictures.ts'
import { sharePictureDigest, sharePictureFile } from './share-picture-name.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await anImportBench()
})
afterAll(() => bench.close())

const mediaDir = () => join(bench.folder, 'media')
const pictures = async () => (await readdir(mediaDir())).filter((name) => name.endsWith('.jpg')).sort()
const made = async (over: object = {}, options = {}) =>
  makeSharePictures({ ...bench.toolsAt(today, over), log: { info() {}, warn() {}, error() {} } }, mediaDir(), options)

it('makes one picture for the shop, each category and each product, and again only what has changed', async () => {
  const portrait = await sharp({ create: { width: 640, height: 800, channels: 3, background: '#204080' } })
    .png()
    .toBuffer()
  await sharp(portrait).toFile(join(bench.folder, 'vase.png'))
  const file = [
    'ID,Type,SKU,Name,Regular price,Categories,Images',
    '1,simple,V,Tidal Vase,68,Vases,vase.png',
    '2,simple,B,Bowl,20,Vases,',
  ]
  expect((await bench.importing(file.join('\n'))).ok).toBe(true)
  const tools = bench.toolsAt(today)

  expect(await sharePicturesDue(tools, mediaDir())).toBe(true)
  expect(await made()).toEqual({ made: 4, kept: 0, failed: 0, removed: 0 })
  expect(await sharePicturesDue(tools, mediaDir())).toBe(false)

  const [image] = await bench.db.sql<{ hash: string }[]>`select hash from images`
  const vase = sharePictureFile(sharePictureDigest(tools.settings, { name: 'Tidal Vase', image: image?.hash ?? '' }))
  expect(await pictures()).toContain(vase)
  const { width, height, format } = await sharp(join(mediaDir(), vase)).metadata()
  expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'jpeg' })
  // The product on the right, dark text on the background at the left.
  const right = await sharp(join(mediaDir(), vase)).extract({ left: 700, top: 0, width: 500, height: 630 }).stats()
  expect(right.dominant.b).toBeGreaterThan(100)
  const left = await sharp(join(mediaDir(), vase)).extract({ left: 0, top: 0, width: 690, height: 630 }).stats()
  expect(left.dominant.g).toBeGreaterThan(240)
  expect(left.channels[1]?.min).toBeLessThan(60)

  // Only the changed product is checked.
  await bench.db.sql`update products set name = 'Tall vase' where id = 1`
  await catalogChanged(bench.db.kysely, [1])
  expect(await sharePicturesDue(tools, mediaDir())).toBe(true)
  expect(await made()).toEqual({ made: 1, kept: 2, failed: 0, removed: 0 })

  // The shop's name is part of all images; a change of data outside of the image creates none.
  expect(await sharePicturesDue(bench.toolsAt(today, { name: 'Fogline' }), mediaDir())).toBe(true)
  expect((await made({ name: 'Fogline' })).made).toBe(4)
  await bench.db.sql`update products set regular_price = 1 where id = 1`
  await catalogChanged(bench.db.kysely)
  expect(await made({ name: 'Fogline' })).toMatchObject({ made: 0, kept: 4 })

  // A lost one is recreated by "--anew", which also removes images that no page has used for a month.
  const old = (await pictures()).filter((name) => name === vase)
  for (const name of old) await utimes(join(mediaDir(), name), new Date('2026-01-01'), new Date('2026-01-01'))
  await rm(join(mediaDir(), (await pictures()).find((name) => name !== vase) ?? ''))
  const report = await made({ name: 'Fogline' }, { anew: true })
  expect(report.made).toBe(4)
  expect(report.removed).toBeGreaterThanOrEqual(1)
  expect(await pictures()).not.toContain(vase)
})
