import { afterAll, describe, expect, it, vi } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const shops: TestShop[] = []
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.close()))
})

async function checkoutIn(language: string, word: string): Promise<string> {
  const shop = await aShop({ settings: { language, payments: { cheque: { enabled: true } } } })
  shops.push(shop)
  const shopper = new Shopper(shop)
  await shopper.add('MUG')
  // The shop imports its words when it starts, beside the first requests.
  return vi.waitUntil(
    async () => {
      const html = await shopper.openCheckout()
      return html.includes(word) && html
    },
    { timeout: 20_000, interval: 200 },
  )
}

describe('TRN-01 a shop in a form of English needs no translating', () => {
  it.each([
    ['en-US', ['Check', 'Apartment, suite, unit, etc.'], 'Cheque'],
    ['en-GB', ['Cheque', 'Flat, suite, unit, etc.'], 'Apartment'],
    ['en-AU', ['Cheque', 'Flat, suite, unit, etc.'], 'Apartment'],
  ])('%s', async (language, words, other) => {
    const html = await checkoutIn(language, words[0] ?? '')
    expect(html).toContain(`<html lang="${language}"`)
    for (const word of words) expect(html).toContain(word)
    expect(html).not.toContain(other)
    // The words of the contract are the same in every form of English.
    expect(html).toContain('Street address')
    expect(html).toContain('Cart')
  })
})
