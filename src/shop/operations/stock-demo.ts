import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import {
  type ImportOptions,
  type ImportProgress,
  type ImportReport,
  importProducts,
} from '../import/import-products.ts'
import type { ImportTools } from '../import/import-tools.ts'
import { convertImages } from '../import/product-images.ts'
import type { Tools } from '../shared/tools.ts'
import { importContentTranslations } from '../translation/translation-seeds.ts'
import { applyConfig } from './settings/apply-config-file.ts'
import { shopConfiguration } from './settings/shop-configuration.ts'

/** In addition to the configuration of every shop. */
const presentation = z.object({
  categories: z.record(z.string(), z.object({ description: z.string().default(''), image: z.string().optional() })),
})

/**
 * Fills an empty shop with the configuration in `shop.json`, and the products in `products.csv`, of the folder.
 * @throws if a file is missing or invalid
 */
export async function stockDemo(
  tools: ImportTools & Pick<Tools, 'log' | 'pageSlugs'>,
  folder: string,
  places: Pick<ImportOptions, 'mediaDir' | 'downloadsDir' | 'lookup'>,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const file = resolve(folder, 'shop.json')
  const { categories, ...declared } = z.looseObject({}).parse(JSON.parse(await readFile(file, 'utf8')))
  const shop = presentation.parse({ categories })
  const report = await importProducts(
    tools,
    {
      file: resolve(folder, 'products.csv'),
      delimiter: ',',
      existing: 'update',
      dryRun: false,
      imagesDir: folder,
      ...places,
    },
    onProgress,
  )
  if (!report.ok) return report

  const applied = await applyConfig(tools, declared, { places: { folder, mediaDir: places.mediaDir } })
  if (!applied.ok) throw new Error(applied.faults.map(({ key, problem }) => `${file}, ${key}: ${problem}`).join('\n'))

  const uses = new Map(
    Object.values(shop.categories).flatMap(({ image }) => (image ? [[image, { row: 0, name: '' }] as const] : [])),
  )
  const imageIds = await convertImages(
    tools,
    uses,
    { ...places, imagesDir: folder },
    (source, _, problem) => {
      throw new Error(`${file}, categories: ${source} ${problem}`)
    },
    () => {},
  )
  await tools.db.kysely.transaction().execute(async (tx) => {
    for (const [slug, { description, image }] of Object.entries(shop.categories)) {
      const image_id = image === undefined ? null : (imageIds.get(image) ?? null)
      await tx.updateTable('categories').set({ description, image_id }).where('slug', '=', slug).execute()
    }
    await catalogChanged(tx)
  })
  const { settings } = shopConfiguration(await readConfiguration(tools.db))
  await importContentTranslations(
    tools,
    resolve(folder, 'translations'),
    settings.languages.map(({ tag }) => tag),
  )
  return report
}
