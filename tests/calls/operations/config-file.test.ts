import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { couponsCommand } from '#cli/coupons/coupons.ts'
import { settingsCommand } from '#cli/operations/settings.ts'
import { shippingZonesCommand } from '#cli/shipping/shipping-zones.ts'
import { taxRatesCommand } from '#cli/tax/tax-rates.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { readAssets } from '#server/http/assets.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { startShop } from '#server/operations/startup/start-shop.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, clientFolder, rootFolder, stock, type TestShop } from '#tests/support/shop.ts'

let folder: string
let shop: TestShop
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-file-'))
  const configFile = join(folder, 'shop.config.ts')
  await writeFile(
    configFile,
    `export default {
      settings: { name: 'Declared' },
      taxRates: [{ country: 'US', rate: 10, name: 'Declared tax' }],
      coupons: [{ code: 'mugs', type: 'fixed_product', amount: 1, products: ['MUG'] }],
    }`,
  )
  shop = await aShop({ wallet: false, configFile })
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

/** The cart page of a visitor with one mug, after a coupon. */
async function cartPage(code: string): Promise<string> {
  const added = await fetch(`${shop.url}/?wc-ajax=add_to_cart`, {
    method: 'POST',
    body: new URLSearchParams({ product_id: String(await shop.idOf('MUG')) }),
  })
  const cookie = added.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const page = await (await fetch(`${shop.url}/cart/`, { headers: { cookie } })).text()
  const nonce = /name="woocommerce-cart-nonce" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const posted = await fetch(`${shop.url}/cart/`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ coupon_code: code, apply_coupon: 'Apply coupon', 'woocommerce-cart-nonce': nonce }),
  })
  return posted.text()
}

describe('shop.config.ts at the start of a shop', () => {
  it('is what the first page shows', async () => {
    expect(await (await fetch(`${shop.url}/shop/`)).text()).toContain('Declared</title>')
    const page = await cartPage('MUGS')
    expect(page).toContain('cart-discount coupon-mugs')
    expect(page).toContain('Declared tax')
  })

  it('lets commands change the running shop from the next page on', async () => {
    const run = (command: typeof couponsCommand, ...args: string[]) => runCommand(command, shop.db, ...args)
    expect((await run(couponsCommand, 'add', 'late', '--type', 'percent', '--amount', '50')).code).toBe(0)
    expect(await cartPage('late')).toContain('cart-discount coupon-late')
    await run(taxRatesCommand, 'add', '12', '--country', 'US', '--name', 'Later tax')
    await run(shippingZonesCommand, 'edit-method', '1', '--title', 'Later post')
    await run(settingsCommand, 'name', 'Later')
    await expect.poll(async () => (await fetch(`${shop.url}/shop/`)).text()).toContain('Later</title>')
    const page = await cartPage('late')
    expect(page).toContain('Later tax')
    expect(page).toContain('Later post')
  })

  it('with a fault keeps the shop shut and as it was', async () => {
    await using database = await aDatabase()
    await stock(database.url, folder)
    const before = await readConfiguration(database)
    const configFile = join(folder, 'broken.config.ts')
    await writeFile(
      configFile,
      `export default {\n  settings: { name: 'Half' },\n  coupons: [{ code: 'x', amount: -1 }],\n}`,
    )
    const starting = startShop({
      environment: systemEnvironment(systemLog('silent')),
      databaseUrl: database.url,
      dataDir: folder,
      clientFolder,
      rootFolder,
      configFile,
      assets: await readAssets(clientFolder),
      paypal: null,
      host: '127.0.0.1',
      port: 0,
      publicBaseUrl: null,
      smtpUrl: null,
      secret: 'a secret for tests that is long enough',
    })
    await expect(starting).rejects.toThrow('broken.config.ts, line 3, coupons[0].amount: must not be negative')
    const { settings, ...rest } = await readConfiguration(database)
    expect({ ...rest, settings: { ...settings, secret: undefined } }).toEqual({
      ...before,
      settings: { ...before.settings, secret: undefined },
    })
  })
})
