import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfiguration } from '#database/operations/configuration.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import demo from '../../../demo/shop.json' with { type: 'json' }
import { applyConfig } from './settings/apply-config-file.ts'
import { shopConfiguration } from './settings/shop-configuration.ts'

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
