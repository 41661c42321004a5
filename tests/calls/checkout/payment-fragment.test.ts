import { expect, it } from 'vitest'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import { aShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

it('the first answer about the totals has the payment block as the page has it: typed cards stay', async () => {
  await using shop = await aShop({ settings: { paypal: { cards: { enabled: true }, fastlane: { enabled: true } } } })
  const shopper = new Shopper(shop, 'ada')
  await shopper.add('MUG')
  const html = await (await shopper.request(urls.checkout())).text()
  const nonce = /"update_order_review_nonce":"([^"]+)"/.exec(html)?.[1] ?? ''
  const place = { country: 'US', state: 'CA', postcode: '95131', city: 'San Jose' }
  const answer = await shopper.post(urls.wcAjax('update_order_review'), {
    security: nonce,
    ...place,
    ...Object.fromEntries(Object.entries(place).map(([key, value]) => [`s_${key}`, value])),
    has_full_address: 'true',
  })
  const { fragments } = (await answer.json()) as { fragments: Record<string, string> }
  const payment = fragments[checkoutHooks.payment] ?? ''
  expect(payment).toContain('card-fields')
  expect(html).toContain(payment)
})
