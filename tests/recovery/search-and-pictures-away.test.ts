import { rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/urls.ts'
import { submitCart, viewCart } from '#tests/support/cart.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { anotherProcess, invariants, once, theOneOrder } from './bookkeeping.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { languages: [{ tag: 'de-DE' }] } })
})
afterAll(() => shop?.close())

type Process = Awaited<ReturnType<typeof anotherProcess>>

/** Another process of the shop, as its visitors reach it. */
const worldOf = (process: Process) => ({ ...shop, url: process.url })

const asBrowser = { headers: { accept: 'text/html' } }

/** Somebody who comes for the first time reads every kind of page, fills a cart and pays. */
async function buys(process: Process, name: string): Promise<void> {
  const shopper = new Shopper(worldOf(process), name)
  const pages = [urls.home(), urls.shop(), urls.category('kitchen'), urls.product('plain-mug'), `/de${urls.shop()}`]
  for (const path of pages) expect([path, (await shopper.request(path)).status]).toEqual([path, 200])
  expect((await shopper.request('/plain-mug/', asBrowser)).status).toBe(404)
  await shopper.add('MUG')
  expect((await viewCart(shopper)).lines).toEqual(['Plain mug × 1'])
  const form = { update_shipping: '1', 'shipping_method[0]': 'flat_rate:2' }
  expect((await submitCart(shopper, form)).total).toBe('$27.87')
  const { orderId, walletOrderId } = await shopper.startToPay('BOWL')
  await shopper.approve(walletOrderId)
  const confirmation = await shopper.comeBack(walletOrderId)
  expect(confirmation).toContain(`/order-received/${orderId}/`)
  expect(await shopper.page(confirmation)).toContain('Soup bowl')
  await theOneOrder(shop, orderId)
  expect(await invariants(shop)).toEqual([])
}

describe('a shop whose pictures cannot be read', once, () => {
  /** What is where their folder was. */
  const instead: Readonly<Record<string, (folder: string) => Promise<void>>> = {
    nothing: async () => {},
    'a file': (folder) => writeFile(folder, ''),
    // As a folder that may not be entered: whoever may enter every folder, as those who run these tests may, cannot enter this one.
    'a link to itself': (folder) => symlink(folder, folder),
  }

  it.each(Object.keys(instead))('P7 starts and sells without them, and says that there are none: %s', async (what) => {
    const folder = join(shop.dataDir, 'media')
    await rename(folder, `${folder}-elsewhere`)
    await instead[what]?.(folder)
    const process = await anotherProcess(shop)
    try {
      const page = await (await fetch(process.url + urls.product('plain-mug'))).text()
      const pictures = [...new Set(page.match(/\/media\/[0-9a-f]+-\d+\.(?:avif|webp)/g))]
      expect(pictures.length).toBeGreaterThan(1)
      for (const address of [...pictures, `/media/share-${'0'.repeat(32)}.jpg`]) {
        const answer = await fetch(process.url + address)
        expect([address, answer.status, answer.headers.get('cache-control')]).toEqual([address, 404, 'no-store'])
        await answer.body?.cancel()
      }
      await buys(process, `without-${what.replaceAll(' ', '-')}`)
    } finally {
      await process.stop()
      if (what !== 'nothing') await unlink(folder)
      await rename(`${folder}-elsewhere`, folder)
    }
  })
})
