import { rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import type { Database } from '#database/engine/connect.ts'
import { submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { anotherProcess, invariants, theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { say } from '#tests/support/translation/add-translations.ts'

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
  const confirmation = await shopper.returnFromWallet(walletOrderId)
  expect(confirmation).toContain(`/order-received/${orderId}/`)
  expect(await shopper.page(confirmation)).toContain('Soup bowl')
  await theOneOrder(shop, orderId)
  expect(await invariants(shop)).toEqual([])
}

/**
 * Has statements with this text fail, by the database's own error for a page that it cannot read. Messages that orders put
 * down are announced by the pool that this stands before: they wait some seconds, for the queue.
 */
function failing(db: Database, text: string) {
  let isBroken = true
  const { sql } = db
  const broken = new Proxy(sql, {
    apply(target, self, [pieces, ...values]: [TemplateStringsArray, ...never[]]) {
      const query = Reflect.apply(target, self, [pieces, ...values])
      if (!isBroken || !Array.isArray(pieces) || !pieces.join('').includes(text)) return query
      return target.unsafe(`do $$ begin raise 'invalid page in block 7' using errcode = 'XX001'; end $$`)
    },
  })
  Object.assign(db, { sql: broken })
  return {
    mend: () => {
      isBroken = false
    },
  }
}

describe('a shop whose words to search by cannot be read', () => {
  it('P7 sells: whoever searches is told to try again, and finds as soon as they can be read', async () => {
    const process = await anotherProcess(shop)
    try {
      const words = failing(process.application.tools.db, 'p.short_description as short')
      const shopper = new Shopper(worldOf(process), 'seeker')
      for (const path of ['/', '/de/']) {
        const answer = await shopper.request(`${path}?s=mug&post_type=product`, asBrowser)
        expect([answer.status, answer.headers.get('retry-after')], path).toEqual([503, '5'])
        expect(answer.headers.get('cache-control')).toContain('no-store')
        // A page of the shop, where one goes on.
        const page = await answer.text()
        expect(page).toContain(urls.category('kitchen'))
        expect(page).toContain(path === '/' ? 'please try again' : 'versuchen')
      }
      const suggestions = await shopper.request(`${urls.searchSuggestions()}?term=mug`)
      expect([suggestions.status, suggestions.headers.get('content-type')]).toEqual([503, 'text/plain; charset=UTF-8'])
      await buys(process, 'by-the-menu')
      expect((await shopper.request('/?s=mug&post_type=product')).status).toBe(503)

      words.mend()
      const found = await shopper.request('/?s=mug&post_type=product')
      expect([found.status, await found.text()]).toEqual([200, expect.stringContaining(urls.product('plain-mug'))])
    } finally {
      await process.stop()
    }
  })

  it('P7 F32 finds by the merchant’s words where those of a language cannot be read, and keeps no such page', async () => {
    await say(shop, 'de-DE', { 'Plain mug': 'Schlichter Humpen' })
    const process = await anotherProcess(shop)
    try {
      const words = failing(process.application.tools.db, 'translation_originals')
      const shopper = new Shopper(worldOf(process), 'sucher')
      const search = async (term: string) => {
        const answer = await shopper.request(`/de/?s=${term}&post_type=product`)
        expect([term, answer.status]).toEqual([term, 200])
        return answer.text()
      }
      expect(await search('mug')).toContain(urls.product('plain-mug'))
      expect(await search('humpen')).not.toContain(urls.product('plain-mug'))
      words.mend()
      expect(await search('humpen')).toContain(urls.product('plain-mug'))
    } finally {
      await process.stop()
    }
  })
})

describe('a shop whose pictures cannot be read', () => {
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
