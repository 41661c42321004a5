import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { aShop } from '#tests/support/shop.ts'

it('a page lists the files that exist, and is made again when the other sizes are complete', async () => {
  await using shop = await aShop()
  const folder = shop.dataDir
  await sharp({ create: { width: 1000, height: 800, channels: 3, background: '#3366cc' } })
    .png()
    .toFile(join(folder, 'jug.png'))
  await writeFile(join(folder, 'jug.csv'), 'SKU,Name,Regular price,Images\nJUG,Blue jug,20,jug.png\n')
  // The job waits until the test has seen the page before.
  await shop.db
    .sql`select graphile_worker.add_job('image-sizes', queue_name := 'image-sizes', run_at := now() + interval '1 day')`
  await shop.db
    .sql`update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'test' where queue_name = 'image-sizes'`
  const report = await importProducts(
    { ...systemEnvironment(systemLog('silent')), db: shop.db, settings: shopSettings.parse({}) },
    {
      file: join(folder, 'jug.csv'),
      delimiter: ',',
      existing: 'update',
      dryRun: false,
      imagesDir: folder,
      mediaDir: join(folder, 'media'),
      downloadsDir: join(folder, 'downloads'),
      lookup: async () => [],
    },
  )
  expect(report).toMatchObject({ ok: true })
  const page = async () => (await fetch(shop.url + urls.product('blue-jug'))).text()
  const filesOf = (html: string) => [...new Set(html.match(/\/media\/[0-9a-f]+-\d+\.(avif|webp)/g))]
  const statuses = async (files: readonly string[]) =>
    Promise.all(files.map(async (file) => (await fetch(shop.url + file)).status))
  await expect.poll(page).toContain('Blue jug')

  const before = await page()
  expect(before).not.toContain('image/avif')
  expect(filesOf(before).map((file) => file.replace(/.*-/, ''))).toEqual(['640.webp', '320.webp'])
  expect(await statuses(filesOf(before))).toEqual([200, 200])

  await shop.db.sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`
  await expect.poll(page, { timeout: 60_000, interval: 500 }).toContain('image/avif')
  const after = filesOf(await page())
  expect(after.length).toBe(10)
  expect(new Set(await statuses(after))).toEqual(new Set([200]))
  const place = (html: string) => /<img[^>]*wp-post-image[^>]*/.exec(html)?.[0].match(/ (width|height)="\d+"/g)
  expect(place(await page())).toEqual(place(before))
})
