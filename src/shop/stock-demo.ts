import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { keepImage } from '#database/catalog/image-rows.ts'
import { catalogChanged } from '#database/catalog/version.ts'
import { writeSettings } from '#database/configuration.ts'
import { type ImportOptions, type ImportProgress, type ImportReport, importProducts } from './import-products.ts'
import type { ImportTools } from './import-products-tools.ts'
import { resizeImage } from './resize-images.ts'

const setup = z.object({
  settings: z.record(z.string(), z.unknown()),
  shippingZones: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      order: z.number().int().default(0),
      countries: z.array(z.string()).default([]),
      continents: z.array(z.string()).default([]),
      postcodes: z.array(z.string()).default([]),
      methods: z.array(
        z.object({
          method: z.enum(['flat_rate', 'free_shipping', 'local_pickup']),
          title: z.string(),
          settings: z.record(z.string(), z.unknown()).default({}),
        }),
      ),
    }),
  ),
  taxRates: z.array(
    z.object({
      country: z.string().default(''),
      state: z.string().default(''),
      ratePpm: z.number().int(),
      name: z.string(),
      priority: z.number().int().default(1),
      compound: z.boolean().default(false),
      shipping: z.boolean().default(true),
      class: z.string().default(''),
    }),
  ),
  home: z.object({
    hero: z.object({
      title: z.string(),
      text: z.string(),
      image: z.string().optional(),
      /** Taken before the wide one: it stands beside the words. */
      imagePortrait: z.string().optional(),
      link: z.object({ text: z.string(), url: z.string().startsWith('/') }).optional(),
    }),
  }),
  categories: z.record(z.string(), z.object({ description: z.string().default(''), image: z.string().optional() })),
})

/**
 * Stocks an empty shop: settings, shipping and taxes from `shop.json` in the folder, products from `products.csv` beside it.
 * @throws when a file is missing or does not hold what it should
 */
export async function stockDemo(
  tools: ImportTools,
  folder: string,
  places: Pick<ImportOptions, 'mediaDir' | 'lookup'>,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const file = resolve(folder, 'shop.json')
  const shop = setup.parse(JSON.parse(await readFile(file, 'utf8')))
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

  const picture = async (path: string | undefined, alt: string) => {
    if (!path) return null
    const source = resolve(dirname(file), path)
    const image = await resizeImage(await readFile(source), places.mediaDir, tools.chance)
    return { ...image, source: path, alt }
  }
  const { hero } = shop.home
  const heroImage = await picture(hero.imagePortrait ?? hero.image, hero.title)
  await tools.db.kysely.transaction().execute(async (tx) => {
    for (const { methods, order, ...zone } of shop.shippingZones) {
      await tx
        .insertInto('shipping_zones')
        .values({ ...zone, zone_order: order })
        .onConflict((on) => on.column('id').doNothing())
        .execute()
      await tx.deleteFrom('shipping_methods').where('zone_id', '=', zone.id).execute()
      const rows = methods.map((method, position) => ({ ...method, zone_id: zone.id, position }))
      if (rows.length > 0) await tx.insertInto('shipping_methods').values(rows).execute()
    }
    await tx.deleteFrom('tax_rates').execute()
    const rates = shop.taxRates.map(({ ratePpm, ...rate }) => ({ ...rate, rate_ppm: ratePpm }))
    if (rates.length > 0) await tx.insertInto('tax_rates').values(rates).execute()
    for (const [slug, { description, image }] of Object.entries(shop.categories)) {
      const shown = await picture(image, '')
      const image_id = shown ? await keepImage(tx, shown) : null
      await tx.updateTable('categories').set({ description, image_id }).where('slug', '=', slug).execute()
    }
    await catalogChanged(tx)
  })
  await writeSettings(tools.db, {
    ...shop.settings,
    home: {
      title: hero.title,
      text: hero.text,
      link: hero.link ?? null,
      image: heroImage && {
        hash: heroImage.hash,
        width: heroImage.width,
        height: heroImage.height,
        alt: '',
        placeholder: heroImage.placeholder,
        widths: heroImage.widths,
      },
    },
  })
  return report
}
