import { expect, it } from 'vitest'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { callRoute, keepingSettings } from '#tests/support/payments/vault.ts'
import { aShop } from '#tests/support/shop.ts'

it('FAST-11 a card of accelerated checkout is kept by its single-use token, once, for who brought it', async () => {
  const { paypal } = keepingSettings
  await using shop = await aShop({ settings: { paypal: { ...paypal, fastlane: { enabled: true } } } })
  const { id } = (await shop.emulate('/single-use-tokens', { number: '4111111111111111' })) as { id: string }
  const ada = aCustomer(shop)
  await ada.add('MUG')
  // Without the word it is read as a setup token, and there is none of that name.
  expect((await callRoute(ada, 'vault/payment-tokens', { setup_token: id })).status).toBe(404)
  const body = { setup_token: id, fastlane: true }
  const kept = await callRoute(ada, 'vault/payment-tokens', body)
  expect(kept).toMatchObject({ status: 200, body: { payment_source: { card: { last_digits: '1111' } } } })
  expect((await callRoute(ada, 'vault/payment-tokens', body)).body.id).toBe(kept.body.id)
  const eve = aCustomer(shop)
  await eve.add('MUG')
  expect((await callRoute(eve, 'vault/payment-tokens', body)).status).toBe(404)
})
