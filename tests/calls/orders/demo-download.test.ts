import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailTo } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { smallDemo } from '#tests/visual/small-demo.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ fill: smallDemo })
}, 120_000)
afterAll(() => shop.close())

it('the download of the demo shop is bought, paid and fetched by the link of the email', async () => {
  const shopper = new Shopper(shop, 'fog')
  const { orderId, walletOrderId } = await shopper.startToPay('FOG-STUDIES')
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  expect(await shop.db.sql`select status from orders where id = ${orderId}`).toEqual([{ status: 'completed' }])

  const mail = await mailTo(shop, shopper.email, /\/download\/[A-Za-z0-9]{32}\//)
  const link = /\/download\/[A-Za-z0-9]{32}\//.exec(mail)?.[0] ?? ''
  const response = await fetch(shop.url + link)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toContain('filename="fog-studies-dawn.png"')
  const given = Buffer.from(await response.arrayBuffer())
  const original = await readFile(join(import.meta.dirname, '../../../demo/downloads/fog-studies-dawn.png'))
  expect(given.equals(original)).toBe(true)
  // No half-written copy stays behind.
  const files = await readdir(join(shop.dataDir, 'downloads'), { recursive: true, withFileTypes: true })
  expect(files.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(['fog-studies-dawn.png'])
})
