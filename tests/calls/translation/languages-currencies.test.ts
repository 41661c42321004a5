import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { chooseCurrency, plain } from '#tests/support/currency/currencies.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { say } from '#tests/support/translation/add-translations.ts'

const patience = { timeout: 15_000, interval: 100 }

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: { languages: [{ tag: 'de-DE' }], currencies: [{ code: 'EUR', rate: '0.9' }] },
  })
  await say(shop, 'de-DE', { 'Plain mug': 'Schlichter Becher' })
})
afterAll(() => shop?.close())

describe('a cart in another language and another currency than is charged', () => {
  it('TRN-01 CUR-07 is said once: what is said of it is never taken for a text to be translated', async () => {
    const shopper = new Shopper(shop, 'elsewhere')
    await chooseCurrency(shopper, 'EUR')
    await shopper.add('MUG')
    await vi.waitFor(async () => expect(await shopper.page('/de/cart/')).toContain('Schlichter Becher'), patience)
    expect(plain(await shopper.page('/de/cart/'))).toContain('USD')
    expect(await shopper.page('/de/checkout/')).toContain('Schlichter Becher')

    // What pages have met is written down a little later, in the order in which it was met.
    await shopper.page(`/de${urls.product('linen-shirt')}`)
    const originals = async () =>
      (await shop.db.sql<{ original: string }[]>`select original from translation_originals`).map((one) => one.original)
    await vi.waitFor(async () => expect(await originals()).toContain('Linen shirt'), patience)
    expect(await originals()).not.toContain('Schlichter Becher')
  })
})
