import { afterAll, beforeAll, expect, it } from 'vitest'
import { cardMethodId } from '#contract/payments/constants.ts'
import { cardFingerprint } from '#shop/payments/cards/limit-failed-payments.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { networkOf } from '#shop/shared/limit-attempts.ts'
import { allMethodSettings, cardNumber, createOrder, payApproved } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: allMethodSettings })
})
afterAll(() => shop?.close())

let shoppers = 0
/** Another visitor each time, and as if from another network: what was counted against this one is forgotten. */
async function paysWith(number: string, expiry: string): Promise<{ result?: string; code?: string }> {
  const network = sha256(`pay|network|${networkOf('127.0.0.1')}`)
  await shop.db.sql`delete from rate_limits where bucket = ${network}`
  const shopper = new Shopper(shop, `payer-${++shoppers}`)
  await shopper.add('MUG')
  await shopper.openCheckout()
  const opened = await createOrder(shopper, cardMethodId)
  const id = String(await opened.json())
  expect(opened.status, id).toBe(200)
  await shop.emulate(`/orders/${id}/card`, { number, expiry })
  return payApproved(shopper, cardMethodId, id)
}

it('T8 a card that was refused five times waits, whoever tries it and from wherever; others pay', async () => {
  const stolen = cardNumber('0119')
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await paysWith(stolen, '2031-04')).toMatchObject({ code: 'TRANSACTION_REFUSED' })
  }
  expect(await paysWith(stolen, '2031-04')).toMatchObject({ result: 'failure', code: 'PAUSED' })
  expect(await shop.db.sql`select 1 from captures`).toHaveLength(0)
  expect(await paysWith('4111111111111111', '2031-04')).toMatchObject({ result: 'success' })
  // Not for good.
  await shop.db.sql`update rate_limits set used_until = used_until - interval '2 minutes'`
  expect(await paysWith(stolen, '2031-04')).toMatchObject({ code: 'TRANSACTION_REFUSED' })
})

it('T8 P12 a card is known again by what the provider tells, never by its number or the name that was typed', () => {
  expect(cardFingerprint({ brand: 'VISA', last_digits: '1111', expiry: '2031-04' })).toBe('VISA 1111 2031-04')
  expect(cardFingerprint({ brand: 'VISA', last_digits: '1111' })).toBeNull()
  expect(cardFingerprint(undefined)).toBeNull()
})
