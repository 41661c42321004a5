import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfiguration } from '#database/operations/configuration.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import demo from '../../../demo/shop.json' with { type: 'json' }
import { applyConfig } from './settings/apply-config-file.ts'
import { shopConfiguration } from './settings/shop-configuration.ts'
import { stockDemo } from './stock-demo.ts'

it('the demo declares a shop that works: three zones with six methods, a tax, two coupons', async () => {
  await using db = await aDatabase()
  const { categories: _, ...declared } = demo
  const mediaDir = await mkdtemp(join(tmpdir(), 'vitrine-demo-'))
  const places = { folder: join(import.meta.dirname, '../../../demo'), mediaDir }
  const applied = await applyConfig({ ...systemEnvironment(systemLog('silent')), db }, declared, { places })
  await rm(mediaDir, { recursive: true })
  expect(applied).toMatchObject({ ok: true })
  const { settings, files, shippingZones, taxRates, faults } = shopConfiguration(await readConfiguration(db))
  expect(faults).toEqual([])
  expect(files['images/home-hero-portrait.webp']).toMatchObject({ kind: 'picture', width: 1200, height: 1500 })
  expect(settings).toMatchObject({
    name: 'Fogline',
    timeZone: 'America/Los_Angeles',
    mail: { from: expect.any(String) },
  })
  expect(shippingZones.map(({ id, methods }) => [id, methods.length])).toEqual([
    [0, 1],
    [1, 3],
    [2, 2],
  ])
  expect(taxRates).toMatchObject([{ country: 'US', state: 'CA', ratePpm: 72_500, shipping: false }])
  expect((await db.sql`select code from coupons order by code`).map(({ code }) => code)).toEqual([
    'fogfree',
    'slowmorning',
  ])
})

it('gives categories their images, one that a product shows as well included, each encoded once', async () => {
  await using db = await aDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-demo-'))
  try {
    await copyFile(join(import.meta.dirname, '../../../tests/fixtures/images/mug.png'), join(folder, 'mug.png'))
    await writeFile(
      join(folder, 'products.csv'),
      'Type,SKU,Name,Regular price,Categories,Images\nsimple,M,Mug,12,"Mugs, Gifts",mug.png\nsimple,P,Pot,30,Pots,\n',
    )
    const categories = {
      mugs: { description: 'For coffee.', image: 'mug.png' },
      gifts: { image: 'mug.png' },
      pots: { description: 'For tea.' },
    }
    await mkdir(join(folder, 'translations'))
    await writeFile(join(folder, 'shop.json'), JSON.stringify({ settings: { name: 'Small' }, categories }))
    const environment = systemEnvironment(systemLog('silent'))
    const { settings } = shopConfiguration(await readConfiguration(db))
    const places = { mediaDir: join(folder, 'media'), downloadsDir: join(folder, 'downloads'), lookup: async () => [] }
    const tools = { ...environment, db, settings, pageSlugs: () => new Set<string>() }
    expect((await stockDemo(tools, folder, places, () => {})).ok).toBe(true)
    const rows = await db.sql<{ slug: string; description: string; source: string | null }[]>`
      select slug, description, source from categories left join images on images.id = image_id order by slug`
    expect(rows.map(({ slug, description, source }) => [slug, description, source])).toEqual([
      ['gifts', '', 'mug.png'],
      ['mugs', 'For coffee.', 'mug.png'],
      ['pots', 'For tea.', null],
    ])
    expect(await db.sql`select id from images`).toHaveLength(1)
  } finally {
    await rm(folder, { recursive: true })
  }
})
