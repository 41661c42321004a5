import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { keepImage } from '#database/catalog/image-rows.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { imageHash, widthsOf } from '#shop/content/resize-images.ts'
import { importProducts } from '#shop/import/import-products.ts'
import type { TestShop } from '#tests/support/shop.ts'

const demo = join(import.meta.dirname, '../../../demo')

/**
 * Adds the whole demo catalogue to a shop. Its pictures are noted as if they had been converted, with one small file in the
 * place of each variant: making them takes a minute, and no page looks into them.
 */
export async function addDemoCatalogue({
  db,
  dataDir,
  shop,
}: Pick<TestShop, 'db' | 'dataDir' | 'shop'>): Promise<void> {
  const mediaDir = join(dataDir, 'media')
  await mkdir(mediaDir, { recursive: true })
  const stand = await sharp({ create: { width: 40, height: 50, channels: 3, background: '#c9d2cf' } })
    .raw()
    .toBuffer()
  const raw = { raw: { width: 40, height: 50, channels: 3 } } as const
  const [avif, webp] = await Promise.all([sharp(stand, raw).avif().toBuffer(), sharp(stand, raw).webp().toBuffer()])
  for (const name of await readdir(join(demo, 'images'))) {
    const bytes = await readFile(join(demo, 'images', name))
    const hash = imageHash(bytes)
    const { width, height } = await sharp(bytes).metadata()
    const widths = widthsOf(Math.min(width, 1440))
    await keepImage(db.kysely, {
      hash,
      width,
      height,
      widths,
      source: name,
      alt: '',
      placeholder: '#c9d2cf',
      sizes: 'all',
    })
    for (const one of widths) {
      await writeFile(join(mediaDir, `${hash}-${one}.avif`), avif)
      await writeFile(join(mediaDir, `${hash}-${one}.webp`), webp)
    }
  }
  const report = await importProducts(
    { ...systemEnvironment(systemLog('silent')), db, settings: shop.application.tools.settings },
    {
      file: join(demo, 'products.csv'),
      delimiter: ',',
      existing: 'update',
      dryRun: false,
      imagesDir: demo,
      mediaDir,
      downloadsDir: join(dataDir, 'downloads'),
      lookup: async () => [],
    },
  )
  if (!report.ok) throw new Error(`the demo products have faults: ${JSON.stringify(report.faults.slice(0, 3))}`)
}
